/** A client of the event stream: its reader and its position. */
import type { Reader } from '../readers/writes.ts';
import type { Connection } from './connections.ts';
import { type Batch, type Frame, frameBytes } from './frames.ts';

/** Interval at which a known reader of an open stream is looked up again, so that the visit is recorded. */
const LOOKUP_EVERY_MS = 3_600_000;

/** The reader; undefined: none with a read state of their own. */
export type ReaderOf = () => Promise<Reader | undefined>;

export interface Client {
  connection: Connection;
  readerOf: ReaderOf | undefined;
  reader: Reader | undefined;
  /** When the reader was looked up. */
  lookedUp: number;
  /** The last event sent to it. */
  sent: number;
}

/** @returns whether the reader has changed: it was new while the store could not write */
export async function lookUpReader(client: Client): Promise<boolean> {
  const before = client.reader?.id;
  if (
    client.readerOf !== undefined &&
    (before === undefined || performance.now() - client.lookedUp > LOOKUP_EVERY_MS)
  ) {
    client.lookedUp = performance.now();
    // A known reader stays: a failed lookup is not a change.
    client.reader = (await client.readerOf()) ?? client.reader;
  }
  return client.reader?.id !== before;
}

/** Makes it reload everything; it resumes after `id`. */
export function sendReset(client: Client, id: number): void {
  client.sent = id;
  client.connection.write(frameBytes(id, 'reset', {}));
}

/** Sends the events of a batch that it has not received yet. */
export function sendBatch(client: Client, batch: Batch, frames: readonly Frame[]): void {
  const chunk = batch.chunk(frames, client.sent);
  client.sent = Math.max(client.sent, batch.last);
  if (chunk.length > 0) {
    client.connection.write(chunk);
  }
}
