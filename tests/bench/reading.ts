/** Lists while others send, and sends while others read. */
import { setTimeout as wait } from 'node:timers/promises';
import { fillLarge, sendHonestly, startGreedyReaders } from './greedy.ts';
import { reader, repeatFor, sendAll, shown, timesOf } from './load.ts';
import type { BenchStore, Part } from './stores.ts';

/** Senders that each wait for their response: what one reader meets in a busy installation. */
const SENDERS = 4;

/** Waits for the search index of the bridge: what is read alone shall be alone. */
const SETTLE_MS = 2000;

export const reading: Part = async (store, { seconds }) => {
  const place = await store.place();
  const bridge = await place.bridge();
  const read = reader(`${bridge.url}/api/v1/notifications?limit=50`);
  await sendAll(bridge.url, seconds, SENDERS);
  await repeatFor(read, seconds / 2);
  await wait(SETTLE_MS);
  const quiet = await repeatFor(read, seconds);
  const rows: string[][] = [['A list of 50, ms p50 / p99 / p99.9', shown(quiet)]];
  for (const connections of [SENDERS, 128]) {
    const sending = sendAll(bridge.url, seconds * 2, connections);
    const times = await repeatFor(read, seconds * 2, sending);
    const { rate } = await sending;
    rows.push([
      `the same while ${connections} connections send without a pause`,
      `${shown(times)} (${rate.toFixed(0)} sends a second)`,
    ]);
  }
  await bridge.stop();
  await place.remove();
  return [...rows, ...(await besideReaders(store, seconds))];
};

/** Lists of 1,000 with bodies of 4 KB that one user keeps in flight. */
const GREEDY = [0, 6, 50, 200];

async function besideReaders(store: BenchStore, seconds: number): Promise<string[][]> {
  const place = await store.place();
  const bridge = await place.bridge();
  await fillLarge(bridge.url, 2000);
  const rows: string[][] = [];
  for (const lists of GREEDY) {
    const stop = lists > 0 ? await startGreedyReaders({ url: bridge.url, lists }) : () => Promise.resolve(0);
    const end = performance.now() + seconds * 2000;
    const times = timesOf(await sendHonestly(bridge.url, () => performance.now() > end));
    const rate = (await stop()) / (seconds * 2);
    rows.push(
      lists === 0
        ? ['One send after another, ms p50 / p99 / p99.9', shown(times)]
        : [
            `the same while one user keeps ${lists} lists of 4 MB in flight`,
            `${shown(times)} (${rate.toFixed(0)} lists a second)`,
          ]
    );
  }
  await bridge.stop();
  await place.remove();
  return rows;
}
