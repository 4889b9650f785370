/** The store in one file: what is opened, and watched, beside the queue. */
import { LIMITS } from '../../../../contract/limits.ts';
import { type Reads, readsInProcess } from '../read.ts';
import { ReadPool } from '../readPool.ts';
import type { OpenedStore, StoreParts } from '../storeParts.ts';
import { failureReason } from '../storeError.ts';
import { WriteQueue } from '../writeQueue.ts';
import { databasePath, openSqlite } from './database.ts';
import { inspectDatabase } from './databaseFile.ts';
import { createReserve, FULL_BELOW } from './reserve.ts';
import { createGuard, StoreWatch, tidyLog } from './storeWatch.ts';

const READER_CACHE_MB = 2;

/** @throws when the database cannot be used */
export async function openFile(
  dataDir: string,
  { writes: table, reads: readTable, now, state, log, onLost, checkEveryMs }: StoreParts
): Promise<OpenedStore> {
  const path = databasePath(dataDir);
  inspectDatabase(path);
  const reserve = createReserve(dataDir, LIMITS.reserveBytes.value);
  if (reserve.freeBytes() < FULL_BELOW) {
    reserve.release();
    state.set('disk_full', 'no space at the start');
  }
  const guard = createGuard(path, state, reserve);
  const writes = await WriteQueue.open({
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
  const onError = (error: unknown): void => {
    const { code, message } = error as Error & { code?: string };
    if (failureReason(code) === 'corrupt') {
      state.set('corrupt', `${code}: ${message}`);
    }
  };
  const db = openSqlite(path, { readonly: true, cacheMb: READER_CACHE_MB, onError });
  const inProcess = readsInProcess(db, now);
  const pool = new ReadPool({
    path,
    reads: readTable,
    now,
    onError,
    onDeath: (cause) => log.error({ err: cause }, 'a reading thread ended; the next read starts another'),
  });
  const reads: Reads = {
    run(...args) {
      guard.verify();
      // A thread would open what is in its place now.
      const isMoved = state.has('database_missing') || state.has('database_replaced');
      return (isMoved ? inProcess : pool).run(...args);
    },
    close: () => pool.close(),
  };
  const watch = new StoreWatch({ path, db, writes, state, reserve, guard, log, everyMs: checkEveryMs });
  return { db, reads, writes, watch, disconnect: () => undefined };
}
