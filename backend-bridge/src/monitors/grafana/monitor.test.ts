import { beforeEach, describe, expect, test } from 'vitest';
import { endpointKey, PartlyWritten } from '../reconciler.ts';
import type { WatchedEndpoint } from '../../thresholds/types.ts';
import { CPU, watch } from '../../thresholds/watched.testing.ts';
import { createGrafanaClient, type GrafanaAnswer, type GrafanaClient } from './client.ts';
import { FakeGrafana } from './fakeGrafana.testing.ts';
import { grafanaMonitor } from './monitor.ts';
import { isRuleUid, ruleUid, says } from './rule.ts';

let grafana: FakeGrafana;
beforeEach(() => (grafana = new FakeGrafana()));

const monitor = (more: { datasource?: string; token?: string; webhookSecret?: string; client?: GrafanaClient } = {}) =>
  grafanaMonitor({
    client: more.client ?? grafana.client,
    datasource: more.datasource,
    webhookUrl: () => 'http://bridge.example/api/v1/webhooks/grafana',
    token: more.token,
    webhookSecret: more.webhookSecret,
  });
const uidOf = ({ dnpName, shipped }: WatchedEndpoint): string =>
  ruleUid({ dnpName, correlationId: shipped.correlationId });
const UID = ruleUid({ dnpName: 'geth.example.eth', correlationId: 'host-cpu' });
const threshold = (uid: string): unknown =>
  (grafana.rules.get(uid) as { data?: { model: { conditions: { evaluator: { params: number[] } }[] } }[] } | undefined)
    ?.data?.[1]?.model.conditions[0]?.evaluator.params;

describe('a rule that is new', () => {
  test('comes after its folder and its contact point; what Grafana receives, byte for byte', async () => {
    expect(await monitor().write([watch(CPU, { threshold: 85 })])).toEqual(new Map());
    expect(grafana.changes).toEqual([
      'POST /api/folders',
      'POST /api/v1/provisioning/contact-points',
      'POST /api/v1/provisioning/alert-rules',
    ]);
    const [folder, contactPoint, rule] = grafana.asked.filter(({ method }) => method === 'POST');
    expect(folder?.body).toBe('{"uid":"nodebell","title":"Nodebell"}');
    expect(contactPoint?.body).toBe(
      '{"uid":"nodebell","name":"Nodebell","type":"webhook","settings":{"url":"http://bridge.example/api/v1/webhooks/grafana","httpMethod":"POST"},"disableResolveMessage":false}'
    );
    expect(rule?.body).toBe(
      `{"uid":"${UID}","folderUID":"nodebell","ruleGroup":"Nodebell","title":"geth.example.eth host-cpu","condition":"B","data":[` +
        '{"refId":"A","queryType":"","relativeTimeRange":{"from":600,"to":0},"datasourceUid":"prom","model":{"datasource":{"type":"prometheus","uid":"prom"},"editorMode":"code","expr":"100 * avg(rate(cpu{mode!=\\"idle\\"}[2m]))","instant":true,"intervalMs":1000,"maxDataPoints":43200,"range":false,"refId":"A"}},' +
        '{"refId":"B","queryType":"","relativeTimeRange":{"from":600,"to":0},"datasourceUid":"__expr__","model":{"conditions":[{"evaluator":{"params":[85],"type":"gt"}}],"datasource":{"type":"__expr__","uid":"__expr__"},"expression":"A","intervalMs":1000,"maxDataPoints":43200,"refId":"B","type":"threshold"}}],' +
        '"noDataState":"NoData","execErrState":"Error","for":"90s",' +
        '"annotations":{"summary":"CPU usage","description":"Fewer than 85 peers","callToActionTitle":"Look","callToActionUrl":"https://example.org/cpu"},' +
        '"labels":{"dnpName":"geth.example.eth","correlationId":"host-cpu","category":"hardware","severity":"medium","isBanner":"false"},' +
        '"isPaused":false,"notification_settings":{"receiver":"Nodebell"}}'
    );
    expect(rule?.headers).toEqual({
      Accept: 'application/json',
      Authorization: 'Bearer glsa_x',
      'Content-Type': 'application/json',
      'X-Disable-Provenance': 'true',
    });
  });

  test('the contact point signs, and has a token, where the bridge wants it; it is made once', async () => {
    await monitor({ token: 't', webhookSecret: 's' }).write([watch(CPU)]);
    await monitor({ token: 'other' }).write([watch(CPU, { threshold: 81 })]);
    expect(grafana.contactPoints).toMatchObject([
      { settings: { authorization_scheme: 'Bearer', authorization_credentials: 't', hmacConfig: { secret: 's' } } },
    ]);
  });

  test('one that is off needs none', async () => {
    await monitor().write([watch(CPU, { enabled: false })]);
    expect(grafana.changes).toEqual([]);
  });
});

