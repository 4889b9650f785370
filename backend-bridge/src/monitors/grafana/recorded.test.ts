/** What we send, and what our stand-in answers, is of the shape that Grafana has been seen to take and to answer. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { WatchedEndpoint } from '../../thresholds/types.ts';
import { CPU, watch } from '../../thresholds/watched.testing.ts';
import { alertRule } from '../alertRule.ts';
import { FakeGrafana } from './fakeGrafana.testing.ts';
import { grafanaMonitor } from './monitor.ts';
import { ADDITIONS, CONTACT_POINTS, CREATED, NOT_IN_10 } from './recorded.testing.ts';
import { grafanaRule, ruleUid } from './rule.ts';

let grafana: FakeGrafana;
beforeEach(() => (grafana = new FakeGrafana()));
const write = (endpoint: WatchedEndpoint): Promise<unknown> =>
  grafanaMonitor({
    client: grafana.client,
    datasource: undefined,
    webhookUrl: () => 'http://bridge.example/hook',
    token: undefined,
    webhookSecret: undefined,
  }).write([endpoint]);
const UID = ruleUid({ dnpName: 'geth.example.eth', correlationId: 'host-cpu' });
const SENT: Record<string, unknown> = grafanaRule(alertRule(watch(CPU)), 'prom');
/** What is of any shape to Grafana: it keeps it as it comes. */
const FREE = ['model', 'annotations', 'labels', 'settings', 'notification_settings'];

/** Types in place of values; members in their order. */
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

describe('what is sent', () => {
  test('has members that Grafana knows, of their types, and none that only Grafana sets', () => {
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

  test('has the threshold where Grafana reads it', () => {
    const [, expression] = SENT['data'] as typeof CREATED.data;
    const [, recorded] = CREATED.data;
    expect(shapeOf((expression?.model as { conditions: unknown }).conditions)).toEqual(
      shapeOf((recorded?.model as { conditions: unknown }).conditions)
    );
  });

  test('as a contact point has the members of one', async () => {
    await write(watch(CPU));
    expect(shapeOf(grafana.contactPoints)).toEqual(shapeOf(CONTACT_POINTS));
  });
});

describe('our stand-in', () => {
  test('answers as Grafana does: each member, its order, its type', async () => {
    const { provenance: _absent, ...notOfTheApi } = CREATED;
    await write(watch(CPU));
    const stored = grafana.rules.get(UID);
    expect(shapeOf(stored)).toEqual(shapeOf(notOfTheApi));
    expect(grafana.ask('POST', '/api/v1/provisioning/alert-rules', {}, JSON.stringify(SENT))).toEqual([
      201,
      expect.objectContaining({ provenance: 'api' }),
    ]);
    const [status, answer] = grafana.ask('PUT', `/api/v1/provisioning/alert-rules/${UID}`, {}, JSON.stringify(SENT));
    expect([status, shapeOf(answer)]).toEqual([200, shapeOf(CREATED)]);
  });

  test.each([
    ['40s', '40s'],
    ['90s', '1m30s'],
    ['7200s', '2h'],
    ['90000s', '1d1h'],
    ['604800s', '1w'],
  ])('writes %s as %s, as Prometheus does, and the rule is known again', async (sent, shown) => {
    const seconds = Number.parseInt(sent, 10);
    const endpoint = watch({
      ...CPU,
      interval: `${seconds}s`,
      alerts: [{ type: 'custom', 'failure-threshold': 2, enabled: true }],
    });
    await write(endpoint);
    expect(grafana.rules.get(UID)?.['for']).toBe(shown);
    grafana.asked.length = 0;
    await write(endpoint);
    expect(grafana.changes).toEqual([]);
  });
});

describe('a rule is not written again and again', () => {
  beforeEach(async () => {
    await write(watch(CPU));
    grafana.asked.length = 0;
  });
  const stored = (): Record<string, unknown> => grafana.rules.get(UID) as Record<string, unknown>;

  test.each(Object.entries(ADDITIONS))('for what Grafana adds: %s', async (_what, more) => {
    Object.assign(stored(), more);
    await write(watch(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('for what an older Grafana has not', async () => {
    for (const name of NOT_IN_10) {
      delete stored()[name];
    }
    await write(watch(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('for settings of its notifications that somebody has added in Grafana', async () => {
    stored()['notification_settings'] = {
      receiver: 'Nodebell',
      group_by: ['alertname', 'grafana_folder'],
      group_wait: '30s',
    };
    await write(watch(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('for models that are written in another order, with more in them', async () => {
    const data = stored()['data'] as { model: object }[];
    stored()['data'] = data.map((one) => ({
      ...one,
      model: { hide: false, ...Object.fromEntries(Object.entries(one.model).reverse()) },
    }));
    await write(watch(CPU));
    expect(grafana.changes).toEqual([]);
  });

  test('for a link to a panel; a label or an annotation that is ours no more is taken away', async () => {
    Object.assign(stored()['annotations'] as object, { __dashboardUid__: 'd', __panelId__: '2' });
    await write(watch(CPU));
    expect(grafana.changes).toEqual([]);
    const { callToAction: _gone, ...without } = CPU;
    await write(watch(without));
    expect(stored()['annotations']).not.toHaveProperty('callToActionUrl');
    Object.assign(stored()['labels'] as object, { more: 'x' });
    await write(watch(without));
    expect(stored()['labels']).not.toHaveProperty('more');
  });
});
