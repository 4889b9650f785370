/** Sends while retention removes old notifications, against none. */
import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_TOKEN } from './bridge.ts';
import { fill } from './data.ts';
import { sendAll, shown } from './load.ts';
import type { Part } from './stores.ts';

const OLD = 50_000;
/** It looks for what to remove every ten seconds. Milliseconds. */
const START_MS = 30_000;

export const retaining: Part = async (store, { seconds }) => {
  const place = await store.place();
  await fill(place.address, OLD);
  const bridge = await place.bridge();
  const without = await sendAll(bridge.url, seconds, 32);
  const set = await fetch(`${bridge.url}/api/v1/retention`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ maxNotifications: 1000 }),
  });
  if (!set.ok) {
    throw new Error(`PUT /retention: ${set.status} ${await set.text()}`);
  }
  const removed = async (): Promise<number> =>
    ((await (await bridge.get('/api/v1/retention')).json()) as { removed: number }).removed;
  let first = 0;
  for (const end = Date.now() + START_MS; first === 0 && Date.now() < end; first = await removed()) {
    await wait(100);
  }
  const during = await sendAll(bridge.url, seconds, 32);
  const count = (await removed()) - first;
  await bridge.stop();
  await place.remove();
  return [
    [
      'Sends of 32 connections without retention, ms p50 / p99 / p99.9',
      `${without.rate.toFixed(0)} a second; ${shown(without)}`,
    ],
    ['the same while retention removes', `${during.rate.toFixed(0)} a second; ${shown(during)}; ${count} removed`],
  ];
};
