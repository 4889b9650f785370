import { type Grafana, PLUGIN_ID } from './support/grafana.ts';
import { mathRule } from './support/rule.ts';
import { expect, test } from './support/test.ts';

const UID = 'nodebell-e2e-alertmanager';
const NAME = 'Nodebell E2E Alertmanager';
const API = `/api/alertmanager/${UID}/api/v2`;
const CHOICE = '/api/v1/ngalert/admin_config';
/** Grafana reads its external Alertmanagers every minute, and sends an alert again every half minute. */
const SOON = { timeout: 150_000, intervals: [2000] };

/** The data source of docs/connect-senders.md, to which Grafana also sends its own alerts. */
async function addDataSource(grafana: Grafana): Promise<void> {
  const { jsonData } = await grafana.call<{ jsonData: { bridgeUrl: string } }>(
    'GET',
    `/api/plugins/${PLUGIN_ID}/settings`
  );
  await grafana.call('POST', '/api/datasources', {
    ...{ uid: UID, name: NAME, type: 'alertmanager', access: 'proxy' },
    url: `${jsonData.bridgeUrl}/alertmanager`,
    basicAuth: true,
    basicAuthUser: 'nodebell',
    jsonData: { implementation: 'prometheus', handleGrafanaManagedAlerts: true },
    secureJsonData: { basicAuthPassword: process.env['NODEBELL_ADMIN_TOKEN'] ?? 'development-admin-token' },
  });
}

async function removeAll(grafana: Grafana): Promise<void> {
  await grafana.deleteFolder(UID);
  await grafana.ask('DELETE', `/api/datasources/uid/${UID}`);
}

test.beforeEach(({ grafana }) => removeAll(grafana));
test.afterEach(({ grafana }) => removeAll(grafana));

test('with the bridge as Alertmanager, Grafana sends its alerts there, and its pages show and silence them', async ({
  grafana,
  page,
}) => {
  test.setTimeout(300_000);
  const title = `E2E ${Date.now()}`;
  const rule = (firing: boolean) => mathRule({ uid: UID, title, folder: UID, group: UID, firing });
  const received = async () =>
    (
      await grafana.bridge<{ id: number; title: string; status: string }[]>(
        'GET',
        `api/v1/notifications?q=${encodeURIComponent(title)}`
      )
    ).filter((one) => one.title === title);
  const statuses = async () => (await received()).map(({ status }) => status);
  await addDataSource(grafana);
  const before = await grafana.ask('GET', CHOICE);
  await grafana.call('POST', CHOICE, { alertmanagersChoice: 'all' });
  try {
    await grafana.createFolder(UID, NAME);
    await grafana.putRule(UID, rule(true));
    await expect.poll(statuses, SOON).toEqual(['triggered']);

    await page.goto(`/alerting/groups?${new URLSearchParams({ alertmanager: NAME })}`);
    await expect(page.getByTestId('alert-group').filter({ hasText: title })).toBeVisible();

    const matcher = `alertname=${title}`;
    await page.goto(`/alerting/silence/new?${new URLSearchParams({ alertmanager: NAME, matcher })}`);
    await page.getByRole('textbox', { name: /^Comment/ }).fill(title);
    const createdBy = page.getByPlaceholder("Who's creating the silence");
    if (await createdBy.isVisible()) {
      await createdBy.fill('e2e');
    }
    await page.getByRole('button', { name: 'Save silence' }).click();
    const row = page.getByTestId('not-expired-table').getByTestId('row').filter({ hasText: title });
    await expect(row).toContainText('active');
    await expect(row.getByTestId('alerts')).toHaveText('1');
    const states = async () =>
      (await grafana.call<{ comment: string; status: { state: string } }[]>('GET', `${API}/silences`))
        .filter(({ comment }) => comment === title)
        .map(({ status }) => status.state);
    expect(await states()).toEqual(['active']);
    await row.getByText('Unsilence').click();
    await expect(row).toHaveCount(0);
    expect(await states()).toEqual(['expired']);

    await grafana.putRule(UID, rule(false));
    await expect.poll(async () => (await statuses()).sort(), SOON).toEqual(['resolved', 'triggered']);
  } finally {
    await (before.ok() ? grafana.call('POST', CHOICE, await before.json()) : grafana.ask('DELETE', CHOICE));
    for (const { id } of await received()) {
      await grafana.bridge('DELETE', `api/v1/notifications/${id}`);
    }
  }
});
