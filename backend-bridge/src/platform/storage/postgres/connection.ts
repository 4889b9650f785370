/** PostgreSQL's dialect for kysely: one writer at a time across all bridges, and errors that say whether the connection is gone. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { choosing, type Engine } from '../engine.ts';
import { OutcomeUnknown } from '../storeError.ts';
import { BEGIN, type ConnectionOptions, createPool, isLost, Pipelined } from './pool.ts';

/** Key of the advisory lock of who writes: "nodebell" in ASCII, as a signed 64-bit number. */
export const WRITER_LOCK = '7957689453192244332';
const BEGIN_WRITING = new Pipelined(
  [BEGIN, { sql: `select pg_advisory_xact_lock(${WRITER_LOCK})`, parameters: [] }],
  'deferred'
);

/** PostgreSQL's dialect, whose adapter has the engine. */
export const dialectOf = (options: ConnectionOptions, engine: Engine): Dialect => ({
  createAdapter: () => Object.assign(new PostgresAdapter(), { engine }),
  createDriver: () => new Driver(options),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new (choosing(PostgresQueryCompiler, engine))(),
});

class Driver extends PostgresDriver {
  readonly #writer: boolean;
  constructor(options: ConnectionOptions) {
    super({ pool: () => Promise.resolve(createPool(options, prepare)) });
    this.#writer = options.writer;
  }
  /**
   * The lock is taken with the first query and held until the end of the transaction, so that ids and events are given out in the order of
   * commits.
   */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (this.#writer) {
      await connection.executeQuery(CompiledQuery.raw('', [BEGIN_WRITING]));
    } else {
      await super.beginTransaction(connection, settings);
    }
  }
  /** @throws OutcomeUnknown when the connection was lost before the server's response */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      throw isLost(error) ? new OutcomeUnknown(error as Error) : error;
    }
  }
  /** A transaction ends with its connection: an error here would hide the cause. */
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!isLost(error)) {
        throw error;
      }
    }
  }
}

/**
 * For a new connection. A commit is acknowledged when it is on the disk of the server: where the server's default is less, it is
 * set for the connection, and what is stronger (`remote_apply`) stays.
 */
async function prepare({ query }: PostgresPoolClient, { writer }: ConnectionOptions): Promise<void> {
  // Compiling takes longer than any of the statements, and is chosen by estimated costs, which the settings below raise before PostgreSQL 18.
  await query('set jit = off', []);
  if (!writer) {
    await query('set default_transaction_read_only = on', []);
    return;
  }
  // A prepared statement keeps its plan, and may have been planned while a table was empty. The writer finds rows by their keys.
  for (const method of ['seqscan', 'hashjoin', 'mergejoin']) {
    await query(`set enable_${method} = off`, []);
  }
  const { rows } = await query<{ synchronous_commit: string }>('show synchronous_commit', []);
  if (rows[0]?.synchronous_commit === 'off') {
    await query('set synchronous_commit = on', []);
  }
}
