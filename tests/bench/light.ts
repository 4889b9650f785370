/**
 * Start, memory and size of the bridge, and of ntfy, Gatus and Alertmanager where they are on the PATH. Memory is the
 * resident set from /proc, with the part that is not of files (RssAnon), which other processes cannot share.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, bridgeCommand, freePort, runBridge } from './bridge.ts';
import { filledDataDir } from './data.ts';
import { sendAll } from './load.ts';
import { QUERIES } from './queries.ts';
import { table } from './table.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const IDLE_S = 60;
/** Idle threads collect garbage within this time (platform/runtime/idleCollect.ts). */
const COLLECTED_MS = 12_000;
/** Clock ticks per second of /proc/<pid>/stat: the same on all Linux systems. */
const TICKS = 100;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const kilobytes = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const memoryOf = (pid: number): string =>
  `${(kilobytes(pid, 'VmRSS') / 1024).toFixed(0)} (${(kilobytes(pid, 'RssAnon') / 1024).toFixed(0)})`;

/** CPU time since the start of a process. Seconds. */
function cpuOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user! + system!) / TICKS;
}

/** Size of a file, or of all files in a folder. Bytes. */
function sizeOf(path: string): number {
  const stats = lstatSync(path);
  return stats.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stats.size;
}

interface Program {
  name: string;
  /** @param dir empty folder for its data */
  command: (port: number, dir: string) => { file: string; args: string[]; env?: Record<string, string> };
  readyPath: string;
  installed: () => number;
}

const onPath = (name: string): string => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();

const others: Program[] = [
  {
    name: 'ntfy',
    command: (port, dir) => ({
      file: 'ntfy',
      args: ['serve', '--listen-http', `127.0.0.1:${port}`, '--cache-file', join(dir, 'cache.db')],
    }),
    readyPath: '/v1/health',
    installed: () => sizeOf(onPath('ntfy')),
  },
  {
    name: 'gatus',
    command: (port, dir) => {
      const config = join(dir, 'config.yaml');
      const endpoint = { name: 'one', url: 'http://127.0.0.1:9', interval: '1h', conditions: ['[STATUS] == 200'] };
      const storage = { type: 'sqlite', path: join(dir, 'data.db') };
      writeFileSync(config, JSON.stringify({ web: { address: '127.0.0.1', port }, storage, endpoints: [endpoint] }));
      return { file: 'gatus', args: [], env: { GATUS_CONFIG_PATH: config } };
    },
    readyPath: '/health',
    installed: () => sizeOf(onPath('gatus')),
  },
  {
    name: 'alertmanager',
    command: (port, dir) => {
      const config = join(dir, 'config.yaml');
      writeFileSync(config, JSON.stringify({ route: { receiver: 'none' }, receivers: [{ name: 'none' }] }));
      const listen = [`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='];
      return { file: 'alertmanager', args: [`--config.file=${config}`, `--storage.path=${dir}`, ...listen] };
    },
    readyPath: '/-/ready',
    installed: () => sizeOf(onPath('alertmanager')),
  },
];

const nodebell: Program = {
  name: 'Nodebell',
  command: (port, dir) => {
    const { file, args, env } = bridgeCommand();
    const settings = { NODEBELL_PORT: String(port), NODEBELL_DATA_DIR: dir, NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN };
    return { file, args, env: { ...env, ...settings, NODEBELL_LOG_LEVEL: 'error' } };
  },
  readyPath: '/readyz',
  // As npm installs it. Without binaries of other platforms, as in the image, it is a third.
  installed: () => sizeOf(join(ROOT, 'backend-bridge/dist')) + sizeOf(join(ROOT, 'node_modules/better-sqlite3')),
};

interface Started {
  /** Milliseconds until it is ready. */
  ready: number;
  /** CPU time until then. Seconds. */
  cpu: number;
  /** Memory after some time without requests. */
  idle: string;
}

/** Starts it in an empty folder. @param idleMs how long it is left alone */
async function start({ command, readyPath }: Program, idleMs: number): Promise<Started> {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-light-'));
  const port = await freePort();
  const { file, args, env } = command(port, dir);
  const begun = performance.now();
  const child = spawn(file, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  try {
    while (!(await isReady(`http://127.0.0.1:${port}${readyPath}`))) {
      if (child.exitCode !== null) {
        throw new Error(`${file} did not start`);
      }
      await sleep(5);
    }
    const ready = performance.now() - begun;
    const cpu = cpuOf(child.pid!);
    await sleep(idleMs);
    return { ready, cpu, idle: memoryOf(child.pid!) };
  } finally {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
    rmSync(dir, { recursive: true, force: true });
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false
  );

/** The least of several starts: other programs only make one slower. */
async function rowOf(program: Program, rounds: number, idleS: number): Promise<string[]> {
  const starts: Started[] = [await start(program, idleS * 1000)];
  for (let round = 1; round < rounds; round += 1) {
    starts.push(await start(program, 0));
  }
  const least = (name: 'ready' | 'cpu'): number => Math.min(...starts.map((one) => one[name]));
  const size = (program.installed() / 2 ** 20).toFixed(0);
  return [program.name, (least('ready') / 1000).toFixed(2), least('cpu').toFixed(2), starts[0]!.idle, size];
}

/** Memory of a bridge after the queries of the page, and while senders send as much as it takes. */
async function used(count: number, seconds: number): Promise<string[][]> {
  const reading = await runBridge(await filledDataDir(count));
  for (const [, path, , as] of QUERIES) {
    for (let sample = 0; sample < 30; sample += 1) {
      await (await reading.get(path(), as)).arrayBuffer();
    }
  }
  const afterQueries = memoryOf(reading.pid);
  await sleep(COLLECTED_MS);
  const later = memoryOf(reading.pid);
  await reading.stop();
  return [
    [`after the queries of \`bench queries\`, ${count} stored`, afterQueries],
    [`${COLLECTED_MS / 1000} s later`, later],
    [
      `under full load, ${seconds} s`,
      onPath('wrk') === '' ? 'not measured: no wrk on the PATH' : await loaded(seconds),
    ],
  ];
}

async function loaded(seconds: number): Promise<string> {
  const bridge = await runBridge();
  const load = sendAll(bridge.url, seconds);
  await sleep(seconds * 900);
  const memory = memoryOf(bridge.pid);
  await load;
  await bridge.stop();
  return memory;
}

/** @param quick fewer starts, shorter idleness and load */
export async function light(count: number, quick: boolean): Promise<void> {
  const programs = [nodebell, ...others.filter(({ name }) => onPath(name) !== '')];
  const missing = others.filter((one) => !programs.includes(one)).map(({ name }) => name);
  const rows: string[][] = [];
  const idleS = quick ? 12 : IDLE_S;
  for (const program of programs) {
    rows.push(await rowOf(program, quick ? 2 : 8, idleS));
  }
  console.log('\n## Start and memory (least of several starts; MiB resident, in brackets without files)\n');
  console.log(table(['program', 'ready, s', 'CPU until then, s', `idle after ${idleS} s`, 'installed, MiB'], rows));
  console.log(missing.length > 0 ? `\nNot on the PATH: ${missing.join(', ')}.` : '');
  console.log(`Node itself: ${(sizeOf(process.execPath) / 2 ** 20).toFixed(0)} MiB.\n`);
  console.log(table(['Nodebell', 'MiB resident'], await used(count, quick ? 4 : 20)));
}
