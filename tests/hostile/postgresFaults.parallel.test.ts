/**
 * Faults of PostgreSQL, each made for real while senders send: readiness and responses report it long before a statement times out, and
 * afterwards nothing that was acknowledged is missing or doubled, in the store and in the event stream.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import pg from 'pg';
import { afterEach, expect, test, type TestContext, vi } from 'vitest';
import type { EventData } from '../../backend-bridge/contract/event.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { BridgeStatus, StoreFailureReason } from '../../backend-bridge/contract/status.ts';
import { PostgresServer } from '../../backend-bridge/src/platform/storage/postgres/server.testing.ts';
import { FAILURE_TEXTS } from '../../backend-bridge/src/platform/storage/storeError.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { createDatabase, startAgain } from '../proofs/kills.ts';
import { type Proxy, startProxy } from '../proofs/proxy.ts';
import { type Senders, startSenders } from '../proofs/senders.ts';
import { compare, recount } from '../proofs/stored.ts';

/** Only against hanging. */
const HANGING = { timeout: 60_000, interval: 100 };
const SENDERS = 4;
/** While so many sends are rejected, readiness does not change. */
const CHECKED = 100;

interface World {
  server: PostgresServer;
  proxy: Proxy;
  bridge: RunningBridge;
  senders: Senders;
  databaseUrl: string;
  /** Titles that a page knows from one event stream, which is not opened again. */
  streamed: Set<string>;
}

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) {
    await one();
  }
});

async function start(server?: PostgresServer): Promise<World> {
  const own = server ?? (await startServer());
  const databaseUrl = own.url('nodebell');
  const proxy = await startProxy(Number(new URL(databaseUrl).port));
  undo.push(() => proxy.close());
  const url = Object.assign(new URL(databaseUrl), { port: String(proxy.port) }).href;
  const bridge = await startBridge({ NODEBELL_DATABASE_URL: url });
  const streamed = await openStream(bridge);
  const senders = startSenders({ urls: [bridge.url], senders: SENDERS, pauseMs: 20 });
  const world = { server: own, proxy, bridge, senders, databaseUrl, streamed };
  await progress(world);
  return world;
}

async function startBridge(settings: Record<string, string>): Promise<RunningBridge> {
  const bridge = await runBridge(undefined, { NODEBELL_LOG_LEVEL: 'silent', ...settings });
  undo.push(() => bridge.kill('SIGKILL').then(() => bridge.stop()));
  return bridge;
}

async function startServer(disk?: string): Promise<PostgresServer> {
  const server = await PostgresServer.open({ ...(disk !== undefined && { disk }) });
  undo.push(() => server.remove());
  await createDatabase(server);
  return server;
}

async function query(
  server: PostgresServer,
  ...statements: string[]
): Promise<pg.QueryResult<Record<string, string>>[]> {
  const client = new pg.Client({ connectionString: server.url('nodebell') });
  await client.connect();
  try {
    const results = [];
    for (const statement of statements) {
      results.push(await client.query<Record<string, string>>(statement));
    }
    return results;
  } finally {
    await client.end();
  }
}

/** Behaves like a page: it keeps the stream, and reloads everything on `reset`. */
async function openStream(bridge: RunningBridge): Promise<Set<string>> {
  const titles = new Set<string>();
  const closing = new AbortController();
  undo.push(() => closing.abort());
  const load = async (): Promise<void> => {
    const response = await bridge.get('/api/v1/notifications?limit=1000');
    expect(response.status).toBe(200);
    ((await response.json()) as Notification[]).forEach(({ title }) => titles.add(title));
  };
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'notification') {
        titles.add((JSON.parse(data) as EventData<'notification'>).notification.title);
      } else if (event === 'reset') {
        void vi.waitFor(load, HANGING).catch(() => undefined);
      }
    },
  });
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
  const { body } = await fetch(`${bridge.url}/api/v1/events`, { headers, signal: closing.signal });
  const reader = body!.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    const { value, done } = await reader.read();
    if (!done) {
      parser.feed(decoder.decode(value, { stream: true }));
      await read();
    }
  };
  void read().catch(() => undefined);
  await load();
  return titles;
}

async function progress({ senders }: World): Promise<void> {
  const before = senders.acknowledged.length;
  await vi.waitFor(() => expect(senders.acknowledged.length).toBeGreaterThan(before + SENDERS), HANGING);
}

/** Senders get 503; readiness and status name the failure, at each request for a while. */
async function notReady({ bridge, senders }: World, reason: StoreFailureReason): Promise<void> {
  const rejected = senders.statuses.get(503) ?? 0;
  await vi.waitFor(() => expect(senders.statuses.get(503) ?? 0).toBeGreaterThan(rejected), HANGING);
  const check = async (): Promise<void> => {
    const response = await fetch(`${bridge.url}/readyz`);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining(FAILURE_TEXTS[reason])]);
    const { storeWritable, storeFailure } = (await (await bridge.get('/api/v1/status')).json()) as BridgeStatus;
    expect([storeWritable, storeFailure?.reason]).toEqual([false, reason]);
  };
  await vi.waitFor(check, HANGING);
  for (const until = senders.statuses.get(503)! + CHECKED; (senders.statuses.get(503) ?? 0) < until;) {
    await check();
  }
}

