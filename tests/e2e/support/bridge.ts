import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { grafanaContext, identify } from '../../../standalone/server/identity.ts';
import type { EndpointOverview } from '../../../backend-bridge/contract/endpoint.ts';

const MAIN = path.join(import.meta.dirname, '..', '..', '..', 'backend-bridge', 'dist', 'src', 'main.js');

/** Only against hanging. */
const READY_MS = 90_000;

/** A notification as a sender sends it; title and body have defaults. */
export type Sent = Record<string, unknown>;
export type Stored = Record<string, unknown> & { id: number; timestamp: string; seen: boolean };

/** Below the ephemeral ports, so that no other program takes the port while the bridge is stopped. */
const PORTS = { from: 20_000, count: 12_000 };

async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await once(server, 'listening').then(
      () => true,
      () => false
    );
    if (free) {
      server.close();
      await once(server, 'close');
      return port;
    }
  }
}

/** A real bridge in a process and a data directory of its own. */
export class TestBridge {
  readonly url: string;
  token = '';
  readonly #port: number;
  readonly #dataDir: string;
  #process: ChildProcess | undefined;
  #output = '';

  readonly #settings: Record<string, string>;

  private constructor(port: number, dataDir: string, settings: Record<string, string>) {
    this.#port = port;
    this.#dataDir = dataDir;
    this.#settings = settings;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @param settings environment variables beside those that every test bridge has */
  static async start(settings: Record<string, string> = {}): Promise<TestBridge> {
    const bridge = new TestBridge(await freePort(), await mkdtemp(path.join(tmpdir(), 'nodebell-e2e-')), settings);
    await bridge.start();
    return bridge;
  }

  /** Starts it on the same port with the same data. */
  async start(): Promise<void> {
    const env = {
      ...process.env,
      NODEBELL_PORT: String(this.#port),
      NODEBELL_DATA_DIR: this.#dataDir,
      NODEBELL_LOG_LEVEL: 'warn',
      NODEBELL_RATE_LIMIT: '0',
      ...this.#settings,
    };
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    this.#output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    }
    await this.#untilReady(child);
    this.token = (await readFile(path.join(this.#dataDir, 'admin-token'), 'utf8')).trim();
  }

  async #untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (child.exitCode === null && Date.now() < deadline) {
      const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
      if (response?.ok) {
        return;
      }
      await wait(50);
    }
    throw new Error(`the bridge did not start:\n${this.#output}`);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    }
  }

  get running(): boolean {
    return this.#process !== undefined;
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  /** Sends a request to the bridge as an admin, without the proxy. @throws on any other status than success */
  async call<T = unknown>(
    method: string,
    pathAndQuery: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ): Promise<T> {
    const response = await fetch(this.url + pathAndQuery, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...headers,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${pathAndQuery} responded with ${response.status}: ${text}`);
    }
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** Sends one as a sender would. @returns it as stored */
  send(notification: Sent = {}): Promise<Stored> {
    const body = { title: 'Disk almost full', body: 'Only 4.6 GB are left.', ...notification };
    return this.call<Stored>('POST', '/api/v1/notifications', body);
  }

  /** One after another, so that the last is the newest. */
  async sendAll(notifications: Sent[]): Promise<Stored[]> {
    const stored: Stored[] = [];
    for (const notification of notifications) {
      stored.push(await this.send(notification));
    }
    return stored;
  }

  /** Marks one as read as the default user of the page, as on another page. */
  async markRead(id: number | undefined): Promise<void> {
    const headers = { 'X-Grafana-Context': grafanaContext(identify(undefined)) };
    await this.call('PATCH', `/api/v1/notifications/${id}`, { seen: true }, headers);
  }

  /** Number of open event streams. */
  async streams(): Promise<number> {
    const answer = await fetch(`${this.url}/metrics`, { headers: { Authorization: `Bearer ${this.token}` } });
    return Number(/^nodebell_event_clients(?:\{[^}]*\})? (\d+)/m.exec(await answer.text())?.[1] ?? NaN);
  }

  list(query = 'muted=all&errors=all'): Promise<Stored[]> {
    return this.call<Stored[]>('GET', `/api/v1/notifications?${query}`);
  }

  /** Removes all notifications, packages and settings. Ids keep growing. */
  async clear(): Promise<void> {
    await this.call('POST', '/api/v1/notifications/delete', { filter: { muted: 'all', errors: 'all' } });
    const categories = await this.call<Array<{ category: string; enabled: boolean }>>('GET', '/api/v1/categories');
    for (const { category } of categories.filter(({ enabled }) => !enabled)) {
      await this.call('PUT', `/api/v1/categories/${encodeURIComponent(category)}`, { enabled: true });
    }
    await this.#resetSettings();
    for (const { dnpName } of await this.call<Array<{ dnpName: string }>>('GET', '/api/v1/packages')) {
      await this.call('DELETE', `/api/v1/packages/${encodeURIComponent(dnpName)}`);
    }
  }

  /** Settings outlive their package. */
  async #resetSettings(): Promise<void> {
    const { packages } = await this.call<EndpointOverview>('GET', '/api/v1/endpoints');
    for (const { dnpName, enabled, endpoints } of packages) {
      const path = `/api/v1/packages/${encodeURIComponent(dnpName)}`;
      if (enabled.origin === 'user') {
        await this.call('PATCH', `${path}/settings`, { enabled: null });
      }
      for (const endpoint of endpoints) {
        if (endpoint.enabled.origin === 'user' || endpoint.threshold?.origin === 'user') {
          const body = { enabled: null, ...(endpoint.threshold && { threshold: null }) };
          await this.call('PATCH', `${path}/endpoints/${encodeURIComponent(endpoint.correlationId)}`, body);
        }
      }
    }
  }
}
