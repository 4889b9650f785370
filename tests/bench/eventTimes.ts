/** From the start of a send to its event on an open stream. */
import { ADMIN_TOKEN } from './bridge.ts';
import { BODY, SEND_PATH, shown, timesOf } from './load.ts';
import type { Part } from './stores.ts';

const SENDS = 300;

export const eventTimes: Part = async (store) => {
  const place = await store.place();
  const bridge = await place.bridge();
  const ending = new AbortController();
  const stream = await fetch(`${bridge.url}/api/v1/events`, {
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    signal: ending.signal,
  });
  const reader = stream.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const arrivalOf = async (mark: string): Promise<void> => {
    while (!text.includes(mark)) {
      const { value, done } = await reader.read();
      if (done) {
        throw new Error('the stream of events ended');
      }
      text += decoder.decode(value, { stream: true });
    }
    text = '';
  };
  const times: number[] = [];
  for (let send = 0; send < SENDS; send += 1) {
    const title = `event ${send} of the bench`;
    const start = performance.now();
    const body = JSON.stringify({ ...(JSON.parse(BODY) as object), title });
    const headers = { 'Content-Type': 'application/json' };
    await Promise.all([
      fetch(bridge.url + SEND_PATH, { method: 'POST', headers, body }).then((response) => response.arrayBuffer()),
      arrivalOf(title).then(() => times.push(performance.now() - start)),
    ]);
  }
  ending.abort();
  await bridge.stop();
  await place.remove();
  return [['From a send to its event on a stream, ms p50 / p99 / p99.9', shown(timesOf(times))]];
};
