/** The example in provisioning/: Grafana's files are consistent with each other, with the bridge and with the app. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONTACT_POINT } from '../../backend-bridge/contract/contactPoint.ts';
import { ALERT_URL_TEMPLATE, APP_PATH, INBOX_ANNOTATION } from '../../backend-bridge/contract/inboxLink.ts';
import { FOLDER_UID } from '../../backend-bridge/src/monitoring/monitors/grafana/rule.ts';
import { fromGrafana } from '../../backend-bridge/src/intake/webhooks/group.ts';
import { complete } from '../../backend-bridge/src/platform/runtime/steps.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const DIR = path.join(ROOT, 'provisioning');
const read = (file: string): string => readFileSync(path.join(DIR, file), 'utf8');
const CONNECT_SENDERS = readFileSync(path.join(ROOT, 'docs', 'connect-senders.md'), 'utf8');

interface Rule {
  uid: string;
  title: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  condition: string;
  notification_settings: { receiver: string };
  data: { refId: string; datasourceUid: string; model: { expr?: string; expression?: string } }[];
}

const { groups } = parse(read('alerting/rules.yaml')) as {
  groups: { folder: string; interval: string; rules: Rule[] }[];
};
const rules = groups.flatMap(({ folder, rules: all }) => all.map((rule) => ({ ...rule, folder })));
const dashboard = JSON.parse(read('dashboards/node-overview.json')) as {
  panels: { type: string; targets?: { expr: string }[] }[];
};

test('rules refer to what is provisioned with them', () => {
  const { datasources } = parse(read('datasources/prometheus.yaml')) as { datasources: { uid: string }[] };
  const { contactPoints } = parse(read('alerting/contact-point.yaml')) as { contactPoints: { name: string }[] };
  const uids = [...datasources.map(({ uid }) => uid), '__expr__'];
  for (const { title, labels, condition, data, notification_settings: notification } of rules) {
    const ids = data.map(({ refId }) => refId);
    expect(ids).toContain(condition);
    expect(data.filter(({ model }) => model.expression !== undefined && !ids.includes(model.expression))).toEqual([]);
    expect(data.filter(({ datasourceUid }) => !uids.includes(datasourceUid))).toEqual([]);
    expect(contactPoints.map(({ name }) => name)).toContain(notification.receiver);
    // Grafana expands variables of its environment here, so that a template needs two dollar signs.
    expect(JSON.stringify([title, labels])).not.toMatch(/(?<!\$)\$(labels|values?)\b/);
  }
  expect(new Set(rules.map(({ uid }) => uid)).size).toBe(rules.length);
  // Grafana's scheduler needs a multiple of 10 seconds.
  groups.forEach(({ interval }) => expect(interval).toMatch(/^\d+(m|0s)$/));
});

test('rules link to the thread of their alerts, and so does the message template', () => {
  for (const { annotations } of rules) {
    expect(annotations[INBOX_ANNOTATION]).toBe(ALERT_URL_TEMPLATE);
  }
  const { templates } = parse(read('alerting/templates.yaml')) as { templates: { template: string }[] };
  expect(templates[0]?.template).toContain(
    `{{ $.ExternalURL }}${APP_PATH.slice(1)}/inbox?fingerprint={{ .Fingerprint }}`
  );
  expect(CONNECT_SENDERS).toContain(`${INBOX_ANNOTATION}: '${ALERT_URL_TEMPLATE}'`);
});

test.each([
  ['provisioned', read('alerting/contact-point.yaml')],
  [
    'shown in docs/connect-senders.md',
    /^```yaml\n(apiVersion: 1\ncontactPoints:[^`]+)/m.exec(CONNECT_SENDERS)?.[1] ?? '',
  ],
])('the %s contact point has the name that the bridge and the pages use', (_, yaml) => {
  const points = parse(yaml) as { contactPoints: { name: string; receivers: { uid: string }[] }[] };
  const found = points.contactPoints.map(({ name, receivers }) => [name, receivers.map(({ uid }) => uid)]);
  expect(found).toEqual([[CONTACT_POINT, ['nodebell-inbox']]]);
});

test('the provisioned folder is the one that the bridge uses', () => {
  const { providers } = parse(read('dashboards/nodebell.yaml')) as { providers: { folderUid: string }[] };
  expect(providers.map(({ folderUid }) => folderUid)).toEqual([FOLDER_UID]);
});

test('all environment variables are documented', () => {
  const files = ['plugins/nodebell.yaml', 'datasources/prometheus.yaml', 'alerting/contact-point.yaml'];
  const used = files.flatMap(
    (file) =>
      read(file)
        .replaceAll(/^\s*#.*$/gm, '')
        .match(/\$\w+/g) ?? []
  );
  const documented = read('README.md')
    .match(/^ +\| `(\w+)`/gm)
    ?.map((line) => line.replaceAll(/[ |`]/g, ''));
  expect([...new Set(used)].sort()).toEqual(documented?.map((name) => `$${name}`).sort());
});

test('the dashboard uses panels of the app', () => {
  const built = readdirSync(path.join(ROOT, 'src', 'panels')).map(
    (name) =>
      (JSON.parse(readFileSync(path.join(ROOT, 'src', 'panels', name, 'plugin.json'), 'utf8')) as { id: string }).id
  );
  const named = dashboard.panels.map(({ type }) => type).filter((type) => type.startsWith('nodebell-'));
  expect(named.length).toBeGreaterThan(0);
  expect(built).toEqual(expect.arrayContaining(named));
});

test('the queried metrics of the bridge exist', () => {
  const source = ['monitoring/chains/metrics.ts', 'inbox/notifications/openThreads.ts']
    .map((file) => readFileSync(path.join(ROOT, 'backend-bridge', 'src', file), 'utf8'))
    .join('\n');
  const metrics = [
    ...rules.flatMap(({ data }) => data.map(({ model }) => model.expr ?? '')),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ].flatMap((expr) => expr.match(/nodebell_\w+/g) ?? []);
  expect(metrics.length).toBeGreaterThan(2);
  metrics.forEach((metric) => expect(source).toContain(`'${metric}'`));
});

test.each(rules)('the inbox accepts $uid', (rule) => {
  const labels = { alertname: rule.title, grafana_folder: rule.folder, package: 'ember.example.eth', ...rule.labels };
  const alert = {
    status: 'firing',
    labels,
    annotations: rule.annotations,
    startsAt: '2026-11-20T19:04:10Z',
    endsAt: '0001-01-01T00:00:00Z',
    fingerprint: 'a1b2c3d4e5f60718',
  };
  const body = { receiver: rule.notification_settings.receiver, status: 'firing', alerts: [alert], version: '1' };
  const reading = complete(fromGrafana(body));
  expect(reading).toMatchObject({ ok: true });
  const [first] = (reading as { value: { alerts: { incoming: { payload: object } }[] } }).value.alerts;
  expect(first?.incoming.payload).toMatchObject({
    title: rule.annotations['summary'],
    body: expect.stringContaining(rule.annotations['description']!) as string,
    category: rule.labels['category'],
    dnpName: rule.labels['dnpName'] ?? 'ember.example.eth',
    priority: { critical: 'critical', high: 'high', warning: 'medium' }[rule.labels['severity']!],
    isBanner: rule.labels['isBanner'] === 'true',
  });
  // The link to the inbox is for Grafana's pages.
  expect(JSON.stringify(first?.incoming.payload)).not.toContain('inbox?');
});