describe('a rule that is there', () => {
  beforeEach(async () => {
    await monitor().write([watch({ ...CPU, interval: '40s' }, { threshold: 85 })]);
    grafana.asked.length = 0;
  });

  test('is not written again while it says the same, in whatever way Grafana writes it', async () => {
    await monitor().write([watch({ ...CPU, interval: '40s' }, { threshold: 85 })]);
    expect(grafana.rules.get(UID)?.['for']).toBe('2m');
    expect(grafana.changes).toEqual([]);
  });

  test('follows the slider, and is paused with its switch', async () => {
    await monitor().write([watch(CPU, { threshold: 90 })]);
    expect(grafana.changes).toEqual([`PUT /api/v1/provisioning/alert-rules/${UID}`]);
    expect(threshold(UID)).toEqual([90]);
    await monitor().write([watch(CPU, { threshold: 90, enabled: false })]);
    expect(grafana.rules.get(UID)).toMatchObject({ isPaused: true });
  });

  test('goes with its endpoint; rules of others stay', async () => {
    grafana.rules.set('nodebell-of-mine', { uid: 'nodebell-of-mine' });
    await monitor().write([]);
    expect([...grafana.rules.keys()]).toEqual(['nodebell-of-mine']);
  });

  test('keeps its provenance: "" with the header, "api" without it', async () => {
    expect(grafana.rules.get(UID)?.provenance).toBeUndefined();
    grafana.rules.get(UID)!.provenance = 'api';
    await monitor().write([watch(CPU, { threshold: 91 })]);
    expect(threshold(UID)).toEqual([91]);
    expect(grafana.asked.at(-1)?.headers).not.toHaveProperty('X-Disable-Provenance');
    await monitor().write([]);
    expect(grafana.rules.size).toBe(0);
  });

  test('one that a file provisions is read-only, and stays when its endpoint goes', async () => {
    grafana.rules.get(UID)!.provenance = 'file';
    const endpoint = watch(CPU, { threshold: 91 });
    expect(await monitor().write([endpoint])).toEqual(
      new Map([[endpointKey(endpoint), expect.stringContaining("one of Grafana's provisioning files")]])
    );
    await monitor().write([]);
    expect([grafana.changes, threshold(UID)]).toEqual([[], [85]]);
  });
});

