/** The adapters: a request becomes notifications. */
import { describe, expect, it } from 'vitest';
import { complete } from '../../platform/runtime/steps.testing.ts';
import type { Posted } from './dialect.ts';
import { dialectsOf } from './dialects.ts';
import { fixture } from './webhookFixtures.testing.ts';

type Name = keyof ReturnType<typeof dialectsOf>;
const DIALECTS = dialectsOf(undefined);

interface Given {
  params?: Record<string, string>;
  headers?: Record<string, string>;
  query?: string;
  form?: Record<string, string>;
}

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

const KUMA = fixture<{ heartbeat: object; monitor: object }>('uptime-kuma-down.json');
const EVENT = fixture<{ payload: object }>('pagerduty-trigger.json');
const FORMATTED = fixture('oncall-formatted.json');
const LEGACY = fixture('oncall-legacy-grafana.json');
const formatted = { params: { type: 'formatted_webhook' } };

const CLOUD = { specversion: '1.0', id: 'e1', source: '/backup', type: 'org.example.backup.failed', subject: 'vault' };
const ZABBIX = {
  id: '4711',
  value: '1',
  name: 'Disk full',
  severity: 'Disaster',
  host: 'vault-2',
  text: '{ALERT.MESSAGE}',
};
const MORE: [string, Name, unknown, Given | undefined, object][] = [
  [
    'Zabbix, a problem',
    'zabbixWebhook',
    { ...ZABBIX, url: 'https://zabbix.example.org/t' },
    undefined,
    {
      title: 'Disk full',
      body: '',
      priority: 'critical',
      status: 'triggered',
      correlationId: 'zabbix-4711',
      labels: { host: 'vault-2' },
      callToAction: { title: 'Open', url: 'https://zabbix.example.org/t' },
    },
  ],
  ['Zabbix, recovered', 'zabbixWebhook', { ...ZABBIX, value: 0 }, undefined, { status: 'resolved' }],
  ['Zabbix, a renamed severity', 'zabbixWebhook', { ...ZABBIX, severity: 'P1' }, undefined, { priority: 'medium' }],
  [
    'CloudEvents, any data',
    'cloudEvents',
    { ...CLOUD, data: { code: 3 } },
    undefined,
    {
      title: 'org.example.backup.failed: vault',
      body: '```json\n{\n  "code": 3\n}\n```',
      labels: { type: 'org.example.backup.failed', source: '/backup', subject: 'vault' },
    },
  ],
  [
    'CloudEvents, data with members of a notification',
    'cloudEvents',
    {
      ...CLOUD,
      data: {
        title: 'Backup failed',
        priority: 'HIGH',
        status: 'triggered',
        correlationId: 'backup',
        labels: { team: 'a' },
      },
    },
    undefined,
    {
      title: 'Backup failed',
      body: '',
      priority: 'high',
      status: 'triggered',
      correlationId: 'backup',
      labels: { team: 'a', source: '/backup' },
    },
  ],
  [
    'CloudEvents, binary mode',
    'cloudEvents',
    'tape is full',
    {
      headers: {
        'ce-specversion': '1.0',
        'ce-id': 'e2',
        'ce-source': '/tape',
        'ce-type': 'full',
        'ce-subject': 't%C3%A4pe',
        'content-type': 'text/plain',
      },
    },
    { title: 'full: täpe', body: 'tape is full', labels: { type: 'full', source: '/tape', subject: 'täpe' } },
  ],
];

