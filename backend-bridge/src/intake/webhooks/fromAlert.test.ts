import { describe, expect, it } from 'vitest';
import type { GrafanaAlert, GrafanaWebhook } from '../../../contract/grafanaWebhook.ts';
import { payloadSchema } from '../../../contract/notification.ts';
import { fromGrafana } from './group.ts';
import type { ReadGroup } from './text.ts';
import { fixture } from './webhookFixtures.testing.ts';
import { complete } from '../../platform/runtime/steps.testing.ts';

const firing = () => fixture<GrafanaWebhook>('grafana-firing.json');
const mixed = () => fixture<GrafanaWebhook>('grafana-mixed.json');

function read(body: unknown): ReadGroup {
  const result = complete(fromGrafana(body));
  if (!result.ok) {
    throw new Error(JSON.stringify(result.errors));
  }
  return result.value;
}

/** The payload of a body with one alert, changed. */
function payloadOf(change: Partial<GrafanaAlert>) {
  const body = firing();
  return read({ ...body, alerts: [{ ...body.alerts[0], ...change }] }).alerts[0]!.incoming.payload;
}

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
    const payload = read(firing()).alerts[1]!.incoming.payload;
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

describe('a body of Grafana with firing and resolved alerts', () => {
  it('stores the resolved ones first; they keep what they have, values or none', () => {
    const { alerts } = read(mixed());
    expect(alerts.map(({ status }) => status)).toEqual(['resolved', 'firing']);
    expect(alerts[0]!.incoming.payload).toMatchObject({
      status: 'resolved',
      title: 'Disk of node-1 is almost full',
      correlationId: 'a1b2c3d4e5f60718',
      body: '`instance="node-1"`',
    });
  });

  it('makes a notification of the alerts that were left out, once', () => {
    const { notices, truncated } = read(mixed());
    expect(truncated).toBe(12);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({
      source: 'grafana',
      payload: {
        title: '12 alerts were left out by Grafana',
        body: expect.stringContaining('maxAlerts') as string,
        dnpName: 'grafana',
        priority: 'high',
        correlationId: expect.stringMatching(/^truncated-[0-9a-f]{16}$/) as string,
        callToAction: { title: 'Open Grafana' },
      },
    });
    expect(notices[0]!.payload.status).toBeUndefined();
    expect(read(mixed()).notices[0]!.once).toEqual(notices[0]!.once);
    expect(read({ ...mixed(), truncatedAlerts: 13 }).notices[0]!.once).not.toEqual(notices[0]!.once);
    expect(read({ ...mixed(), alerts: [] }).notices[0]!.once).not.toEqual(notices[0]!.once);
    expect(read({ ...mixed(), truncatedAlerts: 1 }).notices[0]!.payload.title).toBe('1 alert was left out by Grafana');
  });

  it('shows values of any kind, whatever members they have', () => {
    const values = { A: { toString: 1 }, B: [{ valueOf: 2, toString: null }], C: 'text', D: true, E: 1.5, F: null };
    const { body } = payloadOf({ annotations: {}, valueString: '', values });
    expect(body).toContain('`A = an object, B = a list, C = text, D = true, E = 1.5`');
  });

  it('makes payloads that a sender could have sent', () => {
    for (const body of [firing(), mixed()]) {
      const { alerts, notices } = read(body);
      for (const { payload } of [...alerts.map(({ incoming }) => incoming), ...notices]) {
        expect(payloadSchema.parse(payload)).toEqual(payload);
      }
    }
  });
});

describe('what is not a body of Grafana', () => {
  it.each([null, 1, 'x', [], {}, { title: 'Custom', body: 'payload' }, { alerts: null }])(
    '%j is refused with the way out',
    (raw) => {
      const result = complete(fromGrafana(raw));
      expect(result.ok).toBe(false);
      expect(!result.ok && result.errors[0]).toMatchObject({ pointer: '/alerts' });
      expect(!result.ok && result.errors[0]!.detail).toContain('custom payload');
    }
  );

  it('names each mistake by a pointer', () => {
    const result = complete(fromGrafana({ alerts: [{ status: 'pending' }, { status: 'firing', labels: { a: 1 } }] }));
    expect(!result.ok && result.errors.map(({ pointer }) => pointer)).toEqual([
      '/alerts/0/status',
      '/alerts/1/labels/a',
    ]);
  });

  it('names no more than a thousand', () => {
    const result = complete(fromGrafana({ alerts: Array.from({ length: 5000 }, () => ({})) }));
    expect(!result.ok && result.errors.length).toBe(1000);
  });

  it.each(['labels', 'annotations', 'commonLabels', 'groupLabels'])('takes 1000 %s and no more', (name) => {
    const body = (count: number) => {
      const map = Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, 'x']));
      const alert = { status: 'firing', [name]: map };
      return name.endsWith('Labels') ? { alerts: [], [name]: map } : { alerts: [{ status: 'firing' }, alert] };
    };
    expect(complete(fromGrafana(body(1000))).ok).toBe(true);
    const result = complete(fromGrafana(body(1001)));
    expect(!result.ok && result.errors).toMatchObject([
      {
        pointer: name.endsWith('Labels') ? `/${name}` : `/alerts/1/${name}`,
        found: '1001 members',
        allowed: 'at most 1000 members',
      },
    ]);
  });
});
