/** One client of the event stream: whose it is, and how far it has got. */
import type { Reader } from '../readers/writes.ts';
import type { Connection } from './connections.ts';
import { type Batch, type Frame, frameBytes } from './frames.ts';

/** How often the reader of an open stream is looked up once it is known, so that the visit is recorded. */
const LOOKUP_EVERY_MS = 3_600_000;

/** Whose the stream is; undefined while that is nobody who has a state of their own. */
export type ReaderOf = () => Promise<Reader | undefined>;

export interface Client {
  connection: Connection;
  readerOf: ReaderOf | undefined;
  reader: Reader | undefined;
  /** When the reader was looked up. */
  lookedUp: number;
  /** The last event that it was sent. */
  sent: number;
}

/** @returns whether the stream is somebody else's than before: one who was new while the store could not write */
export async function lookUpReader(client: Client): Promise<boolean> {
  const before = client.reader?.id;
  if (client.readerOf !== undefined && (before === undefined || Date.now() - client.lookedUp > LOOKUP_EVERY_MS)) {
    client.lookedUp = Date.now();
    // One who was known stays so: not to be found for once is no other state.
    client.reader = (await client.readerOf()) ?? client.reader;
  }
  return client.reader?.id !== before;
}

/** Tells it to load everything again; it goes on after `id`. */
export function sendReset(client: Client, id: number): void {
  client.sent = id;
  client.connection.write(frameBytes(id, 'reset', {}));
}

/** Sends what it has not been sent of a batch. */
export function sendBatch(client: Client, batch: Batch, frames: readonly Frame[]): void {
  const chunk = batch.chunk(frames, client.sent);
  client.sent = Math.max(client.sent, batch.last);
  if (chunk.length > 0) {
    client.connection.write(chunk);
  }
}
