/** Parts of the stores of both engines. */
import type { Database } from './engine.ts';
import type { Reads, ReadTable } from './read.ts';
import type { StoreState } from './storeState.ts';
import type { WriteTable } from './write.ts';
import type { WriteQueue } from './writeQueue.ts';

/** pino fits. */
export interface StoreLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Dependencies for opening a store. */
export interface StoreParts {
  writes: WriteTable;
  reads: ReadTable;
  /** UTC milliseconds. */
  now: () => number;
  state: StoreState;
  log: StoreLog;
  /** The writer died and cannot be started again: the process must end. */
  onLost: (cause: Error) => void;
  /** Interval of checking that the store can be written, in milliseconds. */
  checkEveryMs: number;
}

/** An opened store of either engine. */
export interface OpenedStore {
  /** For small reads: what runs here holds up everything else. */
  db: Database;
  reads: Reads;
  writes: WriteQueue;
  watch: { stop(): Promise<void> };
  /** Closes the connections to a server that are for reading: what is under way fails at once. */
  disconnect: () => void;
}
