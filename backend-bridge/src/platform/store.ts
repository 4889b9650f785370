/** The store of a bridge: the lock of its data folder, its database, its write queue, and the watch over them. */
import { lockFolder } from './storage/folderLock.ts';
import { openServer } from './storage/postgres/store.ts';
import { databasePath } from './storage/sqlite/database.ts';
import { openFile } from './storage/sqlite/store.ts';
import type { StoreParts } from './storage/storeParts.ts';
import { createStoreState } from './storage/storeState.ts';

/** Options of {@link openStore}. */
export interface StoreOptions
  extends Omit<StoreParts, 'state' | 'checkEveryMs'>, Partial<Pick<StoreParts, 'checkEveryMs'>> {
  dataDir: string;
  /** URL of a PostgreSQL database; undefined: SQLite in the data folder. */
  databaseUrl?: string | undefined;
  /** Id of this process, reported to a second bridge on the same folder. */
  pid?: number | undefined;
}

const CHECK_MS = 5000;

/** An open store. */
export type Store = Awaited<ReturnType<typeof openStore>>;

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
}: StoreOptions) {
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
    const { db, reads, writes, watch, disconnect } = await (databaseUrl === undefined
      ? openFile(dataDir, parts)
      : openServer(databaseUrl, parts));
    return {
      db,
      reads,
      writes,
      state,
      /** The server does not respond: what is under way fails at once, and the store is unreachable until a probe has succeeded. */
      disconnect: ({ message }: Error): void => {
        state.set('unreachable', message);
        writes.disconnect();
        disconnect();
      },
      async close(): Promise<void> {
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
