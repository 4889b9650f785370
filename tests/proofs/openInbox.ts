/** An open inbox: a stream of events that resumes where it was cut. */
import { setTimeout as wait } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { ADMIN_TOKEN } from '../bench/bridge.ts';

export interface OpenInbox {
  /** How many times it was told that somebody has responded to this notification. */
  times(id: number): number;
  close(): Promise<void>;
}

/** @param url of the bridge, also while it is down */
export function openInbox(url: string): OpenInbox {
  const told = new Map<number, number>();
  const ending = new AbortController();
  let last: string | undefined;
  const parser = createParser({
    onEvent({ id, event, data }) {
      last = id ?? last;
      const { ids = [] } = JSON.parse(data) as { ids?: number[] };
      if (event === 'responded') {
        ids.forEach((one) => told.set(one, (told.get(one) ?? 0) + 1));
      }
    },
  });
  const read = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, ...(last !== undefined && { 'Last-Event-ID': last }) };
    const { body } = await fetch(`${url}/api/v1/events`, { headers, signal: ending.signal });
    // An event that was cut off is sent again.
    parser.reset();
    const decoder = new TextDecoder();
    const reader = body!.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
    }
  };
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await read().catch(() => undefined);
      await wait(10);
    }
  };
  const running = run();
  return {
    times: (id) => told.get(id) ?? 0,
    async close() {
      ending.abort();
      await running;
    },
  };
}
