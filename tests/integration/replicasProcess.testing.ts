/** Bridges in processes of their own on one PostgreSQL database, and a load balancer in front of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { BridgeStatus } from '../../backend-bridge/contract/status.ts';

const ADMIN_TOKEN = 'the-admin-token-of-all-replicas';
const MAIN = path.join(import.meta.dirname, '../../backend-bridge/src/main.ts');
export const AUTHORIZATION = { Authorization: `Bearer ${ADMIN_TOKEN}` };

export class ReplicaProcess {
  readonly #dataDir = mkdtempSync(path.join(tmpdir(), 'nodebell-replica-'));
  readonly #databaseUrl: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | undefined;
  url = '';

  /** @param env in addition to the common variables */
  constructor(databaseUrl: string, env: Record<string, string> = {}) {
    this.#databaseUrl = databaseUrl;
    this.#env = env;
    onTestFinished(async () => {
      await this.stop('SIGKILL');
      rmSync(this.#dataDir, { recursive: true, force: true });
    });
  }

  async start(): Promise<this> {
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODEBELL_PORT: '0',
        NODEBELL_DATA_DIR: this.#dataDir,
        NODEBELL_DATABASE_URL: this.#databaseUrl,
        NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN,
        NODEBELL_RATE_LIMIT: '0',
        ...this.#env,
      },
    });
    this.#child = child;
    this.url = await new Promise<string>((resolve, reject) => {
      let log = '';
      child.stdout.on('data', (chunk: Buffer) => {
        log += chunk.toString();
        const found = /"url":"([^"]+)"/.exec(log)?.[1];
        if (found) {
          resolve(found);
        }
      });
      child.once('exit', (code) => reject(new Error(`the bridge ended with ${code}: ${log}`)));
    });
    return this;
  }

  /** @returns after its end */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    this.url = '';
  }

  /** Stops or continues it, as a machine that hangs. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async get<T>(pathAndQuery: string): Promise<T> {
    const response = await fetch(this.url + pathAndQuery, { headers: AUTHORIZATION });
    return (await response.json()) as T;
  }

  /** @returns the status of the response */
  async send(method: string, pathAndQuery: string, body: unknown): Promise<number> {
    const headers = { ...AUTHORIZATION, 'Content-Type': 'application/json' };
    return (await fetch(this.url + pathAndQuery, { method, headers, body: JSON.stringify(body) })).status;
  }

  async leads(): Promise<boolean> {
    return (await this.get<BridgeStatus>('/api/v1/status')).replica?.leads === true;
  }
}

/**
 * Passes connections to the replicas that run, in turn.
 * @returns its URL
 */
export async function startBalancer(replicas: readonly Pick<ReplicaProcess, 'url'>[]): Promise<string> {
  let next = 0;
  const server = createServer((socket) => {
    const running = replicas.filter(({ url }) => url !== '');
    const target = running[next++ % Math.max(1, running.length)];
    if (target === undefined) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(new URL(target.url).port), '127.0.0.1');
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Sends notifications one after another until `isOver`, each until it is acknowledged, with one Idempotency-Key.
 * @returns their titles
 */
export async function sendUntil(url: string, sender: string, isOver: () => boolean): Promise<string[]> {
  const acknowledged: string[] = [];
  while (!isOver()) {
    const title = `${sender}-${acknowledged.length}`;
    const body = JSON.stringify({ title, body: 'x', dnpName: `${sender}.example.eth`, correlationId: 'load' });
    for (let status = 0; status !== 201 && status !== 200;) {
      status = await fetch(`${url}/api/v1/notifications`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': title, Connection: 'close' },
        body,
      }).then(
        async (response) => {
          await response.text();
          return response.status;
        },
        () => 0
      );
    }
    acknowledged.push(title);
  }
  return acknowledged;
}

/** The titles of all notifications. */
export async function storedTitles(replica: ReplicaProcess): Promise<string[]> {
  const titles: string[] = [];
  let next: string | undefined = '/api/v1/notifications?limit=1000';
  while (next !== undefined) {
    const response: Response = await fetch(replica.url + next, { headers: AUTHORIZATION });
    titles.push(...((await response.json()) as { title: string }[]).map(({ title }) => title));
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return titles;
}
