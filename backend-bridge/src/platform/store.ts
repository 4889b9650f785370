/** The store of a bridge: the lock of its data folder, its database, its write queue, and the watch over them. */
import { type Database, engineOf } from './storage/engine.ts';
import { lockFolder } from './storage/folderLock.ts';
import { openServer } from './storage/postgres/store.ts';
import { databasePath } from './storage/sqlite/database.ts';
import { openFile } from './storage/sqlite/store.ts';
import type { Reads, ReadTable } from './storage/read.ts';
import type { StoreLog } from './storage/storeParts.ts';
import { createStoreState, type StoreState } from './storage/storeState.ts';
import type { WriteTable } from './storage/write.ts';
import type { WriteQueue } from './storage/writeQueue.ts';

/** Options of {@link openStore}. */
export interface StoreOptions {
  dataDir: string;
  /** URL of a PostgreSQL database; undefined: SQLite in the data folder. */
  databaseUrl?: string | undefined;
  writes: WriteTable;
  reads: ReadTable;
  /** Id of this process, reported to a second bridge on the same folder. */
  pid?: number | undefined;
  /** UTC milliseconds. */
  now: () => number;
  log: StoreLog;
  /** The writer died and cannot be started again: the process must end. */
  onLost: (cause: Error) => void;
  /** Interval of checking that the store can be written, in milliseconds. */
  checkEveryMs?: number;
}

/** An open store. */
export interface Store {
  /** For small reads: what runs on SQLite here holds up everything else. */
  db: Database;
  /** For responses. */
  reads: Reads;
  writes: WriteQueue;
  state: StoreState;
  /** The server does not respond: what is under way fails at once, and the store is unreachable until a probe has succeeded. */
  disconnect: (cause: Error) => void;
  close(): Promise<void>;
}

const CHECK_MS = 5000;

/** @throws when another bridge holds the folder, or the database cannot be used */
export async function openStore({
  dataDir,
  databaseUrl,
  writes: table,
  reads: readTable,
  pid,
  now,
  log,
  onLost,
  checkEveryMs = CHECK_MS,
}: StoreOptions): Promise<Store> {
  databasePath(dataDir);
  const lock = lockFolder(dataDir, pid, now);
  try {
    const state = createStoreState(now);
    state.onChange((reason, failure) => {
      if (failure) {
        log.error({ reason, cause: failure.cause }, `the store cannot be written: ${failure.text}`);
      } else {
        log.info({ reason }, 'the store is writable again');
      }
    });
    const parts = { writes: table, reads: readTable, now, state, log, onLost, checkEveryMs };
    const { db, reads, writes, watch } = await (databaseUrl === undefined
      ? openFile(dataDir, parts)
      : openServer(databaseUrl, parts));
    return {
      db,
      reads,
      writes,
      state,
      disconnect({ message }) {
        state.set('unreachable', message);
        writes.disconnect();
        engineOf(db).disconnect(db);
      },
      async close() {
        await watch.stop();
        // Readers first: who closes SQLite last tidies the write-ahead log into the database, and only the writer can.
        await reads.close();
        await db.destroy();
        await writes.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
