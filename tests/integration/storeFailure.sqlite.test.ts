/** A store that cannot write: clear errors, no partial writes, automatic recovery. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { API } from '../../backend-bridge/contract/api.ts';
import { errorWriter } from '../../backend-bridge/src/platform/http/errors.ts';
import { serveOpen } from '../../backend-bridge/src/platform/http/httpServer.testing.ts';
import { createInbox } from '../../backend-bridge/src/inbox/notifications/inbox.ts';
import { sendHandlers } from '../../backend-bridge/src/inbox/notifications/send.ts';
import { createSelections } from '../../backend-bridge/src/inbox/notifications/selections.ts';
import { NotificationStore } from '../../backend-bridge/src/inbox/notifications/store.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { openDatabase } from '../../backend-bridge/src/platform/database.ts';
import { readsInProcess } from '../../backend-bridge/src/platform/storage/read.ts';
import { WriteQueue } from '../../backend-bridge/src/platform/storage/writeQueue.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import { type Answer, expectProblem, NOTIFICATIONS, TestBridge } from './support.ts';
import { touch } from '../../backend-bridge/src/platform/storage/series.ts';
import { WRITES } from '../../backend-bridge/src/writes.ts';

function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 503);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

describe('while another process has locked the database', () => {
  let bridge: TestBridge;
  let other: SqliteDatabase.Database;
  beforeEach(async () => {
    bridge = await TestBridge.start();
    other = new SqliteDatabase(path.join(bridge.dataDir, 'nodebell.db'));
  });
  afterEach(async () => {
    other.close();
    await bridge.dispose();
  });

  it('changes respond 503 with Retry-After, in parallel; reads work; then it recovers', async () => {
    const before = await bridge.send({ title: 'before' });
    other.exec('begin immediate');
    const changes = await Promise.all([
      ...Array.from({ length: 20 }, () => bridge.post({ title: 'while' })),
      bridge.request('PATCH', `${NOTIFICATIONS}/${before.id}`, { seen: true }),
      bridge.request('DELETE', `${NOTIFICATIONS}/${before.id}`),
      bridge.request('PUT', '/api/v1/categories/system', { enabled: false }),
    ]);
    changes.forEach(expectUnavailable);
    expect(await bridge.list()).toEqual([before]);
    expect((await bridge.request('GET', '/healthz')).status).toBe(200);
    expect((await bridge.request('GET', '/metrics')).body).toContain('\nnodebell_store_writable 0\n');
    expect((await bridge.request('GET', '/metrics')).body).toContain('\nnodebell_store_failure{reason="locked"} 1\n');
    const ready = await bridge.request('GET', '/readyz');
    expectUnavailable(ready);
    expect(ready.body.detail).toBe('Another program holds a lock on the database, or the database is too slow.');
    expect((await bridge.request('GET', '/api/v1/status')).body).toMatchObject({
      storeWritable: false,
      storeFailure: { reason: 'locked', since: bridge.clock.iso },
    });

    other.exec('rollback');
    const after = await bridge.send({ title: 'after' });
    expect(await bridge.list()).toEqual([after, before]);
    expect(after.id).toBe(before.id + 1);
    expect((await bridge.request('GET', '/readyz')).body).toMatchObject({ status: 'ready' });
    expect((await bridge.request('GET', '/metrics')).body).toContain('\nnodebell_store_writable 1\n');
  });

  it('a probe does not write', async () => {
    const changes = other.prepare('pragma data_version').pluck();
    await vi.waitFor(async () => {
      const before = changes.get();
      await Promise.all(Array.from({ length: 20 }, () => bridge.request('GET', '/readyz')));
      expect(changes.get()).toBe(before);
    });
  });

  it('the bridge stops, although it cannot store when tokens were last used', async () => {
    const { token } = await bridge.call<{ token: string }>('POST', '/api/v1/tokens', { name: 'one' });
    expect((await bridge.post({}, { Authorization: `Bearer ${token}` })).status).toBe(201);
    other.exec('begin immediate');
    await bridge.stop();
    other.exec('rollback');
    await bridge.start();
    expect(await bridge.list()).toHaveLength(1);
  });
});

describe('while the queue is full', () => {
  it('the next write responds 503 with Retry-After, and queued ones are stored', async () => {
    const dataDir = temporaryFolder();
    const writes = await WriteQueue.open({ path: databasePath(dataDir), writes: WRITES, maxWaiting: 2 });
    const db = openDatabase(databasePath(dataDir), { readonly: true });
    const store = new NotificationStore(db, Date.now, { ready: () => Promise.resolve() });
    const app = express();
    const selections = createSelections({
      db,
      reads: readsInProcess(db, Date.now),
      store,
    });
    const sendNotification = sendHandlers(createInbox({ writes, store, selections, now: Date.now }));
    app.use(serveOpen({ sendNotification: API.sendNotification }, { sendNotification }));
    app.use(errorWriter({ info: () => undefined, error: () => undefined }));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${NOTIFICATIONS}`;

    // The writer has two batches of one, blocked by the other process; two more fill the queue.
    const other = new SqliteDatabase(path.join(dataDir, 'nodebell.db'));
    other.exec('begin immediate');
    const running: Promise<void>[] = [];
    for (let batch = 0; batch < 2; batch += 1) {
      running.push(writes.submit(touch, null).catch(() => undefined));
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    const waiting = [1, 2].map(() => writes.submit(touch, null));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"T","body":"B"}',
    });
    const answer = { status: response.status, headers: response.headers, body: await response.json() };
    expectUnavailable(answer);
    expect(answer.body.detail).toContain('2 writes are waiting');
    other.exec('rollback');
    await Promise.all([...running, ...waiting]);
    expect(
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: '{"title":"T","body":"B"}',
        })
      ).status
    ).toBe(201);

    other.close();
    server.closeAllConnections();
    server.close();
    await writes.close();
    await db.destroy();
  });
});

const canLimit = ((): boolean => {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A bridge in a separate process with a limited file size, which has the effect of a full disk. */
class LimitedBridge {
  url = '';
  dataDir = '';
  #child!: ChildProcess;

