/** Lists and single sends while others send. */
import { setTimeout as wait } from 'node:timers/promises';
import { reader, repeatFor, sendAll, shown } from './load.ts';
import type { Part } from './stores.ts';

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
  return rows;
};
