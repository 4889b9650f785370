/** Requests of Zabbix and CloudEvents, and the notification that each becomes. */
import type { Case } from './dialectCase.testing.ts';

export const CLOUD = {
  specversion: '1.0',
  id: 'e1',
  source: '/backup',
  type: 'org.example.backup.failed',
  subject: 'vault',
};
export const ZABBIX = {
  id: '4711',
  value: '1',
  name: 'Disk full',
  severity: 'Disaster',
  host: 'vault-2',
  text: '{ALERT.MESSAGE}',
};
export const EVENT_CASES: Case[] = [
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
    'CloudEvents, encoded JSON',
    'cloudEvents',
    { ...CLOUD, data_base64: btoa('{ "title": "Backup failed", "priority": "high" }') },
    undefined,
    { title: 'Backup failed', body: '', priority: 'high' },
  ],
  [
    'CloudEvents, encoded text',
    'cloudEvents',
    { ...CLOUD, datacontenttype: 'text/plain', data_base64: btoa('{ "title": 1 }') },
    undefined,
    { title: 'org.example.backup.failed: vault', body: '{ "title": 1 }' },
  ],
  [
    'CloudEvents, encoded text that is no JSON',
    'cloudEvents',
    { ...CLOUD, datacontenttype: 'application/json', data_base64: Buffer.from('Bänder voll').toString('base64') },
    undefined,
    { body: 'Bänder voll' },
  ],
  [
    'CloudEvents, encoded data that is no text',
    'cloudEvents',
    { ...CLOUD, data_base64: '//79' },
    undefined,
    { title: 'org.example.backup.failed: vault', body: '' },
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
