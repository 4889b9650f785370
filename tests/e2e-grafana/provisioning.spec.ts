import { PLUGIN_ID } from './support/grafana.ts';
import { expect, test } from './support/test.ts';

// Fixtures of plugin-e2e that are functions are typed as methods, and are none.
/* oxlint-disable typescript/unbound-method */

test('the app is enabled, with an address, and with a token that nobody reads', async ({ grafana }) => {
  const settings = await grafana.call<Record<string, unknown>>('GET', `/api/plugins/${PLUGIN_ID}/settings`);
  expect(settings).toMatchObject({
    enabled: true,
    jsonData: { bridgeUrl: expect.stringMatching(/^https?:\/\//) },
    secureJsonFields: { bridgeToken: true },
  });
  expect(settings).not.toHaveProperty('secureJsonData');
});

test('the data source of the file is there', async ({ grafana, readProvisionedDataSource }) => {
  const { uid, name, type } = await readProvisionedDataSource({ fileName: 'prometheus.yaml' });
  expect(await grafana.call('GET', `/api/datasources/uid/${uid}`)).toMatchObject({ uid, name, type, readOnly: true });
});

test('the contact point is the bridge’s webhook, and signs', async ({ grafana }) => {
  const points = await grafana.call<unknown[]>('GET', '/api/v1/provisioning/contact-points?name=Nodebell');
  expect(points).toEqual([
    expect.objectContaining({
      uid: 'nodebell-inbox',
      type: 'webhook',
      disableResolveMessage: false,
      settings: expect.objectContaining({
        url: expect.stringContaining('/api/v1/webhooks/grafana'),
        hmacConfig: expect.objectContaining({ header: 'X-Grafana-Alerting-Signature' }),
      }),
    }),
  ]);
});

test('the rules of the file are there, and belong to the file', async ({ grafana, readProvisionedAlertRule }) => {
  for (const ruleTitle of ['CPU busy', 'Memory low']) {
    const { uid } = await readProvisionedAlertRule({ fileName: 'rules.yaml', groupName: 'node', ruleTitle });
    expect(await grafana.rule(uid)).toMatchObject({ uid, provenance: 'file' });
  }
});

test('the dashboard of the file is there, and has our panels', async ({ grafana, readProvisionedDashboard }) => {
  const { uid } = await readProvisionedDashboard({ fileName: 'node-overview.json' });
  const { meta, dashboard } = await grafana.call<{ meta: object; dashboard: { panels: { type: string }[] } }>(
    'GET',
    `/api/dashboards/uid/${uid}`
  );
  expect(meta).toMatchObject({ provisioned: true });
  expect(dashboard.panels.map(({ type }) => type)).toEqual(expect.arrayContaining(['nodebell-inbox-panel']));
});
