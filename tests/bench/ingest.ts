/**
 * Durable sends over HTTP, compared with an Express 5 route that only parses and returns the same body, several times in turn:
 * the ratio depends less on the machine than the rate. The load generator shares the machine's cores.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './bridge.ts';
import { sendAll, type Sent, shown } from './load.ts';
import type { Part } from './stores.ts';
import { median } from './table.ts';

async function runReference(name: string, ...args: string[]): Promise<{ url: string; stop(): void }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, `reference/${name}.ts`), String(port), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill('SIGKILL') };
}

/** Waits for the search index of the bridge, so that it does not slow down the next measurement. */
const SETTLE_MS = 2000;
const BATCH: [connections: number, notifications: number] = [4, 1000];

export const ingest: Part = async (store, { seconds, rounds }) => {
  const [place, other] = [await store.place(), await store.place()];
  const bridge = await place.bridge();
  const parseOnly = await runReference('parseOnly');
  const perRequest = await runReference('commitPerRequest', ...(store.name === 'PostgreSQL' ? [other.address] : []));
  const targets: { url: string; batch?: [connections: number, notifications: number] }[] = [
    parseOnly,
    bridge,
    perRequest,
    { url: bridge.url, batch: BATCH },
  ];
  const results: Sent[][] = targets.map(() => []);
  for (const { url, batch = [] } of targets) {
    await sendAll(url, Math.ceil(seconds / 2), ...batch);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { url, batch = [] }] of targets.entries()) {
      results[index]!.push(await sendAll(url, seconds, ...batch));
      await wait(SETTLE_MS);
    }
  }
  const memory = bridge.memory();
  await bridge.stop();
  parseOnly.stop();
  perRequest.stop();
  await place.remove();
  await other.remove();
  const rateOf = (index: number): number => median(results[index]!.map(({ rate }) => rate));
  const ratioOf = (index: number): number =>
    median(results[index]!.map(({ rate }, round) => rate / results[0]![round]!.rate));
  const middle = (key: 'p50' | 'p99' | 'p999'): number => median(results[1]!.map((sent) => sent[key]));
  const ratio = (index: number): string => `${ratioOf(index).toFixed(2)} (${rateOf(index).toFixed(0)} a second)`;
  return [
    ['Express route that only parses and returns the body', `1.00 (${rateOf(0).toFixed(0)} a second)`],
    ['Durable sends, 128 connections', ratio(1)],
    [`the same by batches of ${BATCH[1]}, ${BATCH[0]} connections`, ratio(3)],
    ['the same with one transaction for each request', ratio(2)],
    ['Durable sends, ms p50 / p99 / p99.9', shown({ p50: middle('p50'), p99: middle('p99'), p999: middle('p999') })],
    ['Memory of the bridge afterwards', `${(memory / 2 ** 20).toFixed(0)} MiB`],
  ];
};
