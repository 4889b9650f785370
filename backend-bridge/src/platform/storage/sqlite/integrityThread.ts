/** Reads every page of the database once, and reports the first damage. */
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { failureReason } from '../storeError.ts';

/**
 * Table by table: the check of the whole would also compare the search index with what it indexes, which it may lag behind.
 * @returns the first damage; null if none
 */
function findDamage(path: string): string | null {
  const sqlite = new SqliteDatabase(path, { readonly: true });
  try {
    const tables = sqlite
      .prepare("select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'")
      .pluck()
      .all() as string[];
    for (const table of tables) {
      const found = sqlite.pragma(`quick_check("${table}")`, { simple: true }) as string;
      if (found !== 'ok') {
        return found;
      }
    }
    return null;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (failureReason(code) === 'corrupt' || code?.startsWith('SQLITE_IOERR_SHORT_READ')) {
      return message;
    }
    throw error;
  } finally {
    sqlite.close();
  }
}

parentPort?.postMessage(findDamage((workerData as { path: string }).path));
