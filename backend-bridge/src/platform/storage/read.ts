/** Reads of the store, and the messages between the read pool and a reading thread. */
import type { Database } from './engine.ts';

/** The result of a read: values that can be cloned, and the body of the response, which is passed on without a copy. */
export interface Answer {
  /** Undefined: there is none. */
  body?: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Reads the store for a response. Runs in a reading thread, so that neither its rows nor their JSON are ever on the main thread.
 * Arguments and answer are cloned.
 * @param now UTC milliseconds
 */
export type Read<A, R extends Answer = Answer> = (db: Database, args: A, now: number) => Promise<R>;
/** A read of any arguments and answer, for the table of reads. */
export type AnyRead = Read<never>;

/** All reads by name, and the module that runs them as a reading thread. */
export interface ReadTable {
  thread: URL;
  kinds: Readonly<Record<string, AnyRead>>;
}

/** Runs reads. */
export interface Reads {
  /**
   * @param wanted called when its turn comes. Default: it is wanted
   * @throws NotWanted
   * @throws StoreUnavailable when its thread ended
   */
  run<A, R extends Answer>(read: Read<A, R>, args: A, wanted?: () => boolean): Promise<R>;
  close(): Promise<void>;
}

/** Nobody waits for the answer any more. */
export class NotWanted extends Error {}

const REJECTED = 'REJECTED_READ';

/** The request needs more than a read may do; the message says what to do. A reading thread passes on its code. */
export class RejectedRead extends Error {
  readonly code = REJECTED;
}

export const isRejected = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === REJECTED;

/** To a reading thread. */
export interface ReadRequest {
  id: number;
  name: string;
  args: unknown;
  now: number;
}
/** To a reading thread: `close` ends it after the reads that it runs; the others are members of the engine. */
export type ReadCommand = 'close' | 'disconnect' | 'reconnect';
/** From a reading thread, with the id of the request. `code`: of the database. */
export type ReadOutcome = { id: number } & (
  { ok: true; answer: Answer } | { ok: false; message: string; code?: string | undefined; stack?: string | undefined }
);

/** The body of a response. */
export const text = (value: string): Answer => ({ body: new TextEncoder().encode(value) });

/** The body of a response; none for undefined. */
export const json = (value: unknown): Answer => (value === undefined ? {} : text(JSON.stringify(value)));

/** Runs reads on a database that does not block: each at once. @param now UTC milliseconds */
export const readsInProcess = (db: Database, now: () => number): Reads => ({
  run: (read, args) => read(db, args, now()),
  close: () => Promise.resolve(),
});
