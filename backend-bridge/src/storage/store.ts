/** The store of one data folder: its lock, its database, its write queue, and the watch over them. */
import { LIMITS } from '../../contract/limits.ts';
import type { Database } from './engine.ts';
import { databasePath } from './sqlite/database.ts';
import { openDatabase } from './database.ts';
import { inspectDatabase } from './sqlite/databaseFile.ts';
import { lockFolder } from './folderLock.ts';
import { createReserve, FULL_BELOW } from './sqlite/reserve.ts';
import { failureReason } from './storeError.ts';
import { createStoreState, type StoreState } from './storeState.ts';
import { createGuard, type StoreLog, tidyLog, watchStore } from './storeWatch.ts';
import type { WriteTable } from './write.ts';
import { createWriteQueue, type WriteQueue } from './writeQueue.ts';

export interface StoreOptions {
  dataDir: string;
  writes: WriteTable;
  /** Of this process: named to a second bridge on the same folder. */
  pid?: number | undefined;
  /** UTC milliseconds. */
  now: () => number;
  log: StoreLog;
  /** The writer died and cannot be started again: the process must end. */
  onLost: (cause: Error) => void;
  /** How often the files are looked at, in milliseconds. */
  checkEveryMs?: number;
}

export interface Store {
  /** For reading. */
  db: Database;
  writes: WriteQueue;
  state: StoreState;
  close(): Promise<void>;
}

const READER_CACHE_MB = 8;
const CHECK_MS = 5000;

/** @throws when another bridge holds the folder, or the database cannot be used */
export async function openStore({
  dataDir,
  writes: table,
  pid,
  now,
  log,
  onLost,
  checkEveryMs = CHECK_MS,
}: StoreOptions): Promise<Store> {
  const path = databasePath(dataDir);
  const lock = lockFolder(dataDir, pid, now);
  try {
    inspectDatabase(path);
    const state = createStoreState(now);
    const reserve = createReserve(dataDir, LIMITS.reserveBytes.value);
    state.onChange((reason, failure) => {
      if (failure) {
        log.error({ reason, cause: failure.cause }, `the store cannot be written: ${failure.text}`);
      } else {
        log.info({ reason }, 'the store can be written again');
      }
    });
    if (reserve.freeBytes() < FULL_BELOW) {
      reserve.release();
      state.set('disk_full', 'no space at the start');
    }
    const guard = createGuard(path, state, reserve);
    const writes = await createWriteQueue({
      path,
      writes: table,
      state,
      onLost,
      reasonOf: guard.reasonOf,
      verify: () => guard.verify(),
    });
    guard.opened();
    state.onChange((reason, failure) => {
      if (reason === 'disk_full' && failure) {
        reserve.release();
        tidyLog(path, writes, reserve);
      }
    });
    const db = openDatabase(path, {
      readonly: true,
      cacheMb: READER_CACHE_MB,
      onError: (error) => {
        const { code, message } = error as Error & { code?: string };
        if (failureReason(code) === 'corrupt') {
          state.set('corrupt', `${code}: ${message}`);
        }
      },
    });
    const watch = watchStore({ path, db, writes, state, reserve, guard, log, everyMs: checkEveryMs });
    return {
      db,
      writes,
      state,
      async close() {
        await watch.stop();
        // The reader first: who closes last tidies the write-ahead log into the database, and only the writer can.
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
