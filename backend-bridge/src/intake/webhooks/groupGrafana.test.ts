import { describe, expect, it } from 'vitest';
import type { GrafanaWebhook } from '../../../contract/grafanaWebhook.ts';
import { payloadSchema } from '../../../contract/notification.ts';
import { fromGrafana } from './group.ts';
import { firing, fixture, payloadOf, readGrafana as read } from './webhookFixtures.testing.ts';
import { complete } from '../../platform/runtime/steps.ts';

const mixed = () => fixture<GrafanaWebhook>('grafana-mixed.json');

describe('a webhook body of Grafana', () => {
  it('stores resolved alerts first; an alert without values keeps its labels', () => {
    const { alerts } = read(mixed());
    expect(alerts.map(({ status }) => status)).toEqual(['resolved', 'firing']);
    expect(alerts[0]!.incoming.payload).toMatchObject({
      status: 'resolved',
      title: 'Disk of node-1 is almost full',
      correlationId: 'a1b2c3d4e5f60718',
      body: '`instance="node-1"`',
    });
  });

  it('reports alerts that Grafana left out in one notification', () => {
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

  it('shows values of any type', () => {
    const values = { A: { toString: 1 }, B: [{ valueOf: 2, toString: null }], C: 'text', D: true, E: 1.5, F: null };
    const { body } = payloadOf({ annotations: {}, valueString: '', values });
    expect(body).toContain('`A = an object, B = a list, C = text, D = true, E = 1.5`');
  });

  it('creates payloads that the API accepts', () => {
    for (const body of [firing(), mixed()]) {
      const { alerts, notices } = read(body);
      for (const { payload } of [...alerts.map(({ incoming }) => incoming), ...notices]) {
        expect(payloadSchema.parse(payload)).toEqual(payload);
      }
    }
  });
});

describe('an invalid webhook body of Grafana', () => {
  it.each([null, 1, 'x', [], {}, { title: 'Custom', body: 'payload' }, { alerts: null }])(
    '%j is rejected, and the error says what to change',
    (raw) => {
      const result = complete(fromGrafana(raw));
      expect(result.ok).toBe(false);
      expect(!result.ok && result.errors[0]).toMatchObject({ pointer: '/alerts' });
      expect(!result.ok && result.errors[0]!.detail).toContain('custom payload');
    }
  );

  it('each error has a pointer', () => {
    const result = complete(fromGrafana({ alerts: [{ status: 'pending' }, { status: 'firing', labels: { a: 1 } }] }));
    expect(!result.ok && result.errors.map(({ pointer }) => pointer)).toEqual([
      '/alerts/0/status',
      '/alerts/1/labels/a',
    ]);
  });

  it('at most 1000 errors are reported', () => {
    const result = complete(fromGrafana({ alerts: Array.from({ length: 5000 }, () => ({})) }));
    expect(!result.ok && result.errors.length).toBe(1000);
  });

  it.each(['labels', 'annotations', 'commonLabels', 'groupLabels'])('accepts at most 1000 %s', (name) => {
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
