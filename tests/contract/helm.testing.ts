/** Manifests that Helm renders of packaging/helm/nodebell-bridge. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';

const ROOT = path.join(import.meta.dirname, '..', '..');
export const CHART = 'packaging/helm/nodebell-bridge';
export const read = (...parts: string[]): string => readFileSync(path.join(ROOT, ...parts), 'utf8');
export const { version: VERSION } = JSON.parse(read('package.json')) as { version: string };
export const DOCKERFILE = read('backend-bridge', 'Dockerfile');

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- values and manifests have the shape that a test expects
export type Json = Record<string, any>;

const HELM = process.env['NODEBELL_HELM'] ?? 'helm';
/** Helm 3.18 or newer, or 4: the messages of older ones differ. */
export const HAS_HELM = spawnSync(HELM, ['version']).status === 0;
/** Printed where it is not. */
export const NO_HELM = 'The chart was not rendered: no helm is on the PATH, and NODEBELL_HELM names none.\n';
/** Helm built without release flags takes its Kubernetes for 1.20. */
const RELEASE = ['nodebell-bridge', CHART, '--namespace', 'monitoring', '--kube-version', '1.33.0', '--values', '-'];

interface Output {
  status: number | null;
  stdout: string;
  stderr: string;
}

function helm(args: string[], values: Json): Output {
  const input = JSON.stringify(values);
  const { status, stdout, stderr } = spawnSync(HELM, args, { cwd: ROOT, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}
export const lint = (values: Json): Output => helm(['lint', '--strict', ...RELEASE.slice(1)], values);
export const template = (values: Json, args = RELEASE): Output => helm(['template', ...args], values);

export interface Manifest {
  kind: string;
  metadata: Json;
  spec: Json;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

/** The manifests for these values. @param args name and chart, and flags */
export function rendered(values: Json, args = RELEASE): Manifest[] {
  const { status, stdout, stderr } = template(values, args);
  expect([status, stderr]).toEqual([0, '']);
  const documents = [...parseAllDocuments(stdout)];
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  return documents.map((document) => document.toJS() as Manifest);
}

export const find = (manifests: Manifest[], kind: string): Manifest | undefined =>
  manifests.find((one) => one.kind === kind);
export const podOf = (manifests: Manifest[]): { metadata: Json; spec: Json } =>
  find(manifests, 'StatefulSet')!.spec['template'] as { metadata: Json; spec: Json };
export const bridgeOf = (manifests: Manifest[]): Json => (podOf(manifests).spec['containers'] as Json[])[0]!;

/** A provisioning file with a variable. */
export const FILE = 'apiVersion: 1\nchannels:\n  - { name: on-call, type: ntfy, topic: alerts, token: $NTFY_TOKEN }\n';
export const ADMIN_TOKEN = 'the-admin-token-of-the-test';
export const POSTGRES = { database: { existingSecret: 'nodebell-db-app' }, existingSecret: 'nodebell-secrets' };
export const EVERYTHING = {
  ...POSTGRES,
  replicas: 3,
  secrets: { NODEBELL_SECRET_KEY: 'quote: "#" and \\ in it' },
  settings: {
    NODEBELL_RATE_LIMIT: 1_000_000,
    NODEBELL_REQUIRE_GRAFANA_ID: true,
    NODEBELL_LOG_LEVEL: 'warn',
    NODEBELL_GRAFANA_URL: 'http://grafana.monitoring.svc',
    NODEBELL_ALLOWED_HOSTS: 'nodebell.example',
  },
  provisioning: { files: { 'nodebell.yaml': FILE } },
  image: { digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  persistence: { storageClass: 'fast', size: '500Mi' },
  service: { type: 'LoadBalancer', port: 80, annotations: { 'example.org/a': 'b' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'example.org/a': 'b' },
    hosts: ['nodebell.example'],
    tls: [{ secretName: 'nodebell-tls', hosts: ['nodebell.example'] }],
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  extraEnv: [{ name: 'TZ', value: 'UTC' }],
  extraVolumes: [{ name: 'gatus', persistentVolumeClaim: { claimName: 'gatus' } }],
  extraVolumeMounts: [{ name: 'gatus', mountPath: '/gatus' }],
  serviceAccountName: 'nodebell',
  priorityClassName: 'high',
  podAnnotations: { a: 'b' },
  podLabels: { a: 'b' },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
  fullnameOverride: 'nodebell',
};
/** Values by name: each way to store, and each value of the chart. */
export const CASES: [string, Json][] = [
  ['SQLite', {}],
  [
    'SQLite with a token and provisioning files',
    {
      existingSecret: 'nodebell-secrets',
      secrets: { NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN },
      provisioning: { files: { 'nodebell.yaml': FILE } },
    },
  ],
  [
    'SQLite on an existing claim',
    { persistence: { existingClaim: 'nodebell' }, provisioning: { existingConfigMap: 'files' } },
  ],
  ['SQLite without a volume', { persistence: { enabled: false }, settings: { NODEBELL_AUTH: 'none' } }],
  ['PostgreSQL', POSTGRES],
  ['all values', EVERYTHING],
];

/** The environment of the bridge: of its image and its container, with values for what is in other Secrets. */
export function environmentOf(manifests: Manifest[]): Record<string, string> {
  const ofImage = [...DOCKERFILE.matchAll(/^(?:ENV| ) (NODEBELL_\w+)=(\S+)/gm)].map(([, name, value]) => [name, value]);
  const { env, envFrom = [] } = bridgeOf(manifests);
  const ofSecrets = (envFrom as Json[]).flatMap(({ secretRef: { name } }) => {
    const own = manifests.find(({ kind, metadata }) => kind === 'Secret' && metadata['name'] === name);
    return Object.entries(own?.stringData ?? { NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN, NTFY_TOKEN: 'secret' });
  });
  const own = (env as Json[]).map(({ name, value, valueFrom }): [string, string] => {
    const isUrl = name === 'NODEBELL_DATABASE_URL';
    expect(valueFrom).toEqual(isUrl ? { secretKeyRef: { name: 'nodebell-db-app', key: 'uri' } } : undefined);
    return [name as string, isUrl ? 'postgres://nodebell:password@db/nodebell' : (value as string)];
  });
  expect(new Set(own.map(([name]) => name)).size).toBe(own.length);
  return Object.fromEntries([...ofImage, ...ofSecrets, ...own]) as Record<string, string>;
}
