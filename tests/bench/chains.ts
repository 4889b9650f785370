/** The cost of polling 500 nodes every 15 seconds, compared with the same packages without polling. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type RunningBridge, runBridge } from './bridge.ts';
import { table } from './table.ts';

const NODES = 500;
/**
 * Until all nodes have been polled twice, and startup is complete: the first polls are spread over 15 seconds. What follows contains the
 * regular check of the provisioning files, a minute after the start.
 */
const SETTLE_MS = 32_000;
/** Two intervals. */
const MEASURE_MS = 30_000;

interface Measured {
  /** Share of one core. */
  cpu: number;
  memory: number;
  /** The maximum event loop lag, in milliseconds. */
  lag: number;
  states: string;
}

function provisioning(port: number | undefined): string {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-bench-chains-'));
  const names = Array.from({ length: NODES }, (_, index) => `node${index}.dnp.dappnode.eth`);
  const rest = { version: '1.0.0', type: 'service', description: 'A node.', license: 'MIT', chain: 'ethereum' };
  names.forEach((name, index) => writeFileSync(join(dir, `${index}.json`), JSON.stringify({ name, ...rest })));
  const packages = names.map((_, index) => `  - { manifest: ${index}.json }`);
  const chains = names.map((name, index) => `  ${name}: { url: "http://127.0.0.1:${port}/${index}", interval: 15s }`);
  const lines = ['apiVersion: 1', 'packages:', ...packages, ...(port === undefined ? [] : ['chains:', ...chains]), ''];
  writeFileSync(join(dir, 'all.yaml'), lines.join('\n'));
  return dir;
}

/** In one request: to write all metrics keeps the event loop busy as well, and would be measured by the next. */
async function metrics(bridge: RunningBridge): Promise<{ lag: number; cpu: number }> {
  const text = await (await bridge.get('/metrics')).text();
  const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return { lag: valueOf('nodejs_eventloop_lag_max_seconds') * 1000, cpu: valueOf('process_cpu_seconds_total') };
}

async function measure(port: number | undefined): Promise<Measured> {
  const dir = provisioning(port);
  const bridge = await runBridge(undefined, { NODEBELL_PROVISIONING_DIR: dir, NODEBELL_NODE_DOMAIN: 'none' });
  await wait(SETTLE_MS);
  // Each request resets the lag.
  const before = await metrics(bridge);
  const begin = Date.now();
  await wait(MEASURE_MS);
  const after = await metrics(bridge);
  const cpu = (after.cpu - before.cpu) / ((Date.now() - begin) / 1000);
  const { lag } = after;
  const memory = bridge.memory();
  const { nodes } = (await (await bridge.get('/api/v1/chains')).json()) as { nodes: { state: string }[] };
  const counts = Map.groupBy(nodes, ({ state }) => state);
  const states = [...counts].map(([state, of]) => `${of.length} ${state}`).join(', ');
  await bridge.stop();
  rmSync(dir, { recursive: true, force: true });
  return { cpu, memory, lag, states };
}

export async function chains(): Promise<void> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'chainNodes.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) =>
    server.stdout.once('data', (line: Buffer) => resolve(Number(line.toString())))
  );
  const [idle, polled] = [await measure(undefined), await measure(port)];
  server.kill();
  const row = (what: string, { cpu, memory, lag, states }: Measured): string[] => [
    what,
    `${(cpu * 100).toFixed(1)} %`,
    `${(memory / 1024 / 1024).toFixed(0)} MB`,
    `${lag.toFixed(0)} ms`,
    states,
  ];
  process.stdout.write(
    `\n## ${NODES} nodes, each polled every 15 s, over ${MEASURE_MS / 1000} s\n\n` +
      `${table(['', 'of one core', 'memory', 'event loop late, at most', 'states'], [row('not polled', idle), row('polled', polled)])}\n`
  );
}
