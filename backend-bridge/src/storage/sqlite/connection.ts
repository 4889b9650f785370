/** SQLite's dialect for kysely: statements are prepared once, and the connection can be found from a transaction. */
import type SqliteDatabase from 'better-sqlite3';
import {
  type RawNode,
  SqliteAdapter,
  type SqliteDatabase as Connection,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { chosen, type Database, type Engine, type EngineAdapter } from '../engine.ts';

/** SQLite's dialect, which also keeps the connection for {@link connectionOf}. */
export class Dialect extends SqliteDialect {
  readonly #connection: Connection;
  readonly #engine: Engine;
  constructor(sqlite: SqliteDatabase.Database, engine: Engine) {
    const connection = withStatementCache(sqlite);
    super({ database: connection });
    this.#connection = connection;
    this.#engine = engine;
  }
  override createAdapter(): SqliteAdapter {
    return new Adapter(this.#connection, this.#engine);
  }
  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler(this.#engine);
  }
}

class Adapter extends SqliteAdapter implements EngineAdapter {
  readonly connection: Connection;
  readonly engine: Engine;
  constructor(connection: Connection, engine: Engine) {
    super();
    this.connection = connection;
    this.engine = engine;
  }
  /** SQLite can roll back DDL, so a failed migration leaves nothing behind. Kysely's own adapter does not use this. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class Compiler extends SqliteQueryCompiler {
  readonly #engine: Engine;
  constructor(engine: Engine) {
    super();
    this.#engine = engine;
  }
  protected override visitRaw(node: RawNode): void {
    const choice = chosen(node, this.#engine);
    if (choice) {
      this.visitNode(choice);
    } else {
      super.visitRaw(node);
    }
  }
}

/** The connection of a transaction: what it runs belongs to that transaction. Its statements are cached. */
export const connectionOf = (trx: Database): Connection => (trx.getExecutor().adapter as unknown as Adapter).connection;

const MAX_STATEMENTS = 200;

/** Kysely prepares a statement at every call; preparing costs more than running most of ours. */
function withStatementCache(sqlite: SqliteDatabase.Database): Connection {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  // A transaction that reads first could not write after another program has: it waits for the lock at its start instead.
  const begin = sqlite.readonly ? 'begin' : 'begin immediate';
  return {
    prepare(source) {
      const cached = statements.get(source);
      const statement =
        cached ?? (source === 'rollback' ? rollback(sqlite) : sqlite.prepare(source === 'begin' ? begin : source));
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
