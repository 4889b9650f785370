/** Requests of other programs, and the notification that each becomes. */
import type { Case } from './dialectCase.testing.ts';
import { EVENT_CASES } from './eventCases.testing.ts';
import { fixture } from './webhookFixtures.testing.ts';

const KUMA = fixture<{ heartbeat: object; monitor: object }>('uptime-kuma-down.json');
export const EVENT = fixture<{ payload: object }>('pagerduty-trigger.json');
const FORMATTED = fixture('oncall-formatted.json');
const LEGACY = fixture('oncall-legacy-grafana.json');
export const formatted = { params: { type: 'formatted_webhook' } };

export const CASES: Case[] = [
  ...EVENT_CASES,
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
    'PagerDuty, as Alertmanager sends it',
    'pagerDutyEvent',
    {
      ...EVENT,
      payload: { ...EVENT.payload, custom_details: { firing: 'Labels:\n - a = b\n', num_firing: '1', resolved: '' } },
    },
    undefined,
    { body: '- `firing`\n\n```\nLabels:\n - a = b\n```\n\n- `num_firing: 1`' },
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
    'ntfy, a message of two lines in a header',
    'ntfyPublish',
    '',
    { params: { topic: 'b' }, headers: { 'x-message': String.raw`Disk full\nof /data` } },
    { title: 'Disk full', body: 'Disk full\nof /data' },
  ],
  [
    'ntfy, a file with a message',
    'ntfyPublish',
    'of the file',
    { params: { topic: 'b' }, headers: { 'x-filename': 'a.txt', 'x-message': 'See the file' } },
    { body: 'See the file' },
  ],
  [
    'ntfy, a file',
    'ntfyPublish',
    'of the file',
    { params: { topic: 'b' }, query: 'f=a.txt' },
    { body: 'You received a file: a.txt' },
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
