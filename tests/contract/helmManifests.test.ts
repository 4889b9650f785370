/** The rendered packaging/helm/nodebell-bridge agrees with the bridge, its image and itself. Nothing is installed in a cluster. */
import { describe, expect, test } from 'vitest';
import { API } from '../../backend-bridge/contract/api.ts';
import { readConfig } from '../../backend-bridge/src/config.ts';
import { readProvisioningFile } from '../../backend-bridge/src/provisioning/readFile.ts';
import {
  ADMIN_TOKEN,
  bridgeOf,
  CASES,
  DOCKERFILE,
  environmentOf,
  EVERYTHING,
  find,
  HAS_HELM,
  type Json,
  lint,
  type Manifest,
  NO_HELM,
  podOf,
  read,
  rendered,
  VERSION,
} from './helm.testing.ts';

const LABELS = { 'app.kubernetes.io/name': 'nodebell-bridge', 'app.kubernetes.io/instance': 'nodebell-bridge' };

/** Members of other manifests that name something of the pods. */
function references(values: Json, manifests: Manifest[]): void {
  const { replicas = 1, secrets, provisioning, ingress, serviceMonitor, fullnameOverride } = values;
  const set = find(manifests, 'StatefulSet')!;
  const service = find(manifests, 'Service')!;
  const name = (fullnameOverride as string | undefined) ?? 'nodebell-bridge';

  test('has only these kinds, each in the namespace, with the labels of the chart', () => {
    const kinds = [
      ['ConfigMap', provisioning?.files],
      ['Ingress', ingress],
      ['PodDisruptionBudget', replicas > 1],
      ['Secret', secrets],
      ['Service', true],
      ['ServiceMonitor', serviceMonitor],
      ['StatefulSet', true],
    ].flatMap(([kind, isWanted]) => (isWanted ? [kind as string] : []));
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(kinds);
    const labels = { ...LABELS, 'app.kubernetes.io/version': VERSION, 'app.kubernetes.io/managed-by': 'Helm' };
    manifests.forEach(({ metadata }) => expect(metadata).toMatchObject({ name, namespace: 'monitoring', labels }));
  });

  test('selects its pods by labels that an upgrade keeps, and the port by its name', () => {
    expect(podOf(manifests).metadata['labels']).toMatchObject(LABELS);
    expect(set.spec).toMatchObject({ replicas, serviceName: name, selector: { matchLabels: LABELS } });
    expect(bridgeOf(manifests)['ports']).toEqual([{ name: 'http', containerPort: 8080 }]);
    expect(service.spec).toMatchObject({ selector: LABELS, ports: [{ name: 'http', targetPort: 'http' }] });
    const selecting = ['PodDisruptionBudget', 'ServiceMonitor'].flatMap((kind) => find(manifests, kind) ?? []);
    selecting.forEach(({ spec }) => expect(spec['selector']).toEqual({ matchLabels: LABELS }));
    const backends = ((find(manifests, 'Ingress')?.spec['rules'] ?? []) as Json[]).map(
      ({ http }) => http.paths[0].backend
    );
    backends.forEach((backend) => expect(backend).toEqual({ service: { name, port: { name: 'http' } } }));
    expect(backends).toHaveLength(ingress?.hosts.length ?? 0);
  });
}

function configuration(values: Json, manifests: Manifest[]): void {
  const { secrets = {}, persistence, database, settings, fullnameOverride: name = 'nodebell-bridge' } = values;
  const environment = environmentOf(manifests);
  const config = readConfig(environment);

  test('has settings that the bridge accepts', () => {
    const auth: unknown = settings?.NODEBELL_AUTH ?? 'token';
    const port = Number(values['service']?.port ?? 8080);
    expect(config).toMatchObject({ host: '0.0.0.0', port: 8080, auth });
    expect(config.databaseUrl !== undefined).toBe(database !== undefined);
    expect(config.monitors?.bridgeUrl).toBe(`http://${name}.monitoring.svc:${port}`);
    for (const text of Object.values(find(manifests, 'ConfigMap')?.data ?? {})) {
      expect(readProvisioningFile('nodebell.yaml', text, environment).findings).toEqual([]);
    }
  });

  test('mounts a volume at each folder of the bridge, and has no other volume', () => {
    const mounts = bridgeOf(manifests)['volumeMounts'] as { name: string; mountPath: string }[];
    const folders = [config.dataDir, '/tmp', ...(config.provisioning ? [config.provisioning.dir] : [])];
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(folders));
    const claims = ((find(manifests, 'StatefulSet')!.spec['volumeClaimTemplates'] ?? []) as Json[]).map(
      ({ metadata }) => metadata as Json
    );
    const volumes = [...claims, ...(podOf(manifests).spec['volumes'] as Json[])].map((one) => one['name'] as string);
    expect(volumes.sort()).toEqual(mounts.map((mount) => mount.name).sort());
    const isClaimed = persistence?.enabled !== false && persistence?.existingClaim === undefined;
    expect(claims).toEqual(isClaimed ? [{ name: 'data', labels: LABELS }] : []);
  });

  test('has secret values in a Secret only', () => {
    const others = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret'));
    expect(find(manifests, 'Secret')?.stringData ?? {}).toEqual(secrets);
    Object.values(secrets as object).forEach((value) => expect(others).not.toContain(value));
  });
}

