import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alert, AlertmanagerWebhook } from '../../../contract/alertmanagerWebhook.ts';
import { payloadSchema } from '../../../contract/notification.ts';
import { findBadText } from '../../../contract/text.ts';
import { fromAlertmanager } from './group.ts';
import type { ReadGroup } from './text.ts';
import { fixture } from './webhookFixtures.testing.ts';
import { complete } from '../../platform/runtime/steps.ts';

const mixed = () => fixture<AlertmanagerWebhook>('alertmanager-mixed.json');

function read(body: unknown): ReadGroup {
  const result = complete(fromAlertmanager(body));
  if (!result.ok) {
    throw new Error(JSON.stringify(result.errors));
  }
  return result.value;
}

const alert = (change: Partial<Alert>): Alert => ({
  status: 'firing',
  labels: { alertname: 'Disk', correlationId: 'disk', mount: change.fingerprint ?? '' },
  annotations: {},
  startsAt: '2026-11-20T10:00:00Z',
  endsAt: change.status === 'resolved' ? '2026-11-20T11:00:00Z' : '0001-01-01T00:00:00Z',
  ...change,
});

describe('a body of Alertmanager', () => {
  it('becomes notifications, resolved before firing, and one for what was left out', () => {
    const { alerts, notices, truncated, notes } = read(mixed());
    expect(alerts.map(({ incoming }) => incoming.payload)).toEqual([
      {
        title: 'Load is high',
        body: 'load 7.2\n\nRunbook: <https://runbooks.example/load>',
        category: 'hardware',
        priority: 'medium',
        status: 'resolved',
        correlationId: '2222222222222222',
        isBanner: false,
        labels: expect.objectContaining({ alertname: 'LoadHigh' }) as object,
        callToAction: {
          title: 'Open in Prometheus',
          url: 'http://prometheus.example:9090/graph?g0.expr=node_load1+%3E+4&g0.tab=1',
        },
      },
      {
        title: 'TargetDown on 10.0.0.7:9100',
        body: '`instance="10.0.0.7:9100"` `job="node"`',
        priority: 'critical',
        status: 'triggered',
        correlationId: '1111111111111111',
        isBanner: false,
        labels: { alertname: 'TargetDown', instance: '10.0.0.7:9100', job: 'node', severity: 'page' },
        callToAction: { title: 'Open in Prometheus', url: expect.stringContaining('up+%3D%3D+0') as string },
      },
    ]);
    expect(alerts[1]!.incoming.once).toEqual({
      scope: 'alertmanager',
      key: '1111111111111111|2026-11-20T10:00:00.123Z|firing',
    });
    expect(notices[0]!.payload).toMatchObject({ title: '3 alerts were left out by Alertmanager' });
    expect(notices[0]!.payload.body).toContain('max_alerts');
    expect([truncated, notes]).toEqual([3, []]);
  });

  it.each([null, {}, { alerts: {} }, { alerts: [null] }, { alerts: [], truncatedAlerts: -1 }])(
    '%j is refused',
    (raw) => {
      expect(complete(fromAlertmanager(raw)).ok).toBe(false);
    }
  );

  it('may have members that we do not know, and maps that are null', () => {
    const body = {
      alerts: [{ ...alert({ fingerprint: 'a' }), annotations: null, new: {} }],
      version: '5',
      more: [1],
      groupLabels: null,
    };
    expect(read(body).alerts).toHaveLength(1);
  });
});

describe('a thread that several alerts share', () => {
  const resolved = alert({ fingerprint: 'a', status: 'resolved' });
  const firing = alert({ fingerprint: 'b' });

  it('gets the one that still fires once more, after another has resolved', () => {
    const { alerts, notices } = read({ alerts: [firing, resolved] });
    expect(alerts.map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b']);
    expect(notices).toHaveLength(1);
    expect(notices[0]!.payload).toMatchObject({ status: 'triggered', correlationId: 'disk' });
    expect(notices[0]!.payload.body).toMatch(/^Still firing/);
    expect(notices[0]!.once!.key).not.toBe(alerts[1]!.incoming.once!.key);
    expect(read({ alerts: [firing, resolved] }).notices[0]!.once).toEqual(notices[0]!.once);
  });

  it('is not, if nothing of it resolves, nothing fires, or the other is of another thread', () => {
    expect(read({ alerts: [firing] }).notices).toEqual([]);
    expect(read({ alerts: [resolved] }).notices).toEqual([]);
    const elsewhere = alert({ fingerprint: 'c', labels: { alertname: 'Disk', correlationId: 'other' } });
    expect(read({ alerts: [elsewhere, resolved] }).notices).toEqual([]);
  });

  it('ends with the end, when beginning and end of one spell come in one body', () => {
    const { alerts, notices } = read({ alerts: [resolved, alert({ fingerprint: 'a' })] });
    expect(alerts.map(({ status }) => status)).toEqual(['firing', 'resolved']);
    expect(notices).toEqual([]);
  });

  it('stays open for a newer spell in the same body', () => {
    const newer = alert({ fingerprint: 'a', startsAt: '2026-11-20T12:00:00Z' });
    expect(read({ alerts: [newer, resolved] }).alerts.map(({ status }) => status)).toEqual(['resolved', 'firing']);
  });
});

describe('whatever a monitor sends', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', ' ', '\0', 'javascript:x', '/ok', 'true', '`', '```')
  );
  const names = fc.constantFrom(
    'alertname',
    'severity',
    'category',
    'dnpName',
    'correlationId',
    'isBanner',
    'instance',
    'rulename',
    'x',
    '__proto__'
  );
  const annotations = fc.constantFrom('summary', 'description', 'callToActionTitle', 'callToActionUrl', 'runbook_url');
  const anyAlert = fc.record(
    {
      status: fc.constantFrom('firing', 'resolved'),
      labels: fc.option(fc.dictionary(names, text)),
      annotations: fc.option(fc.dictionary(annotations, text)),
      startsAt: fc.option(fc.oneof(text, fc.constantFrom('0001-01-01T00:00:00Z', '2026-11-20T10:00:00+05:30'))),
      fingerprint: fc.option(text),
      generatorURL: fc.option(text),
    },
    { requiredKeys: ['status'] }
  );

  it('becomes payloads that a sender could have sent, one an alert', () => {
    fc.assert(
      fc.property(fc.array(anyAlert, { maxLength: 6 }), fc.nat(3), (alerts, truncatedAlerts) => {
        const group = read({ alerts, truncatedAlerts });
        expect(group.alerts).toHaveLength(alerts.length);
        for (const { payload, extra } of [...group.alerts.map(({ incoming }) => incoming), ...group.notices]) {
          expect(payloadSchema.safeParse(payload).error).toBeUndefined();
          expect(findBadText([payload, extra])).toEqual([]);
        }
      })
    );
  });
});
