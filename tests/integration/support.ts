/** A bridge in the test's process: real HTTP, a database in a folder of its own, and a clock that the test controls. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Notification, NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import type { Facets } from '../../backend-bridge/contract/query.ts';
import { type Bridge, startBridge } from '../../backend-bridge/src/bridge.ts';
import { TEST_ENGINE, testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import type { CompatPorts } from '../../backend-bridge/src/packages/dappnode/compat.ts';
import type { Config } from '../../backend-bridge/src/config.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Saturday; the tests do not depend on it. */
export const START = Date.UTC(2026, 10, 21, 10, 0, 0);
export const NOTIFICATIONS = '/api/v1/notifications';

/** Bodies of responses have the type that the test expects. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
export type Json = any;

export interface Answer<T = Json> {
  status: number;
  headers: Headers;
  body: T;
}

export type Payload = Record<string, unknown>;
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  id: string;
  errors: Array<{ pointer: string; found: string; allowed: string; detail: string }>;
}

/** The time of the bridge; it changes only when a test changes it. */
export class Clock {
  now = START;
  readonly read = (): number => this.now;
  advance(ms: number): void {
    this.now += ms;
  }
  get iso(): string {
    return new Date(this.now).toISOString();
  }
}

export const ADMIN_TOKEN = 'the-admin-token-of-the-tests';

export class TestBridge {
  readonly clock = new Clock();
  readonly dataDir: string;
  readonly #config: Config;
  #bridge: Bridge | undefined;

  private constructor(dataDir: string, config: Partial<Config>) {
    this.dataDir = dataDir;
    this.#config = {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      auth: 'sender-open',
      adminToken: ADMIN_TOKEN,
      webhookSecret: undefined,
      secretKey: 'the-secret-key-of-the-tests',
      allowedHosts: [],
      logLevel: 'silent',
      metricsOpen: false,
      rateLimit: 0,
      nodeVersion: undefined,
      outboundAllow: [],
      nodeDomain: undefined,
      ...config,
    };
  }

  static async start(config: Partial<Config> = {}): Promise<TestBridge> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'nodebell-integration-'));
    const databaseUrl = TEST_ENGINE === 'postgres' ? await testAddress(config.dataDir ?? dataDir) : undefined;
    const bridge = new TestBridge(dataDir, { databaseUrl, ...config });
    await bridge.start();
    return bridge;
  }

  async start(change: Partial<Config> = {}): Promise<void> {
    this.#bridge = await startBridge({ ...this.#config, ...change }, pino({ level: 'silent' }), this.clock.read, {
      elapsed: this.clock.read,
    });
  }

  /** Undefined: SQLite. */
  get databaseUrl(): string | undefined {
    return this.#config.databaseUrl;
  }

  async stop(): Promise<void> {
    const bridge = this.#bridge;
    this.#bridge = undefined;
    await bridge?.close();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  get isRunning(): boolean {
    return this.#bridge !== undefined;
  }

  get url(): string {
    if (!this.#bridge) {
      throw new Error('the bridge is not running');
    }
    return this.#bridge.url;
  }

  /** The further ports in place of DAppNode's notifier. */
  get compatPorts(): CompatPorts {
    const ports = this.#bridge?.compatPorts;
    if (!ports) {
      throw new Error('the bridge runs without NODEBELL_COMPAT');
    }
    return ports;
  }

  get authorization(): Record<string, string> {
    return this.#config.auth === 'none' ? {} : { Authorization: `Bearer ${ADMIN_TOKEN}` };
  }

  /** The response, whatever its status; a given body is sent as JSON. */
  async request<T = Json>(
    method: string,
    pathAndQuery: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ): Promise<Answer<T>> {
    const response = await fetch(this.url + pathAndQuery, {
      method,
      headers: { ...this.authorization, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (/[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text) as T,
    };
  }

  /** The body of the response; expects success. */
  async call<T = Json>(method: string, pathAndQuery: string, body?: unknown): Promise<T> {
    const answer = await this.request<T>(method, pathAndQuery, body);
    expect(answer.status, `${method} ${pathAndQuery}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** The response to a send, with a default title and body. */
  post(payload: Payload, headers?: Record<string, string>): Promise<Answer> {
    return this.request('POST', NOTIFICATIONS, { title: 'A title', body: 'A body.', ...payload }, headers);
  }

  /** Sends a notification; expects success. */
  async send(payload: Payload = {}): Promise<Notification> {
    const answer = await this.post(payload);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body as Notification;
  }

  /** One after another, so that the last is the newest. */
  async sendAll(payloads: Payload[]): Promise<Notification[]> {
    const sent: Notification[] = [];
    for (const payload of payloads) {
      sent.push(await this.send(payload));
    }
    return sent;
  }

  list(query = ''): Promise<Notification[]> {
    return this.call<Notification[]>('GET', `${NOTIFICATIONS}${query && `?${query}`}`);
  }

  async titles(query = ''): Promise<string[]> {
    return (await this.list(query)).map(({ title }) => title);
  }

  get(id: number): Promise<NotificationDetail> {
    return this.call('GET', `${NOTIFICATIONS}/${id}`);
  }

  facets(query = ''): Promise<Facets> {
    return this.call<Facets>('GET', `${NOTIFICATIONS}/facets${query && `?${query}`}`);
  }

  async unseenCount(): Promise<number> {
    return (await this.call<{ unseenCount: number }>('GET', `${NOTIFICATIONS}/unseen`)).unseenCount;
  }

  async remove(...ids: number[]): Promise<string> {
    return (await this.call<{ undo: string }>('POST', `${NOTIFICATIONS}/delete`, { ids })).undo;
  }

  restore(undo: string): Promise<Answer> {
    return this.request('POST', `${NOTIFICATIONS}/restore`, { undo });
  }

  switchCategory(category: string, enabled: boolean): Promise<unknown> {
    return this.call('PUT', `/api/v1/categories/${encodeURIComponent(category)}`, { enabled });
  }

  /** Empties the inbox and switches on all categories. Ids and time continue. */
  async clear(): Promise<void> {
    await this.call('POST', `${NOTIFICATIONS}/delete`, { filter: { muted: 'all', errors: 'all' } });
    const categories = await this.call<Array<{ category: string; enabled: boolean }>>('GET', '/api/v1/categories');
    for (const { category } of categories.filter(({ enabled }) => !enabled)) {
      await this.switchCategory(category, true);
    }
  }
}

/** One bridge for all tests of a file. */
export function useBridge(config: Partial<Config> = {}): () => TestBridge {
  let bridge: TestBridge;
  beforeAll(async () => {
    bridge = await TestBridge.start(config);
  });
  afterAll(() => bridge.dispose());
  return () => bridge;
}

/** Expects a problem document with this status, and returns it. */
export function expectProblem(answer: Answer, status: number): Problem {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  const problem = answer.body as Problem;
  expect(problem).toEqual({
    type: expect.stringMatching(/^\/api\/v1\/problems\/[a-z-]+$/),
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
    id: expect.stringMatching(/./),
    errors: expect.any(Array),
  });
  return problem;
}
