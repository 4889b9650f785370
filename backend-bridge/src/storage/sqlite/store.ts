/** The store in one file: what is opened, and watched, beside the queue. */
import { LIMITS } from '../../../contract/limits.ts';
import { openDatabase } from '../database.ts';
import type { OpenedStore, StoreParts } from '../storeParts.ts';
import { failureReason } from '../storeError.ts';
import { createWriteQueue } from '../writeQueue.ts';
import { databasePath } from './database.ts';
import { inspectDatabase } from './databaseFile.ts';
import { createReserve, FULL_BELOW } from './reserve.ts';
import { createGuard, tidyLog, watchStore } from './storeWatch.ts';

const READER_CACHE_MB = 8;

/** @throws when the database cannot be used */
export async function openFile(
  dataDir: string,
  { writes: table, state, log, onLost, checkEveryMs }: StoreParts
): Promise<OpenedStore> {
  const path = databasePath(dataDir);
  inspectDatabase(path);
  const reserve = createReserve(dataDir, LIMITS.reserveBytes.value);
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
  return { db, writes, watch };
}
