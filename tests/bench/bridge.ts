/** The compiled bridge in a separate process, as it is shipped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ENTRY = join(dirname(fileURLToPath(import.meta.url)), '../../backend-bridge/dist/src/main.js');
export const ADMIN_TOKEN = 'bench-admin-token-0123456789';

/** Only against hanging: a busy machine needs time to start it. */
const MAX_TRIES = 1200;

export interface RunningBridge {
  url: string;
  /** @param as the Grafana user; default: none */
  get(path: string, as?: string): Promise<Response>;
  /** Resident set, in bytes. */
  memory(): number;
  readonly pid: number;
  /** Null while it is running; afterwards its exit code or signal. */
  readonly ended: number | NodeJS.Signals | null;
  /** Resolves when it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends it if it is running, and removes its own folder. */
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Node flags, from its start script. */
function flags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(dirname(ENTRY), '../../package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** How a bridge is started, with the environment of the image and of the service. */
export const bridgeCommand = (entry = ENTRY): { file: string; args: string[]; env: Record<string, string> } => ({
  file: process.execPath,
  args: [...flags(), entry],
  env: { MALLOC_ARENA_MAX: '2' },
});

/**
 * @param dataDir default: a temporary one, removed at the end
 * @param settings in addition to the common ones
 * @param detached does not get the signals of the terminal. Default: false
 * @param entry script that starts it. Default: its own
 */
export async function runBridge(
  dataDir?: string,
  settings: Record<string, string> = {},
  { detached = false, entry = ENTRY } = {}
): Promise<RunningBridge> {
  const port = Number(settings.NODEBELL_PORT ?? (await freePort()));
  const dir = dataDir ?? mkdtempSync(join(tmpdir(), 'nodebell-bench-'));
  const { file, args, env } = bridgeCommand(entry);
  const child: ChildProcess = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached,
    env: {
      ...process.env,
      ...env,
      NODEBELL_PORT: String(port),
      NODEBELL_DATA_DIR: dir,
      NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN,
      NODEBELL_RATE_LIMIT: '0',
      NODEBELL_LOG_LEVEL: 'error',
      ...settings,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string, as?: string): Promise<Response> => {
    const person = as && JSON.stringify({ OrgID: 1, OrgRole: 'Admin', UserID: 1, UserUID: as, Login: as });
    return fetch(`${url}${path}`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, ...(person && { 'X-Grafana-Context': person }) },
    });
  };
  for (let tries = 0; ; tries += 1) {
    const ready = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false
    );
    if (ready) {
      break;
    }
    if (tries > MAX_TRIES || child.exitCode !== null || child.signalCode !== null) {
      child.kill('SIGKILL');
      throw new Error('the bridge did not start; build it first: npm run build:bridge');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    }
  };
  return {
    url,
    get,
    pid: child.pid!,
    kill,
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    get ended() {
      return child.exitCode ?? child.signalCode;
    },
    async stop() {
      await kill('SIGTERM');
      if (dataDir === undefined) {
        rmSync(dir, { recursive: true, force: true });
      }
    },
  };
}
