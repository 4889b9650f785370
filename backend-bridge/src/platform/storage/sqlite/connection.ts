/** SQLite's dialect for kysely: statements are prepared once, and the connection can be found from a transaction. */
import { utimesSync } from 'node:fs';
import type SqliteDatabase from 'better-sqlite3';
import {
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase as Connection,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { choosing, type Database, type Engine } from '../engine.ts';
import { OutcomeUnknown } from '../storeError.ts';

/** SQLite's dialect, whose adapter has the engine, and the connection for {@link connectionOf}. */
export function dialectOf(sqlite: SqliteDatabase.Database, engine: Engine): Dialect {
  const connection = withStatementCache(sqlite);
  return {
    createAdapter: () => Object.assign(new Adapter(), { engine, connection }),
    createDriver: () => new SqliteDriver({ database: connection }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new (choosing(SqliteQueryCompiler, engine))(),
  };
}

class Adapter extends SqliteAdapter {
  /** SQLite can roll back DDL, so a failed migration leaves nothing behind. Kysely's own adapter does not use this. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** The connection of a transaction: what it runs belongs to that transaction. Its statements are cached. */
export const connectionOf = (trx: Database): Connection =>
  (trx.getExecutor().adapter as unknown as { connection: Connection }).connection;

const MAX_STATEMENTS = 200;

/** Kysely prepares a statement at every call; preparing costs more than running most of ours. */
function withStatementCache(sqlite: SqliteDatabase.Database): Connection {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  // A transaction that reads first could not write after another program has: it waits for the lock at its start instead.
  const begin = sqlite.readonly ? 'begin' : 'begin immediate';
  const prepare = (source: string): SqliteStatement => {
    if (source === 'rollback') {
      return rollback(sqlite);
    }
    if (source === 'commit' && !sqlite.readonly) {
      return commit(sqlite);
    }
    return sqlite.prepare(source === 'begin' ? begin : source);
  };
  return {
    prepare(source) {
      const cached = statements.get(source);
      const statement = cached ?? prepare(source);
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
  return runOnly(() => (sqlite.inTransaction ? statement.run() : { changes: 0, lastInsertRowid: 0 }));
}

/** @throws OutcomeUnknown when the file system has become read-only or fails */
function commit(sqlite: SqliteDatabase.Database): SqliteStatement {
  const statement = sqlite.prepare<unknown[]>('commit');
  return runOnly(() => {
    const result = statement.run();
    checkWritable(sqlite.name);
    return result;
  });
}

const runOnly = (run: SqliteStatement['run']): SqliteStatement => ({
  reader: false,
  run,
  all: () => [],
  iterate: () => [][Symbol.iterator](),
});

/**
 * On ext4, an fsync returns 0 without its data being on disk when the journal is aborted meanwhile: `jbd2_complete_transaction` takes
 * a transaction that is gone for one that is committed. The first change of the times then makes ext4 read-only if it is
 * not yet, without an error; the second one fails.
 * @param file the database; changed times of the log would be one more part of each fsync
 */
function checkWritable(file: string): void {
  const now = Date.now() / 1000;
  try {
    utimesSync(file, now, now);
    utimesSync(file, now, now);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Other codes are no fault of the disk: there is no file (a database in memory), or it belongs to another user.
    if (code === 'EROFS' || code === 'EIO') {
      throw new OutcomeUnknown(error as Error, code);
    }
  }
}
