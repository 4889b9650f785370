/** Readers that request more than the bridge can hold: on one connection, on many, and of every operation; and a sender beside them. */
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { fillLarge, sendHonestly, startGreedyReaders } from '../bench/greedy.ts';
import { median, percentile } from '../bench/table.ts';
import { requestsOf } from '../proofs/requestValues.ts';
import type { Schema } from '../proofs/schemaValues.ts';

/** Far below the resident set that the old space of 384 MB and the rest of the process would allow. */
const MAX_RSS = 450 * 1024 * 1024;
const ADMIN = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const AT_ONCE = 400;

let bridge: RunningBridge;
afterEach(() => bridge.stop());

interface Raw {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

const textOf = ({ method, path, headers, body }: Raw): Buffer => {
  const all = { Host: '127.0.0.1', ...headers, ...(body && { 'Content-Length': String(body.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([
    Buffer.from([`${method.toUpperCase()} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1'),
    ...(body ? [body] : []),
  ]);
};

/** Writes bytes to a connection of its own. Resolves when the bridge has closed it, or has responded to a last request that says so. */
const exchange = (bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(bridge.url);
    const statuses: string[] = [];
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      statuses.push(...(chunk.toString('latin1').match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? []));
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(statuses.join(' ')));
  });
const LAST = textOf({ method: 'GET', path: '/healthz', headers: { Connection: 'close' } });

/** Runs work while `/healthz` is requested over and over. */
async function watched<T>(work: Promise<T>): Promise<{ result: T; probes: number; rss: number }> {
  const state = { done: false, probes: 0, rss: 0 };
  const probing = (async () => {
    while (!state.done && bridge.ended === null) {
      const response = await fetch(`${bridge.url}/healthz`).catch(() => undefined);
      await response?.arrayBuffer();
      state.probes += response?.ok && !state.done ? 1 : 0;
      state.rss = Math.max(state.rss, bridge.ended === null ? bridge.memory() : 0);
      await wait(5);
    }
  })();
  const result = await work;
  state.done = true;
  await probing;
  return { result, probes: state.probes, rss: state.rss };
}

describe('lists on one connection', () => {
  test.each([
    ["without a token in DAppNode's network", 60, '/api/v1/notifications', {}, { NODEBELL_COMPAT: 'dappnode' }],
    ['with collapsed bursts', 99, '/api/v1/notifications?latest=true&bursts=collapsed&limit=1000', ADMIN, {}],
    ['more than may wait', 400, '/api/v1/notifications?limit=1000', ADMIN, {}],
  ])('%s: %i requests', async (_kind, count, path, headers, settings) => {
    bridge = await runBridge(undefined, settings);
    await fillLarge(bridge.url, 1965);
    const request = textOf({ method: 'GET', path, headers });
    const flood = Buffer.concat([...Array.from({ length: count }, () => request), LAST]);
    const { result, rss } = await watched(exchange(flood));
    expect(bridge.ended).toBe(null);
    expect(rss).toBeLessThan(MAX_RSS);
    expect(result).toMatch(count > 100 ? /^(200)?$/ : /^(200 ?)+$/);
    expect((await bridge.get('/api/v1/notifications?limit=1')).status).toBe(200);
  });
});

describe('one user with 50 lists in flight', () => {
  /** Sends of each of the rounds alone, and of each beside the reader: other load on the machine meets both. */
  const SENDS = 40;
  const ROUNDS = 3;
  /** Without reading threads, the median is hundreds of times as long: each send waits for the lists before it. */
  const MAX_RATIO = 20;
  /** Only against hanging. */
  const MAX_MS = 5000;

  test('does not delay sends', async () => {
    bridge = await runBridge();
    await fillLarge(bridge.url, 2000);
    const alone: number[] = [];
    const beside: number[] = [];
    let lists = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(...(await sendHonestly(bridge.url, (sent) => sent === SENDS)));
      const stop = await startGreedyReaders({ url: bridge.url, lists: 50 });
      beside.push(...(await sendHonestly(bridge.url, (sent) => sent === SENDS)));
      lists += await stop();
    }
    expect(lists).toBeGreaterThan(ROUNDS);
    expect(median(beside) / median(alone)).toBeLessThan(MAX_RATIO);
    expect(percentile(beside, 99)).toBeLessThan(MAX_MS);
    expect(bridge.memory()).toBeLessThan(MAX_RSS);
  });
});

describe('every operation', () => {
  /** The probe runs in the process that sends: a flood that ends before may leave it no turn. */
  const SHORT_MS = 2000;

  test(
    `${AT_ONCE} in parallel and ${AT_ONCE} pipelined: the bridge responds, within its memory`,
    { timeout: 900_000 },
    async () => {
      bridge = await runBridge(undefined, { NODEBELL_LOG_LEVEL: 'silent' });
      await fillLarge(bridge.url, 2000);
      const page = (await (await bridge.get('/api/v1/openapi.json')).json()) as Schema;
      const operations = Object.entries(page.paths as Schema).flatMap(([path, methods]) =>
        Object.entries(methods as Schema).map(([method, described]) => ({
          path,
          method,
          described: described as Schema,
        }))
      );
      // Reads first, while there is something to read.
      operations.sort((a, b) => Number(b.method === 'get') - Number(a.method === 'get'));
      const seed = Date.now();
      const starved: string[] = [];
      let highest = { rss: 0, id: '' };
      for (const { path, method, described } of operations) {
        const id = described.operationId as string;
        const sample = fc.sample(requestsOf(path, described, page), { numRuns: 20, seed });
        // Most generated queries are rejected.
        const bare = sample.slice(0, 5).map((one) => ({ ...one, path: one.path.replace(/\?.*/, '') }));
        const usual = [...sample, ...bare].map((one) =>
          textOf({ method, ...one, headers: { ...one.headers, ...ADMIN } })
        );
        const many = (each: number): Buffer[] =>
          Array.from({ length: each }, (_, index) => usual[index % usual.length]!);
        const flood = Promise.race([
          Promise.all([
            exchange(Buffer.concat([...many(AT_ONCE), LAST])),
            ...many(AT_ONCE).map((one) => exchange(Buffer.concat([one, LAST]))),
          ]),
          // Event streams do not end.
          ...(id === 'listenEvents' ? [wait(2000)] : []),
        ]);
        const began = performance.now();
        const { probes, rss } = await watched(flood);
        highest = rss > highest.rss ? { rss, id } : highest;
        if (probes === 0 && performance.now() - began > SHORT_MS) {
          starved.push(id);
        }
        expect([id, seed, bridge.ended]).toEqual([id, seed, null]);
      }
      expect({ starved, seed }).toEqual({ starved: [], seed });
      expect(highest.rss, highest.id).toBeLessThan(MAX_RSS);
    }
  );
});
