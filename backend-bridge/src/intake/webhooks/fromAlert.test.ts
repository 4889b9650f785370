import { describe, expect, it } from 'vitest';
import type { GrafanaAlert } from '../../../contract/grafanaWebhook.ts';
import { readAlert } from './fromAlert.ts';
import { firing, payloadOf, readGrafana as read } from './webhookFixtures.testing.ts';

describe('an alert of Grafana', () => {
  it('becomes a notification, label by label', () => {
    const { alerts, notices, truncated, notes } = read(firing());
    expect(alerts[0]!.incoming).toMatchObject({
      source: 'grafana',
      payload: {
        title: 'Disk of node-1 is almost full',
        body: 'Only **3 %** is free.',
        category: 'Hosts',
        dnpName: 'dms.dnp.dappnode.eth',
        priority: 'critical',
        status: 'triggered',
        correlationId: 'a1b2c3d4e5f60718',
        isBanner: true,
        callToAction: { title: 'Open panel', url: 'http://grafana.example:3000/d/host?orgId=1&viewPanel=4' },
      },
      once: { scope: 'grafana', key: 'a1b2c3d4e5f60718|2026-11-20T19:04:10.000Z|firing' },
    });
    expect([alerts.length, notices, truncated, notes]).toEqual([2, [], 0, []]);
  });

  it('without annotations: the name and the instance are the title, the values the body, the rule the link', () => {
    const { labels, ...payload } = read(firing()).alerts[1]!.incoming.payload;
    expect(labels).toMatchObject({ alertname: 'LoadHigh', instance: 'node-2' });
    expect(payload).toEqual({
      title: 'LoadHigh on node-2',
      body: "`[ var='A' labels={instance=node-2} value=9.5 ]`",
      category: 'Hosts',
      priority: 'low',
      status: 'triggered',
      correlationId: '0f0e0d0c0b0a0908',
      isBanner: false,
      callToAction: {
        title: 'Open alert rule',
        url: 'http://grafana.example:3000/alerting/grafana/rule-2/view?orgId=1',
      },
    });
  });

  it('keeps labels, annotations and links that are not shown', () => {
    expect(read(firing()).alerts[0]!.incoming.extra).toMatchObject({
      receiver: 'nodebell',
      groupKey: '{}/{}:{grafana_folder="Hosts"}',
      alert: { labels: { instance: 'node-1' }, ruleUID: 'rule-1', silenceURL: expect.stringContaining('/silence/') },
    });
  });

  it.each([
    [{ category: 'system', grafana_folder: 'Hosts' }, { category: 'system' }],
    [{ category: ' ', grafana_folder: 'Hosts' }, { category: 'Hosts' }],
    [{ dnpName: 'a.dnp', package: 'b.dnp' }, { dnpName: 'a.dnp' }],
    [{ correlationId: 'core-disk-usage' }, { correlationId: 'core-disk-usage' }],
    [{ priority: 'HIGH' }, { priority: 'high' }],
    [{ severity: 'sev-2' }, { priority: 'medium' }],
    [{ isBanner: 'TRUE' }, { isBanner: true }],
    [{ isBanner: 'yes' }, { isBanner: false }],
  ])('labels %j → %j', (labels: Record<string, string>, expected) =>
    expect(payloadOf({ labels })).toMatchObject(expected)
  );

  it('requests a banner by an annotation too', () => {
    expect(payloadOf({ labels: {}, annotations: { isBanner: 'true' } }).isBanner).toBe(true);
  });

  it.each([
    [{ annotations: { callToActionTitle: 'Free space', callToActionUrl: '/packages' } }, 'Free space', '/packages'],
    [{ annotations: { callToActionUrl: 'https://x.example/' } }, 'Open', 'https://x.example/'],
    [{ annotations: { callToActionUrl: 'javascript:alert(1)' } }, 'Open panel', undefined],
    [{ panelURL: '' }, 'Open dashboard', 'http://grafana.example:3000/d/host?orgId=1'],
    [{ panelURL: 'data:text/html,x', dashboardURL: null }, 'Open alert rule', undefined],
  ])('link of %j: %s', (change, title, url) => {
    expect(payloadOf(change).callToAction).toMatchObject({ title, ...(url && { url }) });
  });

  it('drops unsafe links, with a note', () => {
    const body = firing();
    const { notes, alerts } = read({
      ...body,
      alerts: [{ ...body.alerts[1], annotations: { callToActionUrl: 'javascript:alert(1)' }, generatorURL: '//evil' }],
    });
    expect(alerts[0]!.incoming.payload.callToAction).toBeUndefined();
    expect(notes).toHaveLength(2);
  });

  it.each([
    ['DatasourceNoData', 'No data: PeersLow', 'returned no data'],
    ['DatasourceError', 'Data source error: PeersLow', 'its query failed'],
  ])('%s names the rule and says that it could not be judged', (alertname, title, sentence) => {
    const payload = payloadOf({
      labels: { alertname, rulename: 'PeersLow' },
      annotations: { summary: 'Only [no value] peers' },
    });
    expect(payload.title).toBe(title);
    expect(payload.body).toContain(sentence);
  });

  it.each([
    [{}, 'An alert of Grafana without a name'],
    [{ instance: 'node-9' }, 'node-9'],
    [{ rulename: 'PeersLow' }, 'PeersLow'],
    [{ alertname: 'DatasourceNoData' }, 'No data: a rule without a name'],
  ])('has a title, whatever is missing: %j', (labels: Record<string, string>, title) => {
    expect(payloadOf({ labels, annotations: null }).title).toBe(title);
  });

  it('shows values when there is no text, without those that are null', () => {
    const bare = { annotations: {}, valueString: '' };
    expect(payloadOf({ ...bare, values: { A: 1.5, B: null, C: 0 } }).body).toBe('`A = 1.5, C = 0`');
    expect(payloadOf({ ...bare, values: null, labels: { alertname: 'X', job: 'a`b*' } }).body).toBe('``job="a`b*"``');
  });

  it('loses no alert to characters that cannot be stored', () => {
    const { alerts, notes } = read({
      ...firing(),
      alerts: [{ ...firing().alerts[0], annotations: { summary: 'disk\0 full \ud800', description: '\0' } }],
    });
    expect(alerts[0]!.incoming.payload.title).toBe('disk full \ufffd');
    expect(notes.join('\n')).toContain('/alerts/0/annotations/summary');
  });
});

