import type { EndpointOverview } from '../../backend-bridge/contract/endpoint.ts';
import { ruleUid } from '../../backend-bridge/src/monitoring/monitors/grafana/rule.ts';
import { notificationsOf } from '../e2e/support/endpoints.ts';
import { aManifest } from '../e2e/support/packages.ts';
import { type Grafana, PLUGIN_ID } from './support/grafana.ts';
import { mathRule } from './support/rule.ts';
import { expect, test } from './support/test.ts';

const DNP = 'nodebell-e2e.dnp.dappnode.eth';
const ENDPOINT = 'nodebell-e2e-value';
const SOON = { timeout: 60_000, intervals: [1000] };

/** The endpoint's address is a Prometheus query, so that a monitor that queries Prometheus can evaluate it. */
const file = notificationsOf({
  id: ENDPOINT,
  title: 'A value',
  condition: '[BODY].data.result[0].value[1] <= 80',
  metric: { min: 0, max: 100, unit: '%' },
}).replace('http://dms:9090/health', 'http://prometheus:9090/api/v1/query?query=vector(42)');

const thresholdIn = async (grafana: Grafana): Promise<number[] | undefined> =>
  (await grafana.rule(ruleUid({ dnpName: DNP, correlationId: ENDPOINT }))).data.find(({ model }) => model.conditions)
    ?.model.conditions?.[0]?.evaluator.params;

test.afterEach(({ grafana }) => grafana.ask('DELETE', `/api/plugin-proxy/${PLUGIN_ID}/api/v1/packages/${DNP}`));

test('a slider that is moved changes the rule in Grafana', async ({ grafana, gotoAppPage, page }) => {
  const { monitors } = await grafana.bridge<EndpointOverview>('GET', 'api/v1/endpoints');
  test.skip(
    !monitors.some(({ monitor }) => monitor === 'grafana'),
    'the bridge writes no rules to Grafana: it has no NODEBELL_GRAFANA_URL and NODEBELL_GRAFANA_TOKEN'
  );
  await grafana.bridge('POST', 'api/v1/packages', { manifest: aManifest({ name: DNP }), notifications: file });
  // The bridge keeps the value of an earlier run, also while the package is removed.
  await expect.poll(() => thresholdIn(grafana).catch(() => undefined), SOON).toHaveLength(1);
  const [before = 80] = (await thresholdIn(grafana)) ?? [];
  const [key, after] = before > 80 ? ['ArrowLeft', before - 1] : ['ArrowRight', before + 1];

  await gotoAppPage({ pluginId: PLUGIN_ID, path: `thresholds?q=${DNP}` });
  const slider = page.locator(`[data-endpoint="${ENDPOINT}"]`).getByRole('slider');
  await slider.focus();
  await slider.press(key);
  await expect.poll(() => thresholdIn(grafana), SOON).toEqual([after]);
});

const FOLDER = 'nodebell-e2e-rules';
const UID = 'nodebell-e2e-threshold';

test('the threshold of one of Grafana’s own rules is saved', async ({ grafana, gotoAppPage, page }) => {
  await grafana.deleteFolder(FOLDER);
  await grafana.createFolder(FOLDER, 'Nodebell E2E rules');
  try {
    const rule = mathRule({
      uid: UID,
      title: UID,
      folder: FOLDER,
      group: 'g',
      firing: false,
      contactPoint: 'Nodebell',
    });
    const model = {
      refId: 'B',
      type: 'threshold',
      expression: 'A',
      conditions: [{ evaluator: { type: 'gt', params: [80] } }],
      datasource: { type: '__expr__', uid: '__expr__' },
    };
    const answer = await page.request.post('/api/v1/provisioning/alert-rules', {
      headers: { 'X-Disable-Provenance': 'true' },
      data: { ...rule, condition: 'B', data: [...rule.data, { ...rule.data[0]!, refId: 'B', model }] },
    });
    await expect(answer).toBeOK();

    await gotoAppPage({ pluginId: PLUGIN_ID, path: `thresholds?tab=rules&q=${UID}` });
    await page.getByRole('button', { name: UID, exact: true }).click();
    const row = page.locator(`[data-rule="${UID}"]`);
    await row.getByRole('slider').press('ArrowRight');
    await row.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('Saved in Grafana.');
    const { data, provenance } = await grafana.rule(UID);
    expect([data.at(-1)!.model.conditions?.[0]?.evaluator.params, provenance ?? '']).toEqual([[81], '']);
  } finally {
    await grafana.deleteFolder(FOLDER);
  }
});
