/** The file of an SQLite database: opened, tidied, measured. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import type { Database, Engine } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { failureReason } from '../storeError.ts';
import * as bulk from './bulk.ts';
import { dialectOf } from './connection.ts';
import * as text from './text.ts';

/** The file inside a data directory. Makes the directory, readable for its owner only. */
export function databasePath(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return join(dataDir, 'nodebell.db');
}

export interface SqliteOptions {
  readonly?: boolean;
  cacheMb?: number;
  onError?: (error: unknown) => void;
}

/** A new file is readable for its owner only: it holds keys. SQLite gives its log the same mode. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there, or SQLite reports why it cannot be made.
  }
}

/** A process that was killed while it changed the journal mode leaves a journal, which a connection that only reads cannot roll back. */
function rollBack(path: string): void {
  const sqlite = new SqliteDatabase(path, { fileMustExist: true });
  try {
    // SQLite rolls back before it reads for the first time.
    sqlite.pragma('schema_version');
  } finally {
    sqlite.close();
  }
}

/**
 * Opens SQLite in WAL mode with synchronous FULL: a commit is on disk when it returns. better-sqlite3 is built with NORMAL
 * as the default for WAL, which loses the last commits at a power cut, so FULL is set at every open.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Database {
  if (!options.readonly) {
    createPrivately(path);
  } else if (existsSync(`${path}-journal`)) {
    rollBack(path);
  }
  const sqlite = new SqliteDatabase(path, { readonly: options.readonly ?? false });
  sqlite.pragma('busy_timeout = 5000');
  if (!options.readonly) {
    // Takes effect in a new file only: free pages are given back in steps.
    sqlite.pragma('auto_vacuum = INCREMENTAL');
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('wal_autocheckpoint = 4000');
    sqlite.pragma('journal_size_limit = 67108864');
  }
  sqlite.pragma(`cache_size = ${-1024 * (options.cacheMb ?? 8)}`);
  sqlite.pragma('temp_store = MEMORY');
  const { onError } = options;
  return new Kysely<Schema>({
    dialect: dialectOf(sqlite, SQLITE),
    ...(onError && { log: (event) => (event.level === 'error' ? onError(event.error) : undefined) }),
  });
}

/**
 * Moves the write-ahead log into the database and empties it. Best effort: what cannot be moved, because somebody reads an older
 * state or the disk is full, stays in the log and is not lost.
 */
async function checkpoint(db: Database): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    if (!failureReason((error as { code?: unknown }).code)) {
      throw error;
    }
  }
}

export const SQLITE: Engine = {
  name: 'sqlite',
  ...bulk,
  ...text,
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_master where name = ${name}`.execute(db);
    return rows.length > 0;
  },
  probeSpace: () => Promise.resolve(),
  serverTime: () => Promise.resolve(undefined),
  checkpoint,
  disconnect: () => undefined,
  reconnect: () => undefined,
};