it('an alert that Grafana sends to an Alertmanager links its rule, and shows no internal labels', () => {
  const labels = {
    __alert_rule_uid__: 'disk-full',
    __grafana_receiver__: 'Nodebell',
    alertname: 'DiskFull',
    grafana_folder: 'Hosts',
    host: 'a',
  };
  const generatorURL = 'http://grafana.example:3000/alerting/grafana/disk-full/view';
  const context = {
    source: 'alertmanager',
    receiver: 'nodebell',
    groupKey: undefined,
    externalURL: undefined,
  } as const;
  const { payload } = readAlert({ status: 'firing', labels, generatorURL }, context, []).incoming;
  expect([payload.body, payload.callToAction]).toEqual(['`host="a"`', { title: 'Open alert rule', url: generatorURL }]);
});

describe('identity', () => {
  const keyOf = (change: Partial<GrafanaAlert>) =>
    read({ ...firing(), alerts: [{ ...firing().alerts[0], ...change }] }).alerts[0]!.incoming.once?.key;

  it('of a repeat is the same, also in another time zone and with other values', () => {
    expect(keyOf({ startsAt: '2026-11-20T19:04:10Z', values: { B: 2 } })).toBe(keyOf({}));
  });

  it('of another status, spell or alert is another', () => {
    const keys = [
      keyOf({}),
      keyOf({ status: 'resolved' }),
      keyOf({ startsAt: '2026-11-20T19:04:11Z' }),
      keyOf({ fingerprint: 'b' }),
    ];
    expect(new Set(keys).size).toBe(4);
  });

  it('without a fingerprint is made of the labels, in any order', () => {
    const one = keyOf({ fingerprint: '', labels: { a: '1', b: '2' } });
    expect(keyOf({ fingerprint: null, labels: { b: '2', a: '1' } })).toBe(one);
    expect(keyOf({ fingerprint: null, labels: { a: '1', b: '3' } })).not.toBe(one);
    expect(one).toMatch(/^labels-[0-9a-f]{16}\|/);
  });

  it.each([
    undefined,
    null,
    '',
    '0001-01-01T00:00:00Z',
    '0000-12-31T19:03:58-04:56',
    '1970-01-01T00:00:00Z',
    'yesterday',
  ])('without a beginning (%j) there is none: told twice is better than never', (startsAt) =>
    expect(keyOf({ startsAt })).toBeUndefined()
  );
});
