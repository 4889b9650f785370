/**
 * Faults of PostgreSQL, each made for real while senders send: readiness and responses say so long before a statement times out, and
 * afterwards nothing that was acknowledged is missing or doubled, in the store and in the event stream.
 */
import { afterEach, expect, test, vi } from 'vitest';
import { createParser } from 'eventsource-parser';
import type { EventData } from '../../backend-bridge/contract/event.ts';
import type { Notification } from '../../backend-bridge/contract/notification.ts';
import type { BridgeStatus } from '../../backend-bridge/contract/status.ts';
import { type PostgresServer, startPostgres } from '../../backend-bridge/src/storage/postgres/server.testing.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { createDatabase, startAgain } from '../proofs/kills.ts';
import { type Proxy, startProxy } from '../proofs/proxy.ts';
import { type Senders, startSenders } from '../proofs/senders.ts';
import { compare, recount } from '../proofs/stored.ts';

/** Only against hanging. */
const HANGING = { timeout: 60_000, interval: 100 };
const SENDERS = 4;

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

async function start(): Promise<World> {
  const server = await startPostgres();
  undo.push(() => server.remove());
  const databaseUrl = await createDatabase(server);
  const proxy = await startProxy(Number(new URL(databaseUrl).port));
  undo.push(() => proxy.close());
  const url = Object.assign(new URL(databaseUrl), { port: String(proxy.port) }).href;
  const bridge = await runBridge(undefined, { NODEBELL_DATABASE_URL: url, NODEBELL_LOG_LEVEL: 'silent' });
  undo.push(() => bridge.kill('SIGKILL').then(() => bridge.stop()));
  const streamed = await openStream(bridge);
  const senders = startSenders({ urls: [bridge.url], senders: SENDERS, pauseMs: 20 });
  const world = { server, proxy, bridge, senders, databaseUrl, streamed };
  await progress(world);
  return world;
}

/** As a page does: it keeps the stream, and reloads everything on `reset`. */
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
  return titles;
}

async function progress({ senders }: World): Promise<void> {
  const before = senders.acknowledged.length;
  await vi.waitFor(() => expect(senders.acknowledged.length).toBeGreaterThan(before + SENDERS), HANGING);
}

/** Senders get 503; readiness and status name the failure. */
async function unreachable({ bridge, senders }: World): Promise<void> {
  const rejected = senders.statuses.get(503) ?? 0;
  await vi.waitFor(() => expect(senders.statuses.get(503) ?? 0).toBeGreaterThan(rejected), HANGING);
  await vi.waitFor(async () => {
    const response = await fetch(`${bridge.url}/readyz`);
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining('The database server cannot be reached.'),
    ]);
  }, HANGING);
  const { storeWritable, storeFailure } = (await (await bridge.get('/api/v1/status')).json()) as BridgeStatus;
  expect([storeWritable, storeFailure?.reason]).toEqual([false, 'unreachable']);
}

async function recovered(world: World): Promise<void> {
  const { bridge, senders, databaseUrl, streamed } = world;
  await vi.waitFor(async () => expect((await fetch(`${bridge.url}/readyz`)).status).toBe(200), HANGING);
  await progress(world);
  await senders.end();
  // No attempt was given up by its sender: each got a response.
  expect(senders.statuses.get(0)).toBeUndefined();
  expect(await compare((path) => bridge.get(path), senders.acknowledged)).toEqual([]);
  expect(await recount(databaseUrl)).toEqual([]);
  await vi.waitFor(() => expect([...streamed].sort()).toEqual(senders.acknowledged.toSorted()), HANGING);
}

interface Fault {
  name: string;
  make: (world: World) => unknown;
  end: (world: World) => unknown;
}
const FAULTS: Fault[] = [
  {
    name: 'the server hangs (SIGSTOP), and goes on',
    make: ({ server }) => server.signal('SIGSTOP'),
    end: ({ server }) => server.signal('SIGCONT'),
  },
  {
    name: 'the server is killed (SIGKILL), and started again',
    make: ({ server }) => server.kill('SIGKILL'),
    end: ({ server }) => startAgain(server),
  },
  {
    name: 'the network drops everything, and leaves connections half-open',
    make: ({ proxy }) => proxy.set('hole'),
    end: ({ proxy }) => proxy.set('open'),
  },
];

test.each(FAULTS)('$name', { timeout: 600_000 }, async ({ make, end }) => {
  const world = await start();
  await make(world);
  await unreachable(world);
  await end(world);
  await recovered(world);
});