describe('what fails is said, with what to do', () => {
  test.each([
    [500, 'Grafana does not take a question for its rules (500, not now).'],
    [403, /refuses GET .* \(403, not now\): give NODEBELL_GRAFANA_TOKEN a service account/],
    [401, /refuses GET/],
    [302, 'NODEBELL_GRAFANA_URL must be its own address'],
  ])('%i', async (status, message) => {
    grafana.status = status;
    await expect(monitor().write([watch(CPU)])).rejects.toThrow(message);
  });

  /** Grafana, but for one path. */
  const answering = (part: string, answer: GrafanaAnswer): GrafanaClient => ({
    ask: (method, path, options) =>
      path.includes(part) ? Promise.resolve(answer) : grafana.client.ask(method, path, options),
  });

  test.each([
    ['alert-rules', undefined],
    ['alert-rules', {}],
    ['contact-points', undefined],
    ['datasources', {}],
  ])('something else than Grafana answers to %s: %j', async (path, body) => {
    await expect(monitor({ client: answering(path, { status: 200, body }) }).write([watch(CPU)])).rejects.toThrow(
      "is not Grafana's API (200, and no list): NODEBELL_GRAFANA_URL must lead to Grafana itself"
    );
  });

  test('an answer about the folder that is neither yes nor no', async () => {
    const client = answering('folders', { status: 500, body: { message: 'database is locked' } });
    await expect(monitor({ client }).write([watch(CPU)])).rejects.toThrow(
      'Grafana does not take a question for the folder Nodebell (500, database is locked).'
    );
  });

  test('an answer that breaks off', async () => {
    const broken = { status: 200, text: () => Promise.reject(new Error('terminated')) } as unknown as Response;
    const client = createGrafanaClient('http://grafana.example', undefined, () => Promise.resolve(broken));
    await expect(monitor({ client }).write([watch(CPU)])).rejects.toThrow(
      'Grafana does not answer at http://grafana.example (terminated).'
    );
  });

  test('of one rule alone, whether it is new or not: the others are written, and what is gone is taken away', async () => {
    const other = watch(CPU, { dnpName: 'other.example.eth' });
    const fixed = watch(CPU, { dnpName: 'fixed.example.eth' });
    const gone = watch(CPU, { dnpName: 'gone.example.eth' });
    await monitor().write([fixed, gone]);
    grafana.rules.get(uidOf(fixed))!.provenance = 'file';
    for (const set of [81, 82]) {
      const [refused, moved] = [
        watch(CPU, { threshold: set }),
        watch(CPU, { dnpName: 'fixed.example.eth', threshold: set }),
      ];
      grafana.refuses.add(UID);
      const failure: unknown = await monitor()
        .write([refused, other, moved])
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PartlyWritten);
      expect(failure).toMatchObject({
        refused: new Map([
          [endpointKey(refused), 'Grafana does not take the rule geth.example.eth host-cpu (400, invalid alert rule).'],
        ]),
        readOnly: new Map([[endpointKey(moved), expect.stringContaining('provisioning files')]]),
      });
      expect([uidOf(other), uidOf(gone)].map((uid) => grafana.rules.has(uid))).toEqual([true, false]);
      grafana.refuses.clear();
      await monitor().write([refused, other, fixed]);
      expect(threshold(UID)).toEqual([set]);
    }
  });

  test('of a rule that Grafana does not let go: the others are written, and it is tried again', async () => {
    const gone = watch(CPU, { dnpName: 'gone.example.eth' });
    const other = watch(CPU, { dnpName: 'other.example.eth' });
    await monitor().write([gone]);
    grafana.refuses.add(uidOf(gone));
    const failure: unknown = await monitor()
      .write([other])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartlyWritten);
    expect((failure as PartlyWritten).message).toBe(
      'Grafana does not take the end of the rule gone.example.eth host-cpu (400, invalid alert rule).'
    );
    expect([uidOf(other), uidOf(gone)].map((uid) => grafana.rules.has(uid))).toEqual([true, true]);
    grafana.refuses.clear();
    await monitor().write([other]);
    expect(grafana.rules.has(uidOf(gone))).toBe(false);
  });

  test('which data source, where it cannot be told', async () => {
    grafana.datasources = [];
    await expect(monitor().write([watch(CPU)])).rejects.toThrow('no Prometheus data source');
    const both = ['a', 'b'].map((uid) => ({ uid, type: 'prometheus', isDefault: false }));
    grafana.datasources = [...both, { uid: 'loki', type: 'loki', isDefault: true }];
    await expect(monitor().write([watch(CPU)])).rejects.toThrow('several (a, b)');
    await monitor({ datasource: 'b' }).write([watch(CPU)]);
    expect(grafana.rules.get(UID)).toMatchObject({ data: [{ datasourceUid: 'b' }, {}] });
  });
});

test('a uid is the same for ever, fits Grafana, and is told from others', () => {
  expect(UID).toBe('nodebell-1e2634584fc77804fea940ff');
  expect(UID.length).toBeLessThanOrEqual(40);
  expect(ruleUid({ dnpName: 'geth.example.eth', correlationId: 'host-cpu2' })).not.toBe(UID);
  expect([isRuleUid(UID), isRuleUid('nodebell-of-mine')]).toEqual([true, false]);
});

test('a stored rule says what is wanted, whatever else it says', () => {
  expect(says({ a: [1, { b: 'x', c: 1 }], for: '1m30s' }, { a: [1, { b: 'x' }], for: '90s' })).toBe(true);
  expect(says({ a: [1, 2] }, { a: [1] })).toBe(false);
  expect(says({ for: '2m' }, { for: '90s' })).toBe(false);
  expect(says(undefined, {})).toBe(false);
});
