/** The database as a file: whether it is whole at the start, and still the one that was opened. */
import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

/** SQLite file format, section 1.3: where the header holds what is needed here. */
const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const CHANGES_AT = 24;
const PAGES_AT = 28;
const PAGES_VALID_FOR_AT = 92;

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/**
 * Before SQLite opens it, which would make an empty database of a missing one and delete the log beside an empty one.
 * Must not be called while the database is open in this process: closing the file would drop SQLite's locks.
 * @throws when the database is missing beside its log, or truncated
 */
export function inspectDatabase(path: string): void {
  const size = statOf(path)?.size ?? 0;
  const logSize = statOf(`${path}-wal`)?.size ?? 0;
  if (size === 0 && logSize > 0) {
    throw new Error(
      `${path} is ${statOf(path) ? 'empty' : 'missing'}, but ${path}-wal exists (${logSize} bytes). Put nodebell.db back, or restore a backup. To start with an empty inbox, remove nodebell.db-wal and nodebell.db-shm.`
    );
  }
  const expected = logSize > 0 ? undefined : headerSize(path, size);
  if (expected !== undefined && size < expected) {
    throw new Error(
      `${path} is truncated: ${size} bytes, ${expected} expected. Restore a backup, or recover what is left with: sqlite3 nodebell.db .recover`
    );
  }
}

/** The size in the header; undefined without a header or a size. */
function headerSize(path: string, size: number): number | undefined {
  if (size < HEADER_BYTES) {
    return undefined;
  }
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
  const isKnown = header.readUInt32BE(CHANGES_AT) === header.readUInt32BE(PAGES_VALID_FOR_AT);
  return isKnown ? header.readUInt32BE(PAGES_AT) * (pageSize === 1 ? 65_536 : pageSize) : undefined;
}

/** Watches the file of an open database. @param path of a database that is open */
export function watchDatabaseFile(path: string) {
  const opened = statOf(path);
  let last = opened?.size ?? 0;
  return {
    /** Cheap: one `stat`. */
    check(): 'ok' | 'database_missing' | 'database_replaced' | 'corrupt' {
      const found = statOf(path);
      if (!found) {
        return 'database_missing';
      }
      if (found.ino !== opened?.ino || found.dev !== opened.dev) {
        return 'database_replaced';
      }
      return found.size === 0 ? 'corrupt' : 'ok';
    },
    /** Whether it is smaller than at the call before: after compacting, or because it was truncated. */
    hasShrunk(): boolean {
      const size = statOf(path)?.size ?? 0;
      const shrunk = size < last;
      last = size;
      return shrunk;
    },
  };
}

/**
 * Moves the write-ahead log into the database and removes it, before the file is replaced: a log that remained would be applied to the
 * next one.
 * @throws SqliteError; SQLite permits this only while nobody else has the database open
 */
export function removeLog(path: string): void {
  const sqlite = new SqliteDatabase(path, { timeout: 0 });
  try {
    sqlite.pragma('journal_mode = delete');
  } finally {
    sqlite.close();
  }
}
