/** Writes of the store, and the messages between the write queue and the writer thread. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Transacting } from './engine.ts';
import type { JournalEvent } from './events.ts';

type NewEvent = Omit<JournalEvent, 'id'>;

/** The result of a write, and the events that report the change. */
export interface Written<R> {
  result: R;
  events: NewEvent[];
}

/** Nothing: neither a result nor an event. */
export type AnyWritten = Written<unknown> | void;

/** Changes the store. Runs in the writer thread, inside a transaction; arguments and result travel as JSON. */
export type Write<A, W extends AnyWritten> = (trx: Transacting, args: A) => Promise<W>;
export type ResultOf<W extends AnyWritten> = W extends Written<infer R> ? R : void;
/** A write of any arguments and result, for the table of writes. */
export type AnyWrite = Write<never, AnyWritten>;

/** A write and how the queue treats it. */
export interface WriteKind {
  write: AnyWrite;
  /** Runs calls that wait together at once. Default: one after another. */
  batch?: (trx: Transacting, calls: never[]) => Promise<{ results: unknown[]; events: NewEvent[] }>;
  /** It makes the database grow, so it is rejected while the disk is full: the space left is for deleting. */
  grows?: true;
  /** It finds out whether the store can be written again, so it is tried while the server cannot be reached. */
  probe?: true;
  /**
   * The argument that is a list of any length. A long list is cut into slices, each a transaction, which run one after another: other
   * writes pass in between. The results of the slices, which are lists, are joined. If one fails, those before it stay stored, so
   * repeating the call must not store them twice.
   */
  list?: string;
}

/** Entries of {@link WriteTable}, under the names of the writes. */
export const writesOf = <K extends string>(
  writes: Record<K, AnyWrite>,
  options: Omit<WriteKind, 'write'> = {}
): Record<K, WriteKind> =>
  Object.fromEntries(Object.entries<AnyWrite>(writes).map(([name, write]) => [name, { write, ...options }])) as Record<
    K,
    WriteKind
  >;

/** All writes by name, and the module that runs them as the writer thread. */
export interface WriteTable {
  thread: URL;
  kinds: Readonly<Record<string, WriteKind>>;
}

/** A call of a write by its name in the table. */
export interface WriteCall {
  name: string;
  args: unknown;
}
/** The outcome of a call. `code`: of the database. */
export type CallOutcome =
  | { ok: true; result: unknown }
  | {
      ok: false;
      message: string;
      code?: string | undefined;
      stack?: string | undefined;
      /** The commit may have happened nevertheless. */
      unknown?: true;
    };
/** A batch of calls as JSON, or one of the commands `checkpoint`, `disconnect` and `close`. */
export type WriterRequest = string;
/** From the writer thread. `failed`: the database could not be opened. */
export type WriterMessage =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'done'; outcomes: CallOutcome[]; events: JournalEvent[] };

const call = (name: string, args: string): string => `{"name":"${name}","args":${args}}`;

/**
 * Serialises a call once, when it is submitted.
 * @param list see {@link WriteKind}
 * @returns the call as JSON; several slices when it holds a long list
 */
export function serialise(name: string, args: unknown, list?: string): string[] {
  const items = list === undefined ? undefined : (args as Record<string, unknown>)[list];
  if (list === undefined || !Array.isArray(items) || items.length <= 1) {
    return [call(name, JSON.stringify(args))];
  }
  const { [list]: _items, ...rest } = args as Record<string, unknown>;
  const others = JSON.stringify(rest).slice(0, -1);
  const start = `${others}${others === '{' ? '' : ','}${JSON.stringify(list)}:[`;
  const texts = items.map((item) => JSON.stringify(item));
  return slicesOf(texts, ({ length }) => length).map((some) => call(name, `${start}${some.join(',')}]}`));
}

/** Items in slices of bounded size, of which each is written in a transaction of its own; a larger item is a slice of its own. */
export function slicesOf<T>(list: readonly T[], bytesOf: (item: T) => number): T[][] {
  const { sliceBytes, sliceItems } = LIMITS;
  const slices: T[][] = [];
  let slice: T[] = [];
  let length = 0;
  for (const item of list) {
    const bytes = bytesOf(item);
    if (slice.length === 0 || slice.length === sliceItems.value || length + bytes > sliceBytes.value) {
      slices.push((slice = []));
      length = 0;
    }
    slice.push(item);
    length += bytes + 1;
  }
  return slices;
}
