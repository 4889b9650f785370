import { PLUGIN_ID, type Grafana } from './support/grafana.ts';
import { mathRule } from './support/rule.ts';
import { expect, test } from './support/test.ts';

const FOLDER = 'nodebell-e2e';
const UID = 'nodebell-e2e-rule';
/** Evaluated every ten seconds, sent ten seconds later. Only against hanging. */
const SOON = { timeout: 90_000, intervals: [2000] };

interface Notification {
  id: number;
  title: string;
  status: string;
  thread: { state: string };
}

interface Silence {
  comment: string;
  status: { state: string };
}

const rule = (title: string, firing: boolean) =>
  mathRule({ uid: UID, title, folder: FOLDER, group: 'nodebell-e2e', firing, contactPoint: 'Nodebell' });

const received = async (grafana: Grafana, title: string) =>
  (await grafana.bridge<Notification[]>('GET', `api/v1/notifications?q=${encodeURIComponent(title)}`)).filter(
    (one) => one.title === title
  );

/** Grafana 13.1 shows no links of plugins beside an alert (grafana/grafana#130562). */
function hasInstanceMenu(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 13 || (major === 13 && minor === 0);
}

test.afterEach(({ grafana }) => grafana.deleteFolder(FOLDER));

test('an alert fires and resolves, from Grafana to the inbox', async ({
  grafana,
  gotoAppPage,
  page,
  grafanaVersion,
}) => {
  // A new title each time: the inbox has the alerts of earlier runs.
  const title = `E2E ${Date.now()}`;
  await grafana.deleteFolder(FOLDER);
  await grafana.createFolder(FOLDER, 'Nodebell E2E');
  await grafana.putRule(FOLDER, rule(title, true));

  await expect
    .poll(async () => (await received(grafana, title)).map(({ status }) => status), SOON)
    .toEqual(['triggered']);
  const [{ id }] = (await received(grafana, title)) as [Notification];
  await gotoAppPage({ pluginId: PLUGIN_ID, path: 'inbox' });
  await expect(page.getByText(title).first()).toBeVisible();

  // Silenced at its source, and no longer.
  const state = async () =>
    (await grafana.call<Silence[]>('GET', '/api/alertmanager/grafana/api/v2/silences')).find(
      ({ comment }) => comment === title
    )?.status.state;
  await gotoAppPage({ pluginId: PLUGIN_ID, path: `inbox?id=${id}` });
  await page.getByRole('button', { name: 'Silence', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Silence at the source' });
  await expect(dialog.getByText('Covers 1 firing alert now')).toBeVisible();
  await dialog.getByRole('textbox', { name: /Comment/ }).fill(title);
  await dialog.getByRole('button', { name: /^Silence until/ }).click();
  await page.getByRole('button', { name: /^Silenced until/ }).click();
  expect(await state()).toBe('active');
  await page.getByRole('menuitem', { name: 'End silence' }).click();
  await expect(page.getByRole('button', { name: 'Silence', exact: true })).toBeVisible();
  expect(await state()).toBe('expired');

  // Beside the alert, on Grafana's own page of its rule.
  const instances = `/alerting/grafana/${UID}/view?tab=instances`;
  const detail = new RegExp(`/a/${PLUGIN_ID}/inbox\\?.*id=${id}`);
  await page.goto(instances);
  const links = page.getByRole('link', { name: /\/inbox\?ruleUid=/ });
  await page.getByRole('button', { name: 'Expand row' }).click();
  await page.goto((await links.getAttribute('href'))!);
  await expect(page).toHaveURL(detail);
  if (hasInstanceMenu(grafanaVersion)) {
    await page.goto(instances);
    await page
      .getByRole('button', { name: /^(More |Alert instance )?actions$/i })
      .last()
      .click();
    await page.getByRole('menuitem', { name: 'Show in inbox' }).click();
    await expect(page).toHaveURL(detail);
  }

  await grafana.putRule(FOLDER, rule(title, false));
  await expect
    .poll(async () => (await received(grafana, title)).map(({ status }) => status).sort(), SOON)
    .toEqual(['resolved', 'triggered']);
  for (const one of await received(grafana, title)) {
    await grafana.bridge('DELETE', `api/v1/notifications/${one.id}`);
  }
});
