/** A bridge in this process for tests of access, with its log. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { startBridge } from '../../backend-bridge/src/bridge.ts';
import { TEST_ENGINE, testAddress } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { readConfig } from '../../backend-bridge/src/config.ts';
import type { Answer } from './support.ts';

export const ADMIN_TOKEN = 'the-admin-token-of-these-tests';

export interface TestBridge {
  url: string;
  dataDir: string;
  /** Log entries of level debug and above. */
  log: () => string;
  close: () => Promise<void>;
}

type CleanUp = (work: () => void | Promise<void>) => void;

/** @param after when to clean up: after the test, or `afterAll` for a bridge of several tests */
export function newFolder(after: CleanUp = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-access-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function startTestBridge(
  env: Record<string, string> = {},
  dataDir?: string,
  after: CleanUp = onTestFinished,
  now: () => number = Date.now
): Promise<TestBridge> {
  const folder = dataDir ?? newFolder(after);
  let log = '';
  const config = readConfig({
    NODEBELL_PORT: '0',
    NODEBELL_DATA_DIR: folder,
    NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN,
    NODEBELL_RATE_LIMIT: '0',
    NODEBELL_LOG_LEVEL: 'debug',
    // A token is generated with SQLite only.
    ...(TEST_ENGINE === 'postgres' &&
      env.NODEBELL_ADMIN_TOKEN !== '' && { NODEBELL_DATABASE_URL: await testAddress(folder) }),
    ...env,
  });
  const bridge = await startBridge(
    config,
    pino({ level: 'debug' }, { write: (line: string) => void (log += line) }),
    now,
    { elapsed: now }
  );
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= bridge.close());
  after(close);
  return { url: bridge.url, dataDir: folder, log: () => log, close };
}

/** Sends and parses JSON. */
export async function ask(
  url: string,
  method: string,
  route: string,
  options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {}
): Promise<Answer> {
  const { token, body, headers } = options;
  const response = await fetch(url + route, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: json && text !== '' ? (JSON.parse(text) as unknown) : text,
  };
}
