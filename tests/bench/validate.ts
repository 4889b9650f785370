/**
 * The command `nodebell validate` on folders on disk, including its start: manifests alone, and packages with a notifications
 * and a compose file. The files are generated and all different; a few have errors, as real ones do.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { median, table } from './table.ts';

const PACKAGES = 5_000;
const ROUNDS = 5;
const LAUNCHER = join(import.meta.dirname, '..', '..', 'backend-bridge', 'bin', 'nodebell.mjs');

/** A manifest of typical length: between one and two kB. */
function manifest(index: number): string {
  const value = {
    name: `node-${index}.dnp.dappnode.eth`,
    version: index % 20 === 0 ? `1.${index}` : `1.${index}.0`,
    upstreamVersion: `v${index}.4.2`,
    shortDescription: index % 10 === 0 ? 'A node' : 'An execution client of the network, with peers',
    description: `Node number ${index}. ${'It verifies every block and serves its own copy of the chain. '.repeat(6)}`,
    type: 'service',
    chain: 'ethereum',
    mainService: 'node',
    dockerTimeout: '20min',
    dependencies: { 'monitor.dnp.dappnode.eth': '^1.0.0', 'signer.dnp.dappnode.eth': '>=0.2.1' },
    requirements: { minimumDappnodeVersion: '0.2.106' },
    architectures: ['linux/amd64', 'linux/arm64'],
    backup: [{ name: 'keys', path: '/data/keys', service: 'node' }],
    warnings: { onRemove: 'The copy of the chain goes with it.' },
    exposable: [{ name: 'RPC', description: 'JSON RPC', serviceName: 'node', port: 8545 }],
    style: { featuredBackground: 'linear-gradient(67deg, #090909, #2f1354)', featuredColor: 'white' },
    author: 'Ann Author <ann@example.org> (https://example.org/ann)',
    contributors: ['Bo Builder <bo@example.org> (https://example.org/bo)'],
    categories: ['Blockchain'],
    keywords: ['node', 'client', `n${index}`],
    links: { homepage: `https://example.org/${index}`, ui: 'http://node.dappnode', api: 'http://node.dappnode:8545' },
    repository: { type: 'git', url: `https://example.org/node-${index}.git` },
    bugs: { url: `https://example.org/node-${index}/issues` },
    license: 'GPL-3.0',
  };
  return JSON.stringify(value, null, 2);
}

function endpoint(index: number, kind: string): object {
  return {
    name: `${kind} of node ${index}`,
    enabled: true,
    group: 'ethereum',
    url: `http://node-${index}.dappnode:8545`,
    method: 'POST',
    body: '{"jsonrpc": "2.0", "id": 1, "method": "net_peerCount", "params": []}\n',
    headers: { 'Content-Type': 'application/json' },
    interval: '30s',
    conditions: ['[BODY].result >= 10'],
    metric: { min: 0, max: 50, unit: 'peers' },
    definition: { title: kind, description: 'You are told when there are fewer than this for five minutes.' },
    correlationId: `node-${kind.toLowerCase()}`,
    isBanner: false,
    priority: 'low',
    alerts: [
      {
        type: 'custom',
        enabled: true,
        description: 'Below [CONDITION_VALUE]',
        'failure-threshold': 10,
        'success-threshold': 1,
        'send-on-resolved': true,
      },
    ],
  };
}

const compose = (index: number): object => ({
  version: '3.5',
  services: {
    node: {
      build: { context: 'node', args: { UPSTREAM_VERSION: `v${index}` } },
      environment: { EXTRA_OPTS: '', SYNC_MODE: 'snap', P2P_PORT: 30_303 },
      volumes: ['data:/data'],
      ports: ['30303:30303/tcp', '30303:30303/udp'],
      restart: 'unless-stopped',
    },
  },
  volumes: { data: {} },
});

function write(dir: string, index: number, whole: boolean): void {
  const folder = join(dir, `node-${index}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'dappnode_package.json'), manifest(index));
  if (whole) {
    writeFileSync(
      join(folder, 'notifications.yaml'),
      stringify({ endpoints: [endpoint(index, 'Peers'), endpoint(index, 'Sync')] })
    );
    writeFileSync(join(folder, 'docker-compose.yml'), stringify(compose(index)));
  }
}

export function validate(): void {
  const rows = [false, true].map((whole) => {
    const dir = mkdtempSync(join(tmpdir(), 'nodebell-bench-'));
    try {
      for (let index = 0; index < PACKAGES; index += 1) {
        write(dir, index, whole);
      }
      const seconds = Array.from({ length: ROUNDS }, () => {
        const start = performance.now();
        const { status } = spawnSync(process.execPath, [LAUNCHER, 'validate', '--format', 'json', dir], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        if (status !== 1) {
          throw new Error(`nodebell validate ended with ${status}; some of the packages have an error, so 1 is right`);
        }
        return (performance.now() - start) / 1000;
      });
      const usual = median(seconds);
      return [whole ? 'whole packages' : 'manifests alone', usual.toFixed(2), Math.round(PACKAGES / usual).toString()];
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
  console.log(`\n## nodebell validate, ${PACKAGES} packages on disk (median of ${ROUNDS})\n`);
  console.log(table(['what', 'seconds', 'a second'], rows));
}
