import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';
import { Panel } from './views/panel.ts';

const PANEL = 'nodebell-inbox-panel';
const GETH = 'geth.dnp.dappnode.eth';
const MONERO = 'monero.dnp.dappnode.eth';

test(
  'open threads first, from 4 × 4 cells up; a row links to its notification',
  { tag: '@hosts' },
  async ({ page, bridge }) => {
    await bridge.send({ title: 'Disk full', status: 'triggered', priority: 'critical', dnpName: GETH });
    const { id } = await bridge.send({ title: 'A long title '.repeat(20), dnpName: MONERO });
    await bridge.send({ title: 'Updated', dnpName: GETH });
    const panel = new Panel(page, PANEL, 'Inbox');
    for (const size of [
      { w: 4, h: 4 },
      { w: 6, h: 5 },
      { w: 8, h: 8 },
      { w: 24, h: 12 },
    ]) {
      await panel.open({}, size);
      await expect(panel.content.getByRole('listitem')).toHaveText([/Disk full/, /Updated/, /A long title/]);
      await expect.poll(() => panel.overflow()).toBe(0);
    }
    await panel.content.getByRole('listitem').nth(2).click();
    await expect(page).toHaveURL(new RegExp(`/inbox\\?id=${id}$`));
  }
);

test('updates live: arrivals, read state, resolved threads', async ({ page, bridge }) => {
  const panel = new Panel(page, PANEL, 'Inbox');
  await panel.open();
  await expect(panel.content).toContainText('No notifications in this time range.');
  const thread = { title: 'CPU', status: 'triggered', correlationId: 'cpu', dnpName: GETH };
  const { id } = await bridge.send(thread);
  const row = panel.content.getByRole('listitem');
  await expect(row).toContainText('Open');
  await expect(row.getByText('Unread')).toBeAttached();
  await bridge.markRead(id);
  await expect(row.getByText('Unread')).not.toBeAttached();
  await bridge.send({ ...thread, status: 'resolved' });
  await expect(row).toHaveText(/Resolved/);
});

test('shows the time range of the dashboard, and older open threads', async ({ page, bridge }) => {
  await bridge.send({ title: 'Still open', status: 'triggered' });
  await bridge.send({ title: 'Over' });
  const panel = new Panel(page, PANEL, 'Inbox');
  const rows = panel.content.getByRole('listitem');
  const later = { from: 'now+1h', to: 'now+2h' };
  await panel.open({}, {}, later);
  await expect(rows).toHaveText([/Still open/]);
  await panel.open({ keepOpen: false }, {}, later);
  await expect(panel.content).toContainText('No notifications in this time range.');
  await panel.open({ timeRange: false, keepOpen: false }, {}, later);
  await expect(rows).toHaveCount(2);
  await panel.open({}, {}, { from: 'now-2h', to: 'now-1h' });
  await expect(panel.content).toContainText('No notifications in this time range.');
});

test('filters, variables, data links and the link to the page', { tag: '@hosts' }, async ({ page, bridge }) => {
  await bridge.send({ title: 'Of geth', dnpName: GETH, category: 'ethereum' });
  await bridge.send({ title: 'Of monero', dnpName: MONERO, category: 'monero' });
  await bridge.send({ title: 'Of nobody', category: 'ethereum' });
  const panel = new Panel(page, PANEL, 'Inbox');
  const rows = panel.content.getByRole('listitem');
  await panel.open({ category: ['ethereum'] });
  await expect(rows).toHaveCount(2);
  const options = { dnpName: ['$package'] };
  const links = JSON.stringify([
    { title: 'Host of ${notification.dnpName}', url: '/d/host?var-p=${notification.dnpName}' },
  ]);
  await panel.open(options, {}, { 'var-package': GETH, links });
  await expect(rows).toHaveText([/Of geth/]);
  await expect(rows.getByRole('link', { name: `Host of ${GETH}` })).toHaveAttribute('href', `/d/host?var-p=${GETH}`);
  await panel.open(options, {}, { 'var-package': '$__all' });
  await expect(rows).toHaveCount(3);
  await panel.open({ ...options, show: 'unread', limit: 2 }, {}, { 'var-package': '.*' });
  await expect(rows).toHaveCount(2);
  await panel.content.getByRole('link', { name: 'More in the inbox' }).click();
  await expect(page).toHaveURL(/\/inbox\?tab=unread$/);
});

test('shows an error while the bridge is down, and loads when it is back', async ({ page, bridge }) => {
  await bridge.send({ title: 'Hello' });
  await bridge.stop();
  const panel = new Panel(page, PANEL, 'Inbox');
  await panel.open();
  await expect(panel.content.getByRole('status')).toContainText('Could not load the inbox');
  await panel.content.getByRole('button', { name: 'Retry' }).click();
  await expect(panel.content.getByRole('status')).toContainText('Could not load the inbox');
  // No click: the button disappears as soon as the bridge is back.
  await bridge.start();
  await expect(panel.content.getByRole('listitem')).toHaveCount(1);
});

for (const theme of ['dark', 'light'] as const) {
  test(`the inbox panel is accessible, ${theme}`, async ({ page, bridge }) => {
    await bridge.send({ title: 'Disk full', status: 'triggered', priority: 'critical' });
    await bridge.send({ title: 'Updated', priority: 'high' });
    const panel = new Panel(page, PANEL, 'Inbox');
    const links = JSON.stringify([{ title: 'Host', url: '/d/host' }]);
    await panel.open({}, { w: 6, h: 8 }, { theme, links });
    await expect(panel.content.getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page);
  });
}
