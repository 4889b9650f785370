/** packaging/helm/nodebell-bridge: version, values, names of settings, the errors of invalid values, and the commands of the docs. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  ADMIN_TOKEN,
  CHART,
  FILE,
  find,
  HAS_HELM,
  type Json,
  NO_HELM,
  POSTGRES,
  read,
  rendered,
  template,
  VERSION,
} from './helm.testing.ts';

interface Schema {
  properties: Record<string, { properties?: Record<string, Json> }>;
}
const schema = JSON.parse(read(CHART, 'values.schema.json')) as Schema;
/** Settings of the bridge that are no values: set by the chart or the image, or of no use in a cluster. */
const OTHERS = ['HOST', 'PORT', 'DATA_DIR', 'PROVISIONING_DIR', 'DATABASE_URL', 'COMPAT', 'DAPPMANAGER_URL'];

describe('the chart', () => {
  test('has the version of the product', () => {
    expect(parse(read(CHART, 'Chart.yaml'))).toMatchObject({
      name: 'nodebell-bridge',
      version: VERSION,
      appVersion: VERSION,
    });
  });

  test('has values that its schema accepts, and each value of the schema', () => {
    const isValid = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);
    const values = parse(read(CHART, 'values.yaml')) as Record<string, Json>;
    expect([isValid(values), isValid.errors]).toEqual([true, null]);
    const { global: _ofHelm, ...properties } = schema.properties;
    expect(Object.keys(values).sort()).toEqual(Object.keys(properties).sort());
    for (const name of ['database', 'provisioning', 'image', 'persistence', 'service', 'ingress', 'serviceMonitor']) {
      expect(Object.keys(values[name]!).sort(), name).toEqual(Object.keys(properties[name]!.properties!).sort());
    }
  });

  test('has each setting of the bridge, secret ones apart, and no others', () => {
    const sources = ['config.ts', 'configUrls.ts', 'monitoring/monitors/settings.ts']
      .map((name) => read(`backend-bridge/src/${name}`))
      .join('');
    const known = new Set([...sources.matchAll(/'(NODEBELL_[A-Z_]+)'/g)].map(([, name]) => name!));
    const [settings, secrets] = ['settings', 'secrets'].map((name) =>
      Object.keys(schema.properties[name]!.properties!)
    );
    expect([...settings!, ...secrets!, ...OTHERS.map((name) => `NODEBELL_${name}`)].sort()).toEqual([...known].sort());
    expect(settings!.filter((name) => /TOKEN|SECRET/.test(name))).toEqual([]);
    const files = globSync('**/*.{yaml,tpl,txt}', { cwd: path.join(import.meta.dirname, '..', '..', CHART) });
    const used = files.flatMap((file) => read(CHART, file).match(/NODEBELL_[A-Z_]+/g) ?? []);
    expect(used).toContain('NODEBELL_DATABASE_URL');
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});

function errors(): void {
  test.each<[Json, RegExp]>([
    [{ replicas: 2 }, /replicas: found 2, allowed with SQLite is 1; set database\.existingSecret/],
    [
      { ...POSTGRES, replicas: 2, persistence: { existingClaim: 'a' } },
      /persistence\.existingClaim: found with 2 replicas, allowed with 1/,
    ],
    [{ database: { existingSecret: 'a' } }, /PostgreSQL needs NODEBELL_ADMIN_TOKEN; set existingSecret/],
    [{ serviceMonitor: { enabled: true } }, /Prometheus needs NODEBELL_ADMIN_TOKEN; set existingSecret/],
    [{ ingress: { enabled: true } }, /ingress\.hosts: found none, needed with ingress\.enabled/],
    [
      { provisioning: { existingConfigMap: 'a', files: { 'a.yaml': FILE } } },
      /provisioning: set existingConfigMap or files, not both/,
    ],
    [{ replicaCount: 2 }, /additional properties 'replicaCount' not allowed/],
    [{ replicas: '2' }, /'\/replicas': got string, want integer/],
    [{ settings: { NODEBELL_ATUH: 'token' } }, /'\/settings': additional properties 'NODEBELL_ATUH' not allowed/],
    [
      { settings: { NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN } },
      /'\/settings': additional properties 'NODEBELL_ADMIN_TOKEN' not allowed/,
    ],
    [
      { settings: { NODEBELL_AUTH: 'open' } },
      /'\/settings\/NODEBELL_AUTH': value must be one of 'sender-open', 'token', 'none'/,
    ],
    [{ settings: { NODEBELL_AUTH: null } }, /'\/settings': missing property 'NODEBELL_AUTH'/],
    [{ settings: { NODEBELL_RATE_LIMIT: -1 } }, /'\/settings\/NODEBELL_RATE_LIMIT': minimum: got -1, want 0/],
    [{ secrets: { NODEBELL_ADMIN_TOKEN: 'short' } }, /'\/secrets\/NODEBELL_ADMIN_TOKEN': minLength: got 5, want 16/],
    [{ persistence: { size: '5gb' } }, /'\/persistence\/size': '5gb' does not match pattern/],
    [{ service: { port: 0 } }, /'\/service\/port': minimum: got 0, want 1/],
  ])('rejects %j', (values, message) => {
    const { status, stdout, stderr } = template(values);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
  });
}

/** Arguments of the commands that install the chart. */
const COMMANDS = [
  ...read('docs/install.md')
    .replaceAll(/\\\n\s*/g, '')
    .matchAll(/^helm install (.*)$/gm),
].map(([, args]) => args!);

function commands(): void {
  test.each(COMMANDS)('docs/install.md: helm install %s', (args) => {
    const words = args.split(/\s+/).map((word) => word.replaceAll(/^'|'$/g, ''));
    expect(words[1]).toBe(CHART);
    expect(find(rendered({}, [...words, '--kube-version', '1.33.0']), 'StatefulSet')).toBeDefined();
  });
}

test('docs/install.md has a command for each database', () => {
  expect(COMMANDS.map((args) => args.includes('database.existingSecret')).sort()).toEqual([false, true]);
});

if (HAS_HELM) {
  errors();
  commands();
} else {
  test('the chart is not rendered: Helm is not installed', () => {
    process.stdout.write(NO_HELM);
    expect(HAS_HELM).toBe(false);
  });
}