describe('a request becomes a notification', () => {
  const CASES: [string, Name, unknown, Given | undefined, object][] = [
    [
      'Uptime Kuma, down',
      'uptimeKumaWebhook',
      KUMA,
      undefined,
      {
        title: 'Geth RPC is down',
        body: 'connect ECONNREFUSED 192.0.2.17:8545',
        priority: 'high',
        status: 'triggered',
        correlationId: 'uptime-kuma-7',
        labels: { monitor: 'Geth RPC' },
        callToAction: { title: 'Open', url: 'http://192.0.2.17:8545' },
      },
    ],
    [
      'Uptime Kuma, up',
      'uptimeKumaWebhook',
      { ...KUMA, heartbeat: { ...KUMA.heartbeat, status: 1, msg: '200 - OK' } },
      undefined,
      { title: 'Geth RPC is up', body: '200 - OK', status: 'resolved', correlationId: 'uptime-kuma-7' },
    ],
    [
      'Uptime Kuma, a test',
      'uptimeKumaWebhook',
      { heartbeat: null, monitor: null, msg: 'Testing' },
      undefined,
      { title: 'Uptime Kuma', body: 'Testing', priority: 'low' },
    ],
    [
      'PagerDuty, trigger',
      'pagerDutyEvent',
      EVENT,
      undefined,
      {
        title: 'Disk of vault-2 is 94 % full',
        body: '- `free: 41 GiB`\n- `mount: /data`\n- `inodes: {"used":12}`',
        priority: 'high',
        status: 'triggered',
        correlationId: 'disk/vault-2',
        labels: { source: 'vault-2.example.org', component: 'storage', group: 'validators', class: 'disk' },
        callToAction: { title: 'Runbook', url: 'https://runbooks.example.org/disk' },
      },
    ],
    [
      'PagerDuty, trigger without a key',
      'pagerDutyEvent',
      { ...EVENT, dedup_key: undefined },
      undefined,
      { correlationId: 'new' },
    ],
    [
      'PagerDuty, resolve',
      'pagerDutyEvent',
      { routing_key: '', event_action: 'resolve', dedup_key: 'disk/vault-2' },
      undefined,
      { title: 'Resolved: disk/vault-2', status: 'resolved', correlationId: 'disk/vault-2' },
    ],
    [
      'OnCall, formatted webhook',
      'onCallAlerts',
      FORMATTED,
      formatted,
      {
        title: 'Geth lost its peers',
        body: '0 peers for 5 minutes\n\nImage: <https://graphs.example.org/peers.png>',
        priority: 'high',
        status: 'triggered',
        correlationId: '5f0c1d2e-geth',
        callToAction: { title: 'Open', url: 'https://monitor.example.org/peers' },
      },
    ],
    [
      'OnCall, formatted webhook that resolves',
      'onCallAlerts',
      { ...FORMATTED, state: 'OK' },
      formatted,
      { status: 'resolved', correlationId: '5f0c1d2e-geth' },
    ],
    [
      'OnCall, any webhook',
      'onCallAlerts',
      { job: 'backup', failed: true },
      { params: { type: 'webhook' } },
      { title: 'Incident', body: '```json\n{\n  "job": "backup",\n  "failed": true\n}\n```', status: 'triggered' },
    ],
    [
      'OnCall, legacy alerting of Grafana',
      'onCallAlerts',
      LEGACY,
      { params: { type: 'grafana' } },
      {
        title: 'CPU',
        body: 'CPU above 90 %\n\n`cpu: 97`\n\nImage: <https://graphs.example.org/cpu.png>',
        status: 'triggered',
        correlationId: 'grafana-31',
        callToAction: { title: 'Open alert rule', url: 'https://grafana.example.org/d/cpu' },
      },
    ],
    [
      'ntfy, a text with headers',
      'ntfyPublish',
      'Backup done',
      {
        params: { topic: 'backups' },
        headers: {
          'x-title': '=?UTF-8?B?w5xiZXJ0cmFndW5n?= done',
          priority: 'urgent',
          tags: 'floppy_disk, ok',
          click: 'https://backup.example.org',
          'x-sequence-id': 'nightly',
        },
      },
      {
        title: 'Übertragung done',
        body: 'Backup done',
        priority: 'critical',
        correlationId: 'ntfy-backups-nightly',
        labels: { topic: 'backups', tags: 'floppy_disk,ok' },
        callToAction: { title: 'Open', url: 'https://backup.example.org' },
      },
    ],
    [
      'ntfy, parameters in the query',
      'ntfyPublish',
      '',
      { params: { topic: 'b' }, query: 'message=Low+disk&title=Disk&p=2' },
      { title: 'Disk', body: 'Low disk', priority: 'low' },
    ],
    [
      'ntfy, JSON',
      'ntfyPublishJson',
      { topic: 'b', message: 'x\ny', priority: 4, tags: ['a'] },
      undefined,
      { title: 'x', body: 'x\ny', priority: 'high', labels: { topic: 'b', tags: 'a' } },
    ],
    [
      'Gotify',
      'gotifyMessage',
      {
        title: 'Login',
        message: 'root from 192.0.2.9',
        priority: 8,
        extras: { 'client::notification': { click: { url: 'https://x.example.org/' } } },
      },
      undefined,
      {
        title: 'Login',
        body: 'root from 192.0.2.9',
        priority: 'high',
        callToAction: { title: 'Open', url: 'https://x.example.org/' },
      },
    ],
    [
      'Gotify, a form',
      'gotifyMessage',
      '',
      { form: { message: 'm', priority: '5' } },
      { title: 'm', priority: 'medium' },
    ],
  ];

  it.each(CASES.concat(MORE))('%s', (_name, dialect, body, given, expected) => {
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
    expect(read('pagerDutyEvent', event)).toMatchObject({ ok: true, value: { alerts: [], notices: [] } });
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
