/** The bridge in a separate process, so that crashes are detected. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Answer, Problem } from './support.ts';

const ADMIN_TOKEN = 'the-admin-token-of-these-tests';
const MAIN = path.join(import.meta.dirname, '../../backend-bridge/src/main.ts');
export const JSON_TYPE = { 'content-type': 'application/json' };

export class BridgeProcess {
  readonly url: string;
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    this.port = Number(new URL(url).port);
  }

  /** @param env in addition to the common variables */
  static async start(dataDir: string, env: Record<string, string> = {}): Promise<BridgeProcess> {
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODEBELL_PORT: '0',
        NODEBELL_DATA_DIR: dataDir,
        NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN,
        NODEBELL_RATE_LIMIT: '0',
        ...env,
      },
    });
    const url = await new Promise<string>((resolve, reject) => {
      let log = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        log += chunk.toString();
        const found = /"url":"([^"]+)"/.exec(log)?.[1];
        if (found) {
          resolve(found);
        }
      });
      child.once('exit', () => reject(new Error(`the bridge did not start: ${log}`)));
    });
    return new BridgeProcess(child, url);
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get memory(): Promise<number> {
    return import('node:fs/promises').then(async ({ readFile }) => {
      const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    });
  }

  /** @param body bytes and text are sent unchanged */
  async request(
    method: string,
    route: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = JSON_TYPE
  ): Promise<{ status: number; type: string | null; body: Answer['body'] }> {
    const response = await fetch(this.url + route, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: text === '' ? '' : (JSON.parse(text) as unknown),
    };
  }

  /** Sends bytes over a separate connection, and returns all that is received until it is closed. */
  raw(text: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = '';
      const socket = this.open(() => socket.write(text));
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
    });
  }

  open(connected: () => void): Socket {
    const socket = connect(this.port, '127.0.0.1', connected);
    socket.on('error', () => undefined);
    return socket;
  }

  /** A request whose path is not normalized by a client. */
  async rawPath(method: string, route: string): Promise<{ status: number; body: Answer['body'] }> {
    const head = `${method} ${route} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${ADMIN_TOKEN}\r\nConnection: close\r\n\r\n`;
    const answer = await this.raw(head);
    return { status: Number(answer.split(' ')[1]), body: JSON.parse(answer.split('\r\n\r\n')[1] ?? '') as unknown };
  }

  /** Number of stored notifications, including muted ones and those with errors. */
  async count(): Promise<number> {
    const { body } = await this.request('GET', '/api/v1/notifications/facets?muted=all&errors=all', undefined, {});
    return (body as { total: number }).total;
  }

  async stop(): Promise<void> {
    if (this.alive) {
      this.#child.kill('SIGTERM');
      await new Promise((resolve) => this.#child.once('exit', resolve));
    }
  }
}

/** One process for all tests of a file, with one notification. */
export function useBridgeProcess(): () => BridgeProcess {
  let bridge: BridgeProcess;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'nodebell-bad-input-'));
    bridge = await BridgeProcess.start(dataDir);
    const first = { title: 'first', body: 'x', correlationId: 'one', category: 'one' };
    expect((await bridge.request('POST', '/api/v1/notifications', JSON.stringify(first))).status).toBe(201);
  });
  afterAll(async () => {
    await bridge.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return () => bridge;
}

/**
 * Expects a problem document with pointer, value found and values allowed; that nothing was stored; and that the process is
 * alive.
 */
export async function expectRefused(
  bridge: BridgeProcess,
  attempt: () => Promise<{ status: number; type?: string | null; body: Answer['body'] }>,
  status: number
): Promise<Problem> {
  const before = await bridge.count();
  const answer = await attempt();
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  if (answer.type !== undefined) {
    expect(answer.type).toBe('application/problem+json');
  }
  const problem = answer.body as Problem;
  expect(problem).toMatchObject({
    type: expect.stringMatching(/^\/api\/v1\/problems\//),
    status,
    id: expect.stringMatching(/./),
  });
  for (const mistake of problem.errors) {
    expect(mistake).toEqual({
      pointer: expect.stringMatching(/^(#|path|\?\w+(\/\d+)?|\/.*|[A-Z][\w-]+)$/s),
      found: expect.stringMatching(/./),
      allowed: expect.stringMatching(/./),
      detail: expect.stringMatching(/./),
    });
  }
  expect(problem.errors.length).toBeGreaterThan(0);
  expect(await bridge.count()).toBe(before);
  expect(bridge.alive).toBe(true);
  return problem;
}