function pods(values: Json, manifests: Manifest[]): void {
  const { spec } = podOf(manifests);
  const bridge = bridgeOf(manifests);

  test('meets the Pod Security Standard "restricted" and needs no rights in the cluster', () => {
    const user = Number(/^USER (\d+):\d+$/m.exec(DOCKERFILE)![1]);
    const users = { runAsNonRoot: true, runAsUser: user, runAsGroup: user, fsGroup: user };
    expect(spec['securityContext']).toMatchObject({ ...users, seccompProfile: { type: 'RuntimeDefault' } });
    const without = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true };
    expect(bridge['securityContext']).toEqual({ ...without, capabilities: { drop: ['ALL'] } });
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  });

  test('probes operations that need no token', () => {
    const probes = [bridge['startupProbe'], bridge['livenessProbe'], bridge['readinessProbe']] as Json[];
    const httpHeaders = [{ name: 'Host', value: 'localhost' }];
    const wanted = [API.health, API.health, API.ready].map(({ path }) => ({ path, port: 'http', httpHeaders }));
    expect(probes.map(({ httpGet }) => httpGet as Json)).toEqual(wanted);
    expect(bridge['lifecycle'] !== undefined).toBe(values['replicas'] > 1);
  });
}

function details(): void {
  test.each(CASES)('%s: helm lint has no findings', (_, values) => {
    const { status, stdout, stderr } = lint(values);
    expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining(' 0 chart(s) failed')]);
    expect(stdout).not.toMatch(/\[(INFO|WARNING|ERROR)\]/);
  });

  test('the image is that of the release, and its heap fits into the limit of memory', () => {
    const bridge = bridgeOf(rendered({}));
    expect(read('.github/workflows/release.yml')).toContain('${{ env.IMAGE }}:${{ github.ref_name }}');
    expect(bridge['image']).toBe(`ghcr.io/nodebell/bridge:v${VERSION}`);
    expect(bridgeOf(rendered(EVERYTHING))['image']).toBe(`ghcr.io/nodebell/bridge@${EVERYTHING.image.digest}`);
    const heap = Number(/--max-old-space-size=(\d+)/.exec(DOCKERFILE)![1]);
    expect(Number.parseInt(bridge['resources'].limits.memory as string, 10)).toBeGreaterThan(heap + 100);
  });

  test('Prometheus sends the admin token, if it is needed', () => {
    const endpointOf = (values: Json): Json =>
      find(rendered({ serviceMonitor: { enabled: true }, ...values }), 'ServiceMonitor')!.spec['endpoints'][0] as Json;
    const authorization = (name: string) => ({ type: 'Bearer', credentials: { name, key: 'NODEBELL_ADMIN_TOKEN' } });
    expect(endpointOf({ existingSecret: 'mine' })).toMatchObject({
      path: API.metrics.path,
      authorization: authorization('mine'),
    });
    const own = endpointOf({ secrets: { NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN } });
    expect(own['authorization']).toEqual(authorization('nodebell-bridge'));
    expect(endpointOf({ settings: { NODEBELL_METRICS_OPEN: true } })).not.toHaveProperty('authorization');
  });

  test('a change of secret values restarts the pods', () => {
    const annotationsOf = (token: string): Json =>
      podOf(rendered({ secrets: { NODEBELL_ADMIN_TOKEN: token } })).metadata['annotations'] as Json;
    expect(annotationsOf(ADMIN_TOKEN)).not.toEqual(annotationsOf(`another-${ADMIN_TOKEN}`));
  });
}

if (HAS_HELM) {
  describe.each(CASES)('%s', (_, values) => {
    const manifests = rendered(values);
    references(values, manifests);
    configuration(values, manifests);
    pods(values, manifests);
  });
  details();
} else {
  test('the chart is not rendered: Helm is not installed', () => {
    process.stdout.write(NO_HELM);
    expect(HAS_HELM).toBe(false);
  });
}
