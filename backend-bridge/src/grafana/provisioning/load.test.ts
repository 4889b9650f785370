import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadGrafana } from './load.ts';

/** A whole that is right; each test breaks one line of it. */
const GOOD: Record<string, string> = {
  'plugins/app.yaml': `apiVersion: 1
apps:
  - type: nodebell-notifications-app
    jsonData:
      bridgeUrl: http://127.0.0.1:8080
    secureJsonData:
      bridgeToken: $TOKEN
`,
  'datasources/prometheus.yaml': `apiVersion: 1
datasources:
  - name: Prometheus
    type: prometheus
    uid: prom
    isDefault: $DEFAULT
`,
  'alerting/point.yaml': `apiVersion: 1
contactPoints:
  - name: inbox
    receivers:
      - uid: inbox
        type: webhook
        settings:
          url: http://bridge:8080/api/v1/webhooks/grafana
          maxAlerts: '0'
`,
  'alerting/rules.yaml': `apiVersion: 1
groups:
  - name: node
    folder: Node
    interval: 1m
    rules:
      - uid: cpu
        title: CPU
        condition: B
        for: 5m
        dashboardUid: node
        panelId: 1
        labels:
          where: '{{ $$labels.instance }}'
        data:
          - refId: A
            relativeTimeRange: { from: 600, to: 0 }
            datasourceUid: prom
            model: { refId: A, expr: up }
          - refId: B
            datasourceUid: __expr__
            model:
              type: threshold
              expression: A
              conditions:
                - evaluator: { type: gt, params: [90] }
        notification_settings:
          receiver: inbox
`,
  'dashboards/provider.yaml': `apiVersion: 1
providers:
  - name: Node
    options:
      path: /etc/grafana/provisioning/dashboards
    editable: true
`,
  'dashboards/node.json': `{
  "uid": "node",
  "title": "Node",
  "schemaVersion": 42,
  "templating": { "list": [{ "name": "source", "type": "datasource" }] },
  "panels": [
\t\t{ "id": 1, "type": "nodebell-chainsync-panel", "gridPos": { "x": 0, "y": 0, "w": 12, "h": 8 } },
    { "id": 2, "type": "timeseries", "gridPos": { "x": 12, "y": 0, "w": 12, "h": 8 },
      "datasource": { "uid": "\${source}" } }
  ]
}
`,
};

function folder(files: Record<string, string | Buffer>): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-grafana-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

/** `file line:column verdict rule` of everything that is found when one text is put in the place of another. */
async function after(file: string, old: string, now: string): Promise<string[]> {
  const before = GOOD[file]!;
  expect(before.split(old)).toHaveLength(2);
  const { findings } = await loadGrafana(folder({ ...GOOD, [file]: before.replace(old, () => now) }));
  return findings.map((one) => `${one.file} ${one.line}:${one.column} ${one.verdict} ${one.rule}`);
}

test('what is right is left in peace, with its variables', async () => {
  const { files, findings } = await loadGrafana(folder(GOOD));
  expect(findings).toEqual([]);
  expect(files.sort()).toEqual(Object.keys(GOOD).sort());
});

test('folders that are not there are no mistake; a file that is no text is', async () => {
  expect(await loadGrafana(folder({ 'README.md': '' }))).toEqual({ files: [], findings: [] });
  const { findings } = await loadGrafana(folder({ 'plugins/app.yaml': Buffer.from([0xff]) }));
  expect(findings).toMatchObject([{ file: 'plugins/app.yaml', rule: 'file', detail: 'It is not UTF-8 text.' }]);
});

describe('of the app', () => {
  test.each([
    ['    jsonData:', '    jsondata:', ['4:5 warning unknown-member', '3:5 error bridge-url']],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/', ['5:18 error bridge-url']],
    ['http://127.0.0.1:8080', 'bridge:8080', ['5:18 error bridge-url']],
    ['http://127.0.0.1:8080', '$WHERE', []],
    ['      bridgeToken: $TOKEN', '      token: x', ['7:7 error bridge-token']],
    ['http://127.0.0.1:8080', 'http://b\n      bridgeToken: x', ['6:20 error token-readable']],
    ['apiVersion: 1', 'apiVersion: 2', ['1:13 error shape']],
    ['type: nodebell-notifications-app', 'type: other-app', []],
  ])('%j → %j', async (old, now, found) => {
    expect(await after('plugins/app.yaml', old, now)).toEqual(found.map((one) => `plugins/app.yaml ${one}`));
  });
});

describe('of the data source and the provider', () => {
  test.each([
    [
      'datasources/prometheus.yaml',
      'type: prometheus',
      'typ: prometheus',
      ['4:5 warning unknown-member', '3:5 error shape'],
    ],
    ['datasources/prometheus.yaml', '$DEFAULT', 'perhaps', ['6:16 error shape']],
    [
      'dashboards/provider.yaml',
      '    options:\n      path',
      '    options:\n      paths',
      ['5:7 error shape', '5:7 warning unknown-member'],
    ],
    ['dashboards/provider.yaml', '- name', '  name', ['3:5 error shape']],
  ])('%s: %j → %j', async (file, old, now, found) => {
    expect((await after(file, old, now)).filter((one) => one.startsWith(file)).sort()).toEqual(
      found.map((one) => `${file} ${one}`).sort()
    );
  });
});

