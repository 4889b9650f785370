/** Opens and migrates the database. With `bulk.ts` the only file that depends on SQLite. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import {
  Kysely,
  sql,
  SqliteAdapter,
  type SqliteDatabase as Connection,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../contract/limits.ts';
import { adoptEarlier, MIGRATIONS } from './migrations/index.ts';
import type { Schema } from './schema.ts';
import { failureReason } from './storeError.ts';

export type Database = Kysely<Schema>;

/** The file inside a data directory. Makes the directory, readable for its owner only. */
export function databasePath(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return join(dataDir, 'nodebell.db');
}

export interface DatabaseOptions {
  readonly?: boolean;
  cacheMb?: number;
  /** Called with each error of a query, which is thrown as well. */
  onError?: (error: unknown) => void;
}

/**
 * Opens SQLite in WAL mode with synchronous FULL: a commit is on disk when it returns. better-sqlite3 is built with NORMAL
 * as the default for WAL, which loses the last commits at a power cut, so FULL is set at every open.
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  const sqlite = new SqliteDatabase(path, { readonly: options.readonly ?? false });
  sqlite.pragma('busy_timeout = 5000');
  if (!options.readonly) {
    letShrink(sqlite);
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('wal_autocheckpoint = 4000');
    sqlite.pragma('journal_size_limit = 67108864');
  }
  sqlite.pragma(`cache_size = ${-1024 * (options.cacheMb ?? 8)}`);
  sqlite.pragma('temp_store = MEMORY');
  const { onError } = options;
  return new Kysely<Schema>({
    dialect: new Dialect(withStatementCache(sqlite)),
    ...(onError && { log: (event) => (event.level === 'error' ? onError(event.error) : undefined) }),
  });
}

/**
 * Lets free pages be given back in steps. A file that was made without this has to be rebuilt once, which takes a while and as
 * much room again: small ones are, at the start.
 */
function letShrink(sqlite: SqliteDatabase.Database): void {
  const value = (name: string): number => Number(sqlite.pragma(name, { simple: true }));
  if (value('auto_vacuum') !== 0) {
    return;
  }
  sqlite.pragma('auto_vacuum = INCREMENTAL');
  const pages = value('page_count');
  if (pages > 0 && pages * value('page_size') <= LIMITS.vacuumAtStart.value) {
    try {
      sqlite.exec('vacuum');
    } catch (error) {
      // No room for a second copy, or another process reads: the file is as it was, and the next start tries again.
      if (!failureReason((error as { code?: unknown }).code)) {
        throw error;
      }
    }
  }
}

/**
 * Moves the write-ahead log into the database and empties it. Best effort: what cannot be moved, because somebody reads an older
 * state or the disk is full, stays in the log and is not lost.
 */
export async function checkpoint(db: Database): Promise<void> {
  try {
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  } catch (error) {
    if (!failureReason((error as { code?: unknown }).code)) {
      throw error;
    }
  }
}

/** Space inside the database that is free for new rows, in bytes. */
export async function freeBytesInside(db: Database): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** SQLite's dialect, which also keeps the connection for {@link connectionOf}. */
class Dialect extends SqliteDialect {
  readonly #connection: Connection;
  constructor(connection: Connection) {
    super({ database: connection });
    this.#connection = connection;
  }
  override createAdapter(): SqliteAdapter {
    return new Adapter(this.#connection);
  }
}

class Adapter extends SqliteAdapter {
  readonly connection: Connection;
  constructor(connection: Connection) {
    super();
    this.connection = connection;
  }
  /** SQLite can roll back DDL, so a failed migration leaves nothing behind. Kysely's own adapter does not use this. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The connection of a transaction: what it runs belongs to that transaction. Its statements are cached. */
export const connectionOf = (trx: Database): Connection => (trx.getExecutor().adapter as Adapter).connection;

const MAX_STATEMENTS = 200;

/** Kysely prepares a statement at every call; preparing costs more than running most of ours. */
function withStatementCache(sqlite: SqliteDatabase.Database): Connection {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  return {
    prepare(source) {
      const cached = statements.get(source);
      const statement = cached ?? (source === 'rollback' ? rollback(sqlite) : sqlite.prepare(source));
      if (!cached) {
        statements.set(source, statement);
      }
      return statement;
    },
    close: () => sqlite.close(),
  };
}

/**
 * SQLite rolls back by itself when the disk is full or fails. Kysely's rollback would then fail with "no transaction is active",
 * and that error would hide the cause.
 */
function rollback(sqlite: SqliteDatabase.Database): SqliteStatement {
  const statement = sqlite.prepare<unknown[]>('rollback');
  const run: SqliteStatement['run'] = () =>
    sqlite.inTransaction ? statement.run() : { changes: 0, lastInsertRowid: 0 };
  return { reader: false, run, all: () => [], iterate: () => [][Symbol.iterator]() };
}

/**
 * Applies the missing migrations, in order.
 * @param until the last one to apply; default: all
 * @throws when a migration fails (all pending migrations are rolled back), or when the database is too old for this program, or newer
 */
export async function migrate(db: Database, until?: string): Promise<void> {
  const applied = await appliedMigrations(db);
  await adoptEarlier(db, applied);
  const provider: MigrationProvider = { getMigrations: () => Promise.resolve(MIGRATIONS) };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await (until === undefined ? migrator.migrateToLatest() : migrator.migrateTo(until));
  if (error) {
    const newer = applied.filter((name) => !Object.hasOwn(MIGRATIONS, name));
    if (newer.length > 0) {
      throw new Error(
        `It was changed by a newer version of the bridge (${newer.join(', ')}). Start that version, or restore a copy from before.`
      );
    }
    throw error instanceof Error ? error : new Error(`Migration failed: ${JSON.stringify(error)}`);
  }
}

/** The migrations that the database records, in order; none when it is new. */
async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows: tables } = await sql`select 1 from sqlite_master where name = 'migrations'`.execute(db);
  const { rows } =
    tables.length === 0
      ? { rows: [] }
      : await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}
