/** The adapters: a request becomes notifications. */
import { describe, expect, it } from 'vitest';
import { complete } from '../../platform/runtime/steps.ts';
import type { Posted } from './dialect.ts';
import { dialectsOf } from './dialects.ts';
import type { Given, Name } from './dialectCase.testing.ts';
import { CASES, EVENT, formatted } from './dialectCases.testing.ts';
import { CLOUD, ZABBIX } from './eventCases.testing.ts';

const DIALECTS = dialectsOf(undefined);

function read(name: Name, body: unknown, { params = {}, headers = {}, query = '', form }: Given = {}) {
  const posted: Posted = {
    text: typeof body === 'string' ? body : JSON.stringify(body),
    form,
    params,
    query: new URLSearchParams(query),
    header: (one) => headers[one],
    newId: () => 'new',
  };
  return complete(DIALECTS[name].read(posted));
}

/** The payload of a request that has one. */
function payload(name: Name, body: unknown, given?: Given) {
  const result = read(name, body, given);
  expect(result).toMatchObject({ ok: true });
  const { alerts } = (result as Extract<typeof result, { ok: true }>).value;
  expect(alerts).toHaveLength(1);
  return alerts[0]!.incoming.payload;
}

describe('a request becomes a notification', () => {
  it.each(CASES)('%s', (_name, dialect, body, given, expected) => {
    expect(payload(dialect, body, given)).toMatchObject(expected);
  });

  it('messages and tests have no status, so that no thread opens', () => {
    for (const [, name, body, given] of CASES.filter(([title]) => /ntfy|Gotify|a test/.test(title))) {
      expect(payload(name, body, given).status, name).toBeUndefined();
    }
  });

  it('the resolve of a webhook without an id finds its thread', () => {
    const given = { params: { type: 'webhook' } };
    const [fired, resolved] = ['alerting', 'ok'].map((state) =>
      payload('onCallAlerts', { job: 'backup', state }, given)
    );
    expect([fired!.correlationId, fired!.status, resolved!.status]).toEqual([
      resolved!.correlationId,
      'triggered',
      'resolved',
    ]);
    expect(payload('onCallAlerts', { job: 'other' }, given).correlationId).not.toBe(fired!.correlationId);
  });

  it('an acknowledgement of PagerDuty stores nothing', () => {
    const event = { routing_key: '', event_action: 'acknowledge', dedup_key: 'x' };
    expect(read('pagerDutyEvent', event)).toMatchObject({
      ok: true,
      value: { alerts: [], notices: [], acknowledges: { payload: { correlationId: 'x' } } },
    });
  });

  it('the routing key of PagerDuty is not stored', () => {
    expect(JSON.stringify(read('pagerDutyEvent', { ...EVENT, routing_key: 'secret-key' }))).not.toContain('secret-key');
  });
});

it('a batch of CloudEvents is read whole, or its first error is located', () => {
  const headers = { 'content-type': 'application/cloudevents-batch+json; charset=utf-8' };
  expect(read('cloudEvents', [CLOUD, { ...CLOUD, id: 'e2' }], { headers })).toMatchObject({
    value: { alerts: [{ incoming: { once: { scope: 'cloudevents' } } }, {}] },
  });
  expect(read('cloudEvents', [CLOUD, { ...CLOUD, type: 7 }], { headers })).toMatchObject({
    ok: false,
    errors: [{ pointer: '/1/type' }],
  });
});

it.each<[Name, unknown, string]>([
  ['pagerDutyEvent', { ...EVENT, event_action: 'close' }, '/event_action'],
  ['pagerDutyEvent', { ...EVENT, payload: {} }, '/payload/summary'],
  ['pagerDutyEvent', { routing_key: 'x', event_action: 'resolve' }, '/dedup_key'],
  ['gotifyMessage', { message: ' ' }, '/message'],
  ['gotifyMessage', { title: 'x' }, '/message'],
  ['ntfyPublishJson', { message: 'x' }, '/topic'],
  ['uptimeKumaWebhook', [], '#'],
  ['zabbixWebhook', { ...ZABBIX, value: 2 }, '/value'],
  ['cloudEvents', { ...CLOUD, specversion: '0.3' }, '/specversion'],
  ['cloudEvents', 7, '#'],
  ['onCallAlerts', { alert_uid: {} }, '/alert_uid'],
])('%s rejects %j at %s', (name, body, pointer) => {
  const result = read(name, body, formatted);
  expect(result).toMatchObject({ ok: false, errors: [{ pointer }] });
});
