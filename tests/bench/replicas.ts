/** One bridge against two on the same PostgreSQL database, with the same senders. All share the machine's cores. */
import { sendAll } from './load.ts';
import type { Part } from './stores.ts';

export const replicas: Part = async (store, { seconds }) => {
  if (store.name === 'SQLite') {
    return [];
  }
  const place = await store.place();
  const bridges = [await place.bridge(), await place.bridge()];
  const rates: number[] = [];
  for (const used of [bridges.slice(0, 1), bridges]) {
    const all = () => Promise.all(used.map(({ url }) => sendAll(url, seconds, 128 / used.length)));
    await all();
    rates.push((await all()).reduce((sum, { rate }) => sum + rate, 0));
  }
  await Promise.all(bridges.map((bridge) => bridge.stop()));
  await place.remove();
  return [
    ['Durable sends to one replica of two', `${rates[0]!.toFixed(0)} a second`],
    ['the same senders to both replicas', `${rates[1]!.toFixed(0)} a second (${(rates[1]! / rates[0]!).toFixed(2)})`],
  ];
};
