/** Where a store is: a data folder or a PostgreSQL database. */
import type { Database, Transacting } from '../storage/engine.ts';
import type { FillEngine } from './fill.ts';
import type { Snapshot } from './snapshot.ts';

export interface Place extends FillEngine {
  /** For messages; without password. */
  label: string;
  exists(): Promise<boolean>;
  /** Reads the store. @throws TransferError if there is none */
  read<T>(use: (db: Database) => Promise<T>): Promise<T>;
  /** Changes the store in one transaction. A bridge may run. */
  write<T>(use: (trx: Transacting) => Promise<T>): Promise<T>;
  /** Reads one state of all tables. A bridge may run. */
  snapshot<T>(use: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Keeps bridges away. @throws TransferError while one runs */
  lock(): Promise<{ release(): Promise<void> }>;
  /**
   * Replaces the store by a new one, as a whole or not at all. It must be locked.
   * @param fill fills an empty database
   * @param keptAs part of the name under which the old store is kept
   * @returns where the old store is kept; undefined if there was none
   */
  replace(fill: (db: Database) => Promise<void>, keptAs: string): Promise<string | undefined>;
}
