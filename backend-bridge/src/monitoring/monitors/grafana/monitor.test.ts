import { createServer } from 'node:http';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { urlOf } from '../../../listening.testing.ts';
import { endpointKey, type MonitoredEndpoint, type SyncResult } from '../monitor.ts';
import { CPU, monitored } from '../monitored.testing.ts';
import { createGrafanaClient, type GrafanaClient, type GrafanaResponse } from './client.ts';
import { FakeGrafana } from './fakeGrafana.testing.ts';
import { grafanaMonitor } from './monitor.ts';
import { includes, isRuleUid, ruleUid } from './rule.ts';

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
const uidOf = ({ dnpName, shipped }: MonitoredEndpoint): string =>
  ruleUid({ dnpName, correlationId: shipped.correlationId });
const UID = ruleUid({ dnpName: 'geth.example.eth', correlationId: 'host-cpu' });
const thresholdOf = (uid: string): unknown =>
  (grafana.rules.get(uid) as { data?: { model: { conditions: { evaluator: { params: number[] } }[] } }[] } | undefined)
    ?.data?.[1]?.model.conditions[0]?.evaluator.params;

describe('a new rule', () => {
  test('is created after its folder and its contact point; the requests byte for byte', async () => {
    expect(await monitor().sync([monitored(CPU, { threshold: 85 })])).toMatchObject({
      readOnly: new Map(),
      rejected: new Map(),
    });
    expect(grafana.changes).toEqual([
      'POST /api/folders',
      'POST /api/v1/provisioning/contact-points',
      'POST /api/v1/provisioning/alert-rules',
    ]);
    const [folder, contactPoint, rule] = grafana.requests.filter(({ method }) => method === 'POST');
    expect(folder?.body).toBe('{"uid":"nodebell","title":"Nodebell"}');
    expect(contactPoint?.body).toBe(
      '{"uid":"nodebell","name":"Nodebell","type":"webhook","settings":{"url":"http://bridge.example/api/v1/webhooks/grafana","httpMethod":"POST"},"disableResolveMessage":false}'
    );
    expect(rule?.body).toBe(
      `{"uid":"${UID}","folderUID":"nodebell","ruleGroup":"Nodebell","title":"geth.example.eth host-cpu","condition":"B","data":[` +
        '{"refId":"A","queryType":"","relativeTimeRange":{"from":600,"to":0},"datasourceUid":"prom","model":{"datasource":{"type":"prometheus","uid":"prom"},"editorMode":"code","expr":"100 * avg(rate(cpu{mode!=\\"idle\\"}[2m]))","instant":true,"intervalMs":1000,"maxDataPoints":43200,"range":false,"refId":"A"}},' +
        '{"refId":"B","queryType":"","relativeTimeRange":{"from":600,"to":0},"datasourceUid":"__expr__","model":{"conditions":[{"evaluator":{"params":[85],"type":"gt"}}],"datasource":{"type":"__expr__","uid":"__expr__"},"expression":"A","intervalMs":1000,"maxDataPoints":43200,"refId":"B","type":"threshold"}}],' +
        '"noDataState":"NoData","execErrState":"Error","for":"90s",' +
        '"annotations":{"summary":"CPU usage","description":"Fewer than 85 peers","callToActionTitle":"Look","callToActionUrl":"https://example.org/cpu",' +
        `"inbox_url":"{{ externalURL }}a/nodebell-notifications-app/inbox?ruleUid=${UID}"},` +
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

  test('the contact point signs and sends a token if the bridge requires it; it is created once', async () => {
    await monitor({ token: 't', webhookSecret: 's' }).sync([monitored(CPU)]);
    await monitor({ token: 'other' }).sync([monitored(CPU, { threshold: 81 })]);
    expect(grafana.contactPoints).toMatchObject([
      { settings: { authorization_scheme: 'Bearer', authorization_credentials: 't', hmacConfig: { secret: 's' } } },
    ]);
  });

  test('no rule is created for an endpoint that is off', async () => {
    await monitor().sync([monitored(CPU, { enabled: false })]);
    expect(grafana.changes).toEqual([]);
  });
});

describe('an existing rule', () => {
  beforeEach(async () => {
    await monitor().sync([monitored({ ...CPU, interval: '40s' }, { threshold: 85 })]);
    grafana.requests.length = 0;
  });

  test('is not written again while unchanged, however Grafana formats it', async () => {
    await monitor().sync([monitored({ ...CPU, interval: '40s' }, { threshold: 85 })]);
    expect(grafana.rules.get(UID)?.['for']).toBe('2m');
    expect(grafana.changes).toEqual([]);
  });

  test('gets the new threshold, and is paused with its switch', async () => {
    await monitor().sync([monitored(CPU, { threshold: 90 })]);
    expect(grafana.changes).toEqual([`PUT /api/v1/provisioning/alert-rules/${UID}`]);
    expect(thresholdOf(UID)).toEqual([90]);
    await monitor().sync([monitored(CPU, { threshold: 90, enabled: false })]);
    expect(grafana.rules.get(UID)).toMatchObject({ isPaused: true });
  });

  test('is deleted with its endpoint; other rules stay', async () => {
    grafana.rules.set('nodebell-of-mine', { uid: 'nodebell-of-mine' });
    await monitor().sync([]);
    expect([...grafana.rules.keys()]).toEqual(['nodebell-of-mine']);
  });

  test('keeps its provenance: "" with the header, "api" without it', async () => {
    expect(grafana.rules.get(UID)?.provenance).toBeUndefined();
    grafana.rules.get(UID)!.provenance = 'api';
    await monitor().sync([monitored(CPU, { threshold: 91 })]);
    expect(thresholdOf(UID)).toEqual([91]);
    expect(grafana.requests.at(-1)?.headers).not.toHaveProperty('X-Disable-Provenance');
    await monitor().sync([]);
    expect(grafana.rules.size).toBe(0);
  });

  test('provisioned by a file is read-only, and stays when its endpoint is removed', async () => {
    grafana.rules.get(UID)!.provenance = 'file';
    const endpoint = monitored(CPU, { threshold: 91 });
    expect((await monitor().sync([endpoint])).readOnly).toEqual(
      new Map([[endpointKey(endpoint), expect.stringContaining("provisioned by one of Grafana's own files")]])
    );
    await monitor().sync([]);
    expect([grafana.changes, thresholdOf(UID)]).toEqual([[], [85]]);
  });
});

describe('errors say what to do', () => {
  test.each([
    [500, 'Grafana rejects the request for its rules (500, not now).'],
    [403, /rejects GET .* \(403, not now\): set NODEBELL_GRAFANA_TOKEN to the token of a service account/],
    [401, /rejects GET/],
  ])('status %i', async (status, message) => {
    grafana.status = status;
    await expect(monitor().sync([monitored(CPU)])).rejects.toThrow(message);
  });

  test('a redirect, which would receive the token, and a closed connection, over HTTP', async () => {
    const server = await grafana.listen();
    const client = createGrafanaClient(server.url, 'glsa_x');
    grafana.status = 302;
    await expect(monitor({ client }).sync([monitored(CPU)])).rejects.toThrow(
      'Grafana responds to GET /api/v1/provisioning/alert-rules with a redirect: set NODEBELL_GRAFANA_URL to the URL of Grafana itself.'
    );
    expect(grafana.requests).toHaveLength(1);
    await server.close();
    await expect(monitor({ client }).sync([monitored(CPU)])).rejects.toThrow(
      `Grafana does not respond at ${server.url}. `
    );
  });

  test('a response that breaks off', async () => {
    const server = createServer((_req, res) => {
      res.writeHead(200, { 'content-length': 10 }).write('[');
      setImmediate(() => res.destroy());
    });
    const client = createGrafanaClient(await urlOf(server), undefined);
    await expect(monitor({ client }).sync([monitored(CPU)])).rejects.toThrow(/^Grafana does not respond at http.*127/);
  });

  test('over HTTP all methods reach Grafana', async () => {
    const server = await grafana.listen();
    onTestFinished(() => server.close());
    const client = createGrafanaClient(server.url, 'glsa_x');
    for (const endpoints of [[monitored(CPU)], [monitored(CPU, { threshold: 81 })], []]) {
      await monitor({ client }).sync(endpoints);
    }
    expect(grafana.changes.map((one) => one.replace(/ .*/, ''))).toEqual(['POST', 'POST', 'POST', 'PUT', 'DELETE']);
  });

  /** Grafana, except for one path. */
  const respondingTo = (part: string, response: GrafanaResponse): GrafanaClient => ({
    request: (method, path, options) =>
      path.includes(part) ? Promise.resolve(response) : grafana.client.request(method, path, options),
  });

  test.each([
    ['alert-rules', undefined],
    ['alert-rules', {}],
    ['contact-points', undefined],
    ['datasources', {}],
  ])('a response to %s that is not of Grafana: %j', async (path, body) => {
    await expect(monitor({ client: respondingTo(path, { status: 200, body }) }).sync([monitored(CPU)])).rejects.toThrow(
      "is not of Grafana's API (200, and no list): set NODEBELL_GRAFANA_URL to Grafana itself"
    );
  });

  test('an error for the folder', async () => {
    const client = respondingTo('folders', { status: 500, body: { message: 'database is locked' } });
    await expect(monitor({ client }).sync([monitored(CPU)])).rejects.toThrow(
      'Grafana rejects the request for the folder Nodebell (500, database is locked).'
    );
  });

  const outcome = ({ readOnly, rejected }: SyncResult) => ({ readOnly, rejected });

  test('one rejected rule, new or not: the others are written, and obsolete ones deleted', async () => {
    const other = monitored(CPU, { dnpName: 'other.example.eth' });
    const fixed = monitored(CPU, { dnpName: 'fixed.example.eth' });
    const gone = monitored(CPU, { dnpName: 'gone.example.eth' });
    await monitor().sync([fixed, gone]);
    grafana.rules.get(uidOf(fixed))!.provenance = 'file';
    for (const threshold of [81, 82]) {
      const rejected = monitored(CPU, { threshold });
      const moved = monitored(CPU, { dnpName: 'fixed.example.eth', threshold });
      grafana.rejects.add(UID);
      expect(outcome(await monitor().sync([rejected, other, moved]))).toEqual({
        rejected: new Map([
          [endpointKey(rejected), 'Grafana rejects the rule geth.example.eth host-cpu (400, invalid alert rule).'],
        ]),
        readOnly: new Map([[endpointKey(moved), expect.stringContaining("Grafana's own files")]]),
      });
      expect([uidOf(other), uidOf(gone)].map((uid) => grafana.rules.has(uid))).toEqual([true, false]);
      grafana.rejects.clear();
      await monitor().sync([rejected, other, fixed]);
      expect(thresholdOf(UID)).toEqual([threshold]);
    }
  });

  test('a rule that Grafana does not delete: the others are written, and it is retried', async () => {
    const gone = monitored(CPU, { dnpName: 'gone.example.eth' });
    const other = monitored(CPU, { dnpName: 'other.example.eth' });
    await monitor().sync([gone]);
    grafana.rejects.add(uidOf(gone));
    expect((await monitor().sync([other])).rejected).toEqual(
      new Map([
        [uidOf(gone), 'Grafana rejects the deletion of the rule gone.example.eth host-cpu (400, invalid alert rule).'],
      ])
    );
    expect([uidOf(other), uidOf(gone)].map((uid) => grafana.rules.has(uid))).toEqual([true, true]);
    grafana.rejects.clear();
    await monitor().sync([other]);
    expect(grafana.rules.has(uidOf(gone))).toBe(false);
  });

  test('an ambiguous data source', async () => {
    grafana.datasources = [];
    await expect(monitor().sync([monitored(CPU)])).rejects.toThrow('no Prometheus data source');
    const both = ['a', 'b'].map((uid) => ({ uid, type: 'prometheus', isDefault: false }));
    grafana.datasources = [...both, { uid: 'loki', type: 'loki', isDefault: true }];
    await expect(monitor().sync([monitored(CPU)])).rejects.toThrow('several Prometheus data sources (a, b)');
    await monitor({ datasource: 'b' }).sync([monitored(CPU)]);
    expect(grafana.rules.get(UID)).toMatchObject({ data: [{ datasourceUid: 'b' }, {}] });
  });
});

test('a uid is constant, fits Grafana, and is recognized', () => {
  expect(UID).toBe('nodebell-1e2634584fc77804fea940ff');
  expect(UID.length).toBeLessThanOrEqual(40);
  expect(ruleUid({ dnpName: 'geth.example.eth', correlationId: 'host-cpu2' })).not.toBe(UID);
  expect([isRuleUid(UID), isRuleUid('nodebell-of-mine')]).toEqual([true, false]);
});

test('a stored rule may have further members', () => {
  expect(includes({ a: [1, { b: 'x', c: 1 }], for: '1m30s' }, { a: [1, { b: 'x' }], for: '90s' })).toBe(true);
  expect(includes({ a: [1, 2] }, { a: [1] })).toBe(false);
  expect(includes({ for: '2m' }, { for: '90s' })).toBe(false);
  expect(includes(undefined, {})).toBe(false);
});
