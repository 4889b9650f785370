/** Cost of requests with a number of notifications stored. */
import { fill } from './data.ts';
import { repeatFor, sendAll, shown } from './load.ts';
import type { Part } from './stores.ts';

const REQUESTS = [
  ['list', '/api/v1/notifications?limit=50'],
  ['threads, unread', '/api/v1/notifications?latest=true&seen=false&limit=50'],
  ['counts', '/api/v1/notifications/facets'],
  ['search', '/api/v1/notifications?q=validator&limit=50'],
] as const;

export const stored: Part = async (store, { seconds, counts }) => {
  const rows: string[][] = [];
  for (const count of counts) {
    const place = await store.place();
    await fill(place.address, count);
    const bridge = await place.bridge();
    const size = count.toLocaleString('en-US');
    for (const [name, path] of REQUESTS) {
      await repeatFor(() => bridge.get(path), 0.5);
      rows.push([
        `${size} stored: ${name}, ms p50 / p99 / p99.9`,
        shown(await repeatFor(() => bridge.get(path), seconds)),
      ]);
    }
    const { rate } = await sendAll(bridge.url, seconds, 32);
    rows.push([`${size} stored: sends of 32 connections`, `${rate.toFixed(0)} a second`]);
    rows.push([`${size} stored: memory`, `${(bridge.memory() / 2 ** 20).toFixed(0)} MiB`]);
    await bridge.stop();
    await place.remove();
  }
  return rows;
};
