/** The store of one data folder: its lock, its database, its write queue, and the watch over them. */
import { statSync } from 'node:fs';
import { LIMITS } from '../../contract/limits.ts';
import { type Database, databasePath, freeBytesInside, openDatabase } from './database.ts';
import { inspectDatabase, watchDatabaseFile } from './databaseFile.ts';
import { lockFolder } from './folderLock.ts';
import { checkIntegrity, type IntegrityCheck } from './integrity.ts';
import { createReserve, FULL_BELOW, type Reserve } from './reserve.ts';
import { failureReason } from './storeError.ts';
import { createStoreState, type StoreState } from './storeState.ts';
import { createWriteQueue, type WriteQueue } from './writeQueue.ts';

export interface StoreOptions {
  dataDir: string;
  /** Of this process: named to a second bridge on the same folder. */
  pid?: number | undefined;
  /** UTC milliseconds. */
  now: () => number;
  /** pino fits. */
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
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
/** Without a commit for so long, a small write shows whether the store can still be written. Milliseconds. */
const IDLE_MS = 30_000;
/** So much free space inside the database lets sends in again while the disk stays full. */
const ROOM_INSIDE = 4 * 1024 * 1024;
/** Up to this size the pages are checked at the start: less than a second of one core. */
const CHECKED_AT_START = 256 * 1024 * 1024;

/** @throws when another bridge holds the folder, or the database cannot be used */
export async function openStore({
  dataDir,
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

/** Gives back the space of the log. Only where there is room for all of it: half of it would use up the reserve for nothing. */
function tidyLog(path: string, writes: WriteQueue, reserve: Reserve): void {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size < reserve.freeBytes()) {
    writes.checkpoint();
  }
}

interface Guard {
  opened(): void;
  /** Whether the database is still the file that was opened; records it when not. */
  verify(): void;
  hasShrunk(): boolean;
  reasonOf: typeof failureReason;
}

function createGuard(path: string, state: StoreState, reserve: Reserve): Guard {
  let file: ReturnType<typeof watchDatabaseFile> | undefined;
  return {
    opened: () => void (file = watchDatabaseFile(path)),
    verify() {
      const found = file?.check() ?? 'ok';
      if (found === 'ok') {
        // Moved back into its place.
        state.clear('database_missing', 'database_replaced');
      } else {
        state.set(found, `${path}: ${found === 'corrupt' ? 'the file is empty' : 'not the file that was opened'}`);
      }
    },
    hasShrunk: () => file?.hasShrunk() ?? false,
    reasonOf(code) {
      const reason = failureReason(code);
      return reason === 'io_error' && reserve.freeBytes() < FULL_BELOW ? 'disk_full' : reason;
    },
  };
}

interface Watched {
  path: string;
  db: Database;
  writes: WriteQueue;
  state: StoreState;
  reserve: Reserve;
  guard: Guard;
  log: StoreOptions['log'];
  everyMs: number;
}

/** Looks at the files from time to time, so that no probe has to. */
function watchStore({ path, db, writes, state, reserve, guard, log, everyMs }: Watched): { stop(): Promise<void> } {
  let integrity: IntegrityCheck | undefined;
  const checkPages = async (): Promise<void> => {
    integrity ??= checkIntegrity(path);
    try {
      const damage = await integrity.result;
      if (damage !== undefined) {
        state.set('corrupt', damage);
      }
    } catch (error) {
      log.error({ err: error }, 'the pages of the database could not be checked');
    } finally {
      integrity = undefined;
    }
  };

  const makeRoom = async (): Promise<void> => {
    if (reserve.freeBytes() < FULL_BELOW) {
      state.set('disk_full', `${reserve.freeBytes()} bytes free`);
    }
    await reserve.make();
    if (state.has('disk_full')) {
      const hasRoom =
        reserve.held || (reserve.freeBytes() >= 4 * FULL_BELOW && (await freeBytesInside(db)) >= ROOM_INSIDE);
      if (hasRoom) {
        state.clear('disk_full');
      } else {
        tidyLog(path, writes, reserve);
      }
    }
  };

  /** Something is written only while nobody else does, or to learn whether a failure is over. */
  const tryWrite = async (): Promise<void> => {
    const idle = Date.now() - writes.committedAt >= IDLE_MS;
    if (writes.waiting === 0 && (idle || state.failure !== undefined) && !state.has('disk_full')) {
      // What it finds is in the state.
      await writes.submit('touch', null).catch(() => undefined);
    }
  };

  const check = async (): Promise<void> => {
    guard.verify();
    if (guard.hasShrunk()) {
      await checkPages();
    }
    await makeRoom();
    await tryWrite();
  };

  let busy = false;
  let running: Promise<void> = Promise.resolve();
  const run = (work: () => Promise<void>): void => {
    if (!busy) {
      busy = true;
      running = work()
        .catch((error: unknown) => log.error({ err: error }, 'the store could not be checked'))
        .finally(() => (busy = false));
    }
  };
  let isFirst = true;
  const timer = setInterval(() => {
    run(async () => {
      await check();
      if (isFirst && statSync(path).size <= CHECKED_AT_START) {
        await checkPages();
      }
      isFirst = false;
    });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await integrity?.stop();
      await running;
    },
  };
}
