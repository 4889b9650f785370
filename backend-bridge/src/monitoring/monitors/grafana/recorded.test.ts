/** Our requests and the responses of FakeGrafana have the shape of recorded ones. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MonitoredEndpoint } from '../monitor.ts';
import { CPU, monitored } from '../monitored.testing.ts';
import { alertRule } from '../alertRule.ts';
import { FakeGrafana } from './fakeGrafana.testing.ts';
import { grafanaMonitor } from './monitor.ts';
import { ADDITIONS, CONTACT_POINTS, CREATED, NOT_IN_10 } from './recorded.testing.ts';
import { grafanaRule, ruleUid } from './rule.ts';

let grafana: FakeGrafana;
beforeEach(() => (grafana = new FakeGrafana()));
const sync = (endpoint: MonitoredEndpoint): Promise<unknown> =>
  grafanaMonitor({
    client: grafana.client,
    datasource: undefined,
    webhookUrl: () => 'http://bridge.example/hook',
    token: undefined,
    webhookSecret: undefined,
  }).sync([endpoint]);
const UID = ruleUid({ dnpName: 'geth.example.eth', correlationId: 'host-cpu' });
const SENT: Record<string, unknown> = grafanaRule(alertRule(monitored(CPU)), 'prom');
/** Members that Grafana stores without validation. */
const FREE = ['model', 'annotations', 'labels', 'settings', 'notification_settings'];

/** Types instead of values, in the order of the members. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(shapeOf);
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value;
  }
  return Object.entries(value).map(([name, member]) => [name, FREE.includes(name) ? 'free' : shapeOf(member)]);
}
type Shape = [string, unknown][];
const shapesOf = (value: unknown): Map<string, unknown> => new Map(shapeOf(value) as Shape);

describe('our requests', () => {
  test('a rule has the members and types of Grafana, without those that only Grafana sets', () => {
    const known = shapesOf(CREATED);
    const own = shapesOf(SENT);
    expect([...own].filter(([name, shape]) => JSON.stringify(known.get(name)) !== JSON.stringify(shape))).toEqual([]);
    expect([...known.keys()].filter((name) => !own.has(name))).toEqual([
      'id',
      'orgID',
      'updated',
      'keep_firing_for',
      'provenance',
      'record',
    ]);
  });

  test('a rule has its threshold in the place of Grafana', () => {
    const [, expression] = SENT['data'] as typeof CREATED.data;
    const [, recorded] = CREATED.data;
    expect(shapeOf((expression?.model as { conditions: unknown }).conditions)).toEqual(
      shapeOf((recorded?.model as { conditions: unknown }).conditions)
    );
  });

  test('a contact point has the members of one', async () => {
    await sync(monitored(CPU));
    expect(shapeOf(grafana.contactPoints)).toEqual(shapeOf(CONTACT_POINTS));
  });
});

describe('FakeGrafana', () => {
  test('responds with the members, order and types of Grafana', async () => {
    const { provenance: _absent, ...notOfTheApi } = CREATED;
    await sync(monitored(CPU));
    const stored = grafana.rules.get(UID);
    expect(shapeOf(stored)).toEqual(shapeOf(notOfTheApi));
    expect(grafana.request('POST', '/api/v1/provisioning/alert-rules', {}, JSON.stringify(SENT))).toEqual([
      201,
      expect.objectContaining({ provenance: 'api' }),
    ]);
    const [status, response] = grafana.request(
      'PUT',
      `/api/v1/provisioning/alert-rules/${UID}`,
      {},
      JSON.stringify(SENT)
    );
    expect([status, shapeOf(response)]).toEqual([200, shapeOf(CREATED)]);
  });

  test.each([
    ['40s', '40s'],
    ['90s', '1m30s'],
    ['7200s', '2h'],
    ['90000s', '1d1h'],
    ['604800s', '1w'],
  ])('formats %s as %s, as Prometheus does, and the rule is recognized as unchanged', async (sent, shown) => {
    const seconds = Number.parseInt(sent, 10);
    const endpoint = monitored({
      ...CPU,
      interval: `${seconds}s`,
      alerts: [{ type: 'custom', 'failure-threshold': 2, enabled: true }],
    });
    await sync(endpoint);
    expect(grafana.rules.get(UID)?.['for']).toBe(shown);
    grafana.requests.length = 0;
    await sync(endpoint);
    expect(grafana.changes).toEqual([]);
  });
});

describe('an unchanged rule is not written again', () => {
  beforeEach(async () => {
    await sync(monitored(CPU));
    grafana.requests.length = 0;
  });
  const stored = (): Record<string, unknown> => grafana.rules.get(UID) as Record<string, unknown>;

  test.each(Object.entries(ADDITIONS))('with members that Grafana adds: %s', async (_what, more) => {
    Object.assign(stored(), more);
    await sync(monitored(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('without members that an older Grafana does not have', async () => {
    for (const name of NOT_IN_10) {
      delete stored()[name];
    }
    await sync(monitored(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('with notification settings that were added in Grafana', async () => {
    stored()['notification_settings'] = {
      receiver: 'Nodebell',
      group_by: ['alertname', 'grafana_folder'],
      group_wait: '30s',
    };
    await sync(monitored(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('with models in another order and with further members', async () => {
    const data = stored()['data'] as { model: object }[];
    stored()['data'] = data.map((one) => ({
      ...one,
      model: { hide: false, ...Object.fromEntries(Object.entries(one.model).reverse()) },
    }));
    await sync(monitored(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('a rule of a version without the link to the inbox is updated once', async () => {
    delete (stored()['annotations'] as Record<string, string>)['inbox_url'];
    await sync(monitored(CPU));
    await sync(monitored(CPU));
    expect(grafana.changes).toEqual([`PUT /api/v1/provisioning/alert-rules/${UID}`]);
    expect(stored()['annotations']).toHaveProperty('inbox_url');
  });

  test('with a link to a panel; obsolete labels and annotations are removed', async () => {
    Object.assign(stored()['annotations'] as object, { __dashboardUid__: 'd', __panelId__: '2' });
    await sync(monitored(CPU));
    expect(grafana.changes).toEqual([]);
    const { callToAction: _gone, ...without } = CPU;
    await sync(monitored(without));
    expect(stored()['annotations']).not.toHaveProperty('callToActionUrl');
    Object.assign(stored()['labels'] as object, { more: 'x' });
    await sync(monitored(without));
    expect(stored()['labels']).not.toHaveProperty('more');
  });
});