  async start(): Promise<void> {
    this.dataDir = temporaryFolder();
    const main = path.join(import.meta.dirname, '..', '..', 'backend-bridge', 'src', 'main.ts');
    const env = {
      ...process.env,
      NODEBELL_PORT: '0',
      NODEBELL_DATA_DIR: this.dataDir,
      NODEBELL_AUTH: 'none',
      NODEBELL_RATE_LIMIT: '0',
      NODEBELL_LOG_LEVEL: 'info',
    };
    this.#child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.url = await new Promise<string>((resolve, reject) => {
      let output = '';
      this.#child.stdout!.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const ready = /"url":"([^"]+)"/.exec(output);
        if (ready) {
          resolve(ready[1]!);
        }
      });
      this.#child.once('exit', () => reject(new Error(`the bridge did not start: ${output}`)));
    });
  }

  limitFiles(bytes: number | 'unlimited'): void {
    execFileSync('prlimit', ['--pid', String(this.#child.pid), `--fsize=${bytes}:unlimited`]);
  }

  async stop(): Promise<void> {
    const gone =
      this.#child.exitCode === null ? new Promise((resolve) => this.#child.once('exit', resolve)) : undefined;
    this.#child.kill('SIGTERM');
    await gone;
  }

  async request(method: string, pathAndQuery: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + pathAndQuery, {
      method,
      ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    };
  }
}

describe.skipIf(!canLimit)('while the disk is full', () => {
  const bridge = new LimitedBridge();
  beforeEach(() => bridge.start());
  afterEach(async () => {
    await bridge.stop();
    await rm(bridge.dataDir, { recursive: true, force: true });
  });

  it('sends respond 503 with Retry-After, no partial writes, reads work; with free space it recovers', async () => {
    const post = (title: string) =>
      bridge.request('POST', NOTIFICATIONS, {
        title,
        body: 'x'.repeat(20_000),
        correlationId: title,
        dnpName: 'one.dnp',
      });
    const listed = async () =>
      ((await bridge.request('GET', `${NOTIFICATIONS}?limit=1000`)).body as Notification[]).map(({ id }) => id);
    const stored: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { status, body } = await post(`before ${index}`);
      expect(status).toBe(201);
      stored.push(body.id);
    }
    const { size } = await stat(path.join(bridge.dataDir, 'nodebell.db-wal'));
    bridge.limitFiles(size);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => post(`while ${index}`)));
    answers.forEach(expectUnavailable);
    expectUnavailable(await bridge.request('GET', '/readyz'));
    expect((await bridge.request('GET', '/healthz')).status).toBe(200);
    expect(await listed()).toEqual([...stored].reverse());
    expect((await bridge.request('GET', `${NOTIFICATIONS}/facets`)).body).toMatchObject({
      total: 5,
      lastId: stored.at(-1),
    });

    bridge.limitFiles('unlimited');
    const after = await post('after');
    expect(after.status).toBe(201);
    expect((await bridge.request('GET', '/readyz')).status).toBe(200);
    expect(await listed()).toEqual([after.body.id, ...[...stored].reverse()]);
    await bridge.stop();
    const database = new SqliteDatabase(path.join(bridge.dataDir, 'nodebell.db'));
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.prepare('select count(*) as n from notifications').get()).toEqual({ n: 6 });
    expect(database.prepare('select count(*) as n from threads').get()).toEqual({ n: 6 });
    expect(database.prepare('select count(*) as n from events').get()).toEqual({ n: 6 });
    expect(database.prepare('select sum(n) as n from counts where scope = 0 and span = 0').get()).toEqual({ n: 6 });
    database.close();
    expect((await readFile(path.join(bridge.dataDir, 'admin-token'), 'utf8')).length).toBeGreaterThan(16);
  });
});
