/** Prometheus discovers the targets of packages from the bridge, scrapes them, and follows changes of packages. */
import { expect, onTestFinished, test } from 'vitest';
import { Folder, manifest, TOKEN } from '../integration/provisioning.testing.ts';
import { TestBridge } from '../integration/support.ts';
import { startDiscovering, startMetrics } from './support/discovery.ts';
import { until } from './support/until.ts';

const NODE = 'node.example.eth';
const LIBRARY = 'lib.example.eth';
const METRICS_PATH = '/debug/metrics/prometheus';

test('targets with labels and paths; an invalid one does not affect the others', async () => {
  const service = await startMetrics(METRICS_PATH, 'node_peers 7\n');
  onTestFinished(() => service.stop());
  const targets = [
    { targets: [service.address], labels: { service: 'node', __metrics_path__: METRICS_PATH } },
    { targets: ['http://no.target/', '127.0.0.1:1'], labels: { 'no-label': 'x' } },
  ];
  const files = {
    'all.yaml': `apiVersion: 1
packages: [{ path: node }, { path: lib }]
senders: [{ name: prometheus, token: $PROMETHEUS_TOKEN }]
`,
    'node/dappnode_package.json': manifest(NODE),
    'node/prometheus-targets.json': JSON.stringify(targets),
    // Defined in the manifest itself, as in built packages.
    'lib/dappnode_package.json': manifest(LIBRARY, '1.0.0', { prometheusTargets: [{ targets: ['[::1]:9'] }] }),
  };
  const folder = await Folder.make(files);
  const bridge = await TestBridge.start({
    auth: 'token',
    provisioning: { dir: folder.dir, env: { PROMETHEUS_TOKEN: TOKEN } },
  });
  onTestFinished(() => bridge.dispose());
  const url = `${bridge.url}/api/v1/prometheus/targets`;
  expect((await fetch(url)).status).toBe(403);
  const prometheus = await startDiscovering(url, TOKEN);
  onTestFinished(() => prometheus.stop());

  const known = await until('Prometheus watches the targets', async () => {
    const all = await prometheus.targets();
    return all.some(({ health }) => health === 'up') && all.length === 3 ? all : undefined;
  });
  expect(known.map(({ scrapeUrl, labels }) => [scrapeUrl, labels])).toEqual([
    [`http://127.0.0.1:1/metrics`, { instance: '127.0.0.1:1', job: 'packages', package: NODE }],
    [
      `http://${service.address}${METRICS_PATH}`,
      { instance: service.address, job: 'packages', package: NODE, service: 'node' },
    ],
    ['http://[::1]:9/metrics', { instance: '[::1]:9', job: 'packages', package: LIBRARY }],
  ]);
  const [peers] = await until('the value is there', async () => {
    const result = await prometheus.query(`node_peers{package="${NODE}"}`);
    return result.length > 0 ? result : undefined;
  });
  expect(peers?.value[1]).toBe('7');

  await folder.write({ 'all.yaml': files['all.yaml'].replace('{ path: node }, ', '') });
  await until('what is no longer registered is no longer watched', async () => {
    const left = await prometheus.targets();
    return left.length === 1 && left[0]?.labels.package === LIBRARY ? left : undefined;
  });
  expect(await prometheus.failures()).toBe(0);
});
