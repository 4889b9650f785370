import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';
import { Inbox } from './views/inbox.ts';

interface Receiving {
  url: string;
}

async function storm({ url }: Receiving, from: number, count: number): Promise<void> {
  const alerts = Array.from({ length: count }, (_, index) => ({
    status: 'firing',
    labels: { alertname: 'HighCPU', instance: `host-${from + index}`, severity: 'critical', category: 'hosts' },
    startsAt: new Date().toISOString(),
    fingerprint: `storm-${from + index}`,
  }));
  const answer = await fetch(`${url}/api/v1/webhooks/alertmanager`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version: '4', status: 'firing', alerts }),
  });
  expect(answer.status).toBe(200);
}

test('a storm is one row, live as well, and opens as a list of its own', async ({ page, bridge }) => {
  const inbox = new Inbox(page);
  await bridge.send({ title: 'Something else', category: 'hosts' });
  await inbox.open();
  await expect(inbox.row('Something else')).toBeVisible();
  await storm(bridge, 0, 600);
  await expect(inbox.row('HighCPU: 600 alerts')).toContainText('600 open');
  await storm(bridge, 600, 600);
  await expect(inbox.row('HighCPU: 1,200 alerts')).toContainText('1,200 open');
  await expect(inbox.rows).toHaveCount(2);
  await expectAccessible(page);

  await inbox.row('HighCPU: 1,200 alerts').click();
  await expect(page.getByRole('heading', { name: 'HighCPU: 1,200 alerts' })).toBeVisible();
  await expect(inbox.row(/HighCPU on host-1199/)).toBeVisible();
  await expect(inbox.row('Something else')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back to inbox' }).click();
  await expect(inbox.rows).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'HighCPU: 1,200 alerts' })).toHaveCount(0);
});
