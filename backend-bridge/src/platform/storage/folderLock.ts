/** One bridge per data folder: a lock that the system releases when the process ends, however it ends. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { isoTime } from '../../../contract/text.ts';

/** Holder of a lock, for the error message of the second process. */
interface Holder {
  pid?: number | undefined;
  host: string;
  /** ISO 8601, UTC. */
  since: string;
}

/** Node has no flock; an exclusive transaction on an empty SQLite file is one. Never read or write this file otherwise. */
const LOCK = 'nodebell.lock';
const HOLDER = 'nodebell.lock.json';

/**
 * Locks a data folder.
 * @param pid of this process, for the message
 * @throws when another bridge holds the folder: the message names it
 */
export function lockFolder(dataDir: string, pid: number | undefined, now: () => number) {
  const details = join(dataDir, HOLDER);
  let sqlite: SqliteDatabase.Database;
  try {
    sqlite = openExclusively(join(dataDir, LOCK));
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') {
      throw new Error(`The data folder ${dataDir} cannot be locked: ${(error as Error).message}`, { cause: error });
    }
    throw new Error(
      `The data folder ${dataDir} is in use by another bridge${holderText(details)}. Stop that bridge, or set NODEBELL_DATA_DIR to another folder.`,
      { cause: error }
    );
  }
  const holder: Holder = { pid, host: hostname(), since: isoTime(now()) };
  try {
    writeFileSync(details, JSON.stringify(holder), { mode: 0o600 });
  } catch {
    // The disk is full: the lock is still held, and a stale name would mislead.
    rmSync(details, { force: true });
  }
  return {
    release(): void {
      if (sqlite.open) {
        try {
          rmSync(details, { force: true });
        } catch {
          // The disk is read-only: the next holder replaces the name.
        }
        sqlite.close();
      }
    },
  };
}

function openExclusively(file: string): SqliteDatabase.Database {
  const sqlite = new SqliteDatabase(file, { timeout: 0 });
  try {
    // Without a journal file beside it: nothing is ever written.
    sqlite.pragma('journal_mode = MEMORY');
    sqlite.pragma('locking_mode = EXCLUSIVE');
    sqlite.exec('begin exclusive');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function holderText(file: string): string {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    return ` (${pid === undefined ? '' : `process ${pid} `}on ${host}, since ${since})`;
  } catch {
    return '';
  }
}