/** @param restarted the bridge was; else no attempt was given up by its sender: each got a response */
async function recovered(world: World, { restarted = false } = {}): Promise<void> {
  const { bridge, senders, databaseUrl, streamed } = world;
  await vi.waitFor(async () => expect((await fetch(`${bridge.url}/readyz`)).status).toBe(200), HANGING);
  await progress(world);
  await senders.end();
  expect(senders.statuses.has(0)).toBe(restarted);
  expect(await compare((path) => bridge.get(path), senders.acknowledged)).toEqual([]);
  expect(await recount(databaseUrl)).toEqual([]);
  await vi.waitFor(() => expect([...streamed].sort()).toEqual(senders.acknowledged.toSorted()), HANGING);
}

interface Fault {
  name: string;
  reason: StoreFailureReason;
  make: (world: World) => unknown;
  end: (world: World) => unknown;
}
const FAULTS: Fault[] = [
  {
    name: 'the server hangs (SIGSTOP), and goes on',
    reason: 'unreachable',
    make: ({ server }) => server.signal('SIGSTOP'),
    end: ({ server }) => server.signal('SIGCONT'),
  },
  {
    name: 'the server is killed (SIGKILL), and started again',
    reason: 'unreachable',
    make: ({ server }) => server.kill('SIGKILL'),
    end: ({ server }) => startAgain(server),
  },
  {
    name: 'the network drops everything, and leaves connections half-open',
    reason: 'unreachable',
    make: ({ proxy }) => proxy.set('hole'),
    end: ({ proxy }) => proxy.set('open'),
  },
  {
    name: 'the server becomes read-only (default_transaction_read_only), and writable again',
    reason: 'read_only',
    make: ({ server }) =>
      query(server, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()'),
    end: ({ server }) => query(server, 'alter system reset default_transaction_read_only', 'select pg_reload_conf()'),
  },
];

test.each(FAULTS)('$name', { timeout: 600_000 }, async ({ make, end, reason }) => {
  const world = await start();
  await make(world);
  await notReady(world, reason);
  await end(world);
  await recovered(world);
});

test(
  'the primary becomes a standby, and the address belongs to the new primary later',
  { timeout: 600_000 },
  async () => {
    const server = await startServer();
    await server.kill('SIGINT');
    const standby = await PostgresServer.open({ standbyOf: server });
    undo.push(() => standby.remove());
    // A commit is acknowledged when it is on both.
    await server.start(['synchronous_standby_names=*']);
    const world = await start(server);
    await server.kill('SIGINT');
    await query(standby, 'select pg_promote()');
    writeFileSync(join(server.dataDir, 'standby.signal'), '');
    // It can still be read, and stays as it is.
    await server.start();
    await notReady(world, 'read_only');
    world.proxy.lead(standby.port);
    await recovered({ ...world, databaseUrl: standby.url('nodebell') });
  }
);

test('its disk is full, and has space again', { timeout: 600_000 }, async (context: TestContext) => {
  const disk = mkdtempSync(join(tmpdir(), 'nodebell-postgres-disk-'));
  undo.push(() => rmSync(disk, { recursive: true }));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk], { stdio: 'pipe' });
  } catch (error) {
    context.skip(`a tmpfs cannot be mounted here: ${(error as Error).message}`);
  }
  undo.push(() => execFileSync('umount', ['-l', disk]));
  const world = await start(await startServer(disk));
  const filler = join(disk, 'filler');
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(bavail * bsize));
  await notReady(world, 'disk_full');
  truncateSync(filler, 0);
  await recovered(world);
});

test(
  'a damaged page is reported, nothing more is acknowledged, and nothing is missing once it is restored',
  { timeout: 600_000 },
  async () => {
    const world = await start();
    const { server, bridge } = world;
    const [, path] = await query(server, 'checkpoint', "select pg_relation_filepath('notifications') as file");
    await server.kill('SIGINT');
    const file = join(server.dataDir, path!.rows[0]!.file!);
    const intact = readFileSync(file);
    writeFileSync(file, Buffer.from(intact).fill(0xa5));
    await startAgain(server);
    await vi.waitFor(async () => expect((await bridge.get('/api/v1/notifications')).status).toBe(503), HANGING);
    await notReady(world, 'corrupt');
    await server.kill('SIGINT');
    writeFileSync(file, intact);
    await startAgain(server);
    await bridge.kill('SIGTERM');
    const settings = { NODEBELL_DATABASE_URL: world.databaseUrl, NODEBELL_PORT: new URL(bridge.url).port };
    const restarted = await startBridge(settings);
    await recovered({ ...world, bridge: restarted, streamed: await openStream(restarted) }, { restarted: true });
  }
);