describe('of a contact point', () => {
  test.each([
    ['/webhooks/grafana', '/webhooks/alertmanager', ['8:16 error webhook-path']],
    ["maxAlerts: '0'", 'maxAlerts: all', ['9:22 error shape']],
    ["maxAlerts: '0'", 'hmacconfig: {}', ['9:23 warning unknown-member']],
    ["maxAlerts: '0'", 'payload: { template: x }', ['9:20 error payload']],
    ["maxAlerts: '0'", 'httpMethod: PUT', ['9:23 error method']],
    ["maxAlerts: '0'", 'username: a\n          authorization_scheme: Bearer', ['8:11 error authorization']],
    ['type: webhook', 'type: webhook\n        disableResolveMessage: true', ['7:32 warning resolve']],
    ['type: webhook', 'type: email', []],
  ])('%j → %j', async (old, now, found) => {
    expect(await after('alerting/point.yaml', old, now)).toEqual(found.map((one) => `alerting/point.yaml ${one}`));
  });
});

describe('of a rule', () => {
  test.each([
    ['interval: 1m', 'interval: 15s', ['5:15 error interval']],
    ['interval: 1m', 'interval: 1 minute', ['5:15 error shape']],
    ['condition: B', 'condition: C', ['9:20 error condition']],
    ['        condition: B\n', '', ['7:9 error condition']],
    ['for: 5m', 'for: five', ['10:14 error shape']],
    ['for: 5m', 'fro: 5m', ['10:9 warning unknown-member']],
    ['        panelId: 1\n', '', ['7:9 error panel']],
    ['panelId: 1', 'panelId: 3', ['12:18 error panel']],
    ['dashboardUid: node', 'dashboardUid: other', ['11:23 warning dashboard-elsewhere']],
    ['$$labels', '$labels', ['14:18 error template']],
    ['from: 600', 'from: 0', ['17:32 error time-range']],
    ['datasourceUid: prom', 'datasourceUid: loki', ['18:28 warning data-source-elsewhere']],
    ['expression: A', 'expression: C', ['24:27 error expression']],
    ['type: gt', 'type: above', ['26:38 error threshold']],
    ['params: [90]', 'params: []', ['26:50 error threshold']],
    ['type: gt, params: [90]', 'type: within_range, params: [90]', ['26:60 error threshold']],
    ['receiver: inbox', 'receiver: inbux', ['28:21 warning contact-point-elsewhere']],
    ['receiver: inbox', 'receiver: inbox\n          group_by: [alertname]', ['29:21 error group-by']],
    ['uid: cpu', `uid: ${'x'.repeat(41)}`, ['7:14 error shape']],
  ])('%j → %j', async (old, now, found) => {
    expect(await after('alerting/rules.yaml', old, now)).toEqual(found.map((one) => `alerting/rules.yaml ${one}`));
  });

  test('policies replace the whole tree', async () => {
    const policies = 'apiVersion: 1\npolicies:\n  - receiver: inbox\ngroups:';
    expect(await after('alerting/rules.yaml', 'apiVersion: 1\ngroups:', policies)).toEqual([
      'alerting/rules.yaml 3:3 warning policies',
    ]);
  });

  test('one uid is for one rule', async () => {
    const copy = GOOD['alerting/rules.yaml']!;
    const { findings } = await loadGrafana(folder({ ...GOOD, 'alerting/z.yaml': copy }));
    expect(findings).toMatchObject([
      { file: 'alerting/z.yaml', line: 7, rule: 'rule-twice', title: 'cpu is there twice' },
    ]);
  });
});

describe('of a dashboard', () => {
  test.each([
    ['"title": "Node",', '"title": "Node"', ['4:3 error json']],
    ['"title": "Node"', '"title": ""', ['3:12 error shape']],
    ['"id": 2', '"id": 1', ['8:13 error panel-id']],
    ['chainsync-panel', 'chains-panel', ['7:22 error panel-type']],
    ['"x": 12', '"x": 13', ['8:49 error grid']],
    ['${source}', '${missing}', ['9:30 error variable']],
    ['"schemaVersion": 42', '"schemaVersion": 42, "__inputs": []', ['4:36 error inputs']],
  ])('%j → %j', async (old, now, found) => {
    expect(await after('dashboards/node.json', old, now)).toEqual(found.map((one) => `dashboards/node.json ${one}`));
  });

  test('a data source that no file provisions is told', async () => {
    expect(await after('dashboards/node.json', '${source}', 'loki')).toEqual([
      'dashboards/node.json 9:30 warning data-source-elsewhere',
    ]);
    expect(await after('dashboards/node.json', '${source}', '-- Grafana --')).toEqual([]);
  });
});
