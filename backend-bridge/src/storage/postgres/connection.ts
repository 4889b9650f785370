/** PostgreSQL's dialect for kysely: one writer at a time across all bridges, and errors that say whether the connection is gone. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver as KyselyDriver,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type RawNode,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { chosen, type Engine, type EngineAdapter } from '../engine.ts';
import { failureReason, OUTDATED_PLAN, OutcomeUnknown } from '../storeError.ts';

/** Key of the advisory lock of who writes: "nodebell" in ASCII, as a signed 64-bit number. */
export const WRITER_LOCK = '7957689453192244332';
/** SQLSTATE read_only_sql_transaction: of a server that is no longer the primary, whose address may belong to another one now. */
const READ_ONLY = '25006';
/** Channel that signals new events to other bridges, in the transaction that appends them. */
export const EVENTS_CHANNEL = 'nodebell';
/** A connection for reading is replaced after this time. */
const READER_SECONDS = 60;
/** Statements that one connection keeps prepared. */
const MAX_PREPARED = 300;

export interface ConnectionOptions {
  url: string;
  /** One connection, whose transactions run one at a time across all bridges of the database. */
  writer: boolean;
  /** Connections, at most. */
  max: number;
  /** Milliseconds. */
  timeouts: Timeouts;
  /** Filled with those that are connected. */
  clients: Set<pg.PoolClient>;
}

/** In milliseconds. */
export interface Timeouts {
  connect: number;
  /** Of a statement, by the server. */
  statement: number;
  /** Between two statements of a transaction. */
  idle: number;
  /** Until another bridge has written, or a lock is free. */
  lock: number;
  /** For a response of the server, which may have stopped; longer than `statement`. */
  response: number;
}

const CODES = { bool: 16, int8: 20, numeric: 1700 };

const defaultParser = pg.types.getTypeParser as (oid: number, format?: string) => (text: string) => unknown;

/** Numbers as numbers, and conditions as 0 and 1, as SQLite returns them. All numbers of the schema are safe integers or doubles. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string): ((text: string) => unknown) => {
    if (oid === CODES.bool) {
      return (text) => (text === 't' ? 1 : 0);
    }
    return oid === CODES.int8 || oid === CODES.numeric ? Number : defaultParser(oid, format);
  },
};

/** PostgreSQL's dialect with the engine, for {@link EngineAdapter}. */
export class Dialect extends PostgresDialect {
  readonly #options: ConnectionOptions;
  readonly #engine: Engine;
  constructor(options: ConnectionOptions, engine: Engine) {
    super({ pool: poolOf(options) });
    this.#options = options;
    this.#engine = engine;
  }
  override createDriver(): KyselyDriver {
    return new Driver(this.#options);
  }
  override createAdapter(): PostgresAdapter {
    return new Adapter(this.#engine);
  }
  override createQueryCompiler(): PostgresQueryCompiler {
    return new Compiler(this.#engine);
  }
}

class Adapter extends PostgresAdapter implements EngineAdapter {
  readonly engine: Engine;
  constructor(engine: Engine) {
    super();
    this.engine = engine;
  }
}

class Compiler extends PostgresQueryCompiler {
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

class Driver extends PostgresDriver {
  readonly #writer: boolean;
  constructor(options: ConnectionOptions) {
    super({ pool: poolOf(options), onCreateConnection: (connection) => prepare(connection, options) });
    this.#writer = options.writer;
  }
  /** The lock is held until the end of the transaction, so that ids and events are given out in the order of commits. */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings);
    if (this.#writer) {
      await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${WRITER_LOCK})`));
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
async function prepare(connection: DatabaseConnection, { writer }: ConnectionOptions): Promise<void> {
  if (!writer) {
    await connection.executeQuery(CompiledQuery.raw('set default_transaction_read_only = on'));
    return;
  }
  const { rows } = await connection.executeQuery<{ synchronous_commit: string }>(
    CompiledQuery.raw('show synchronous_commit')
  );
  if (rows[0]?.synchronous_commit === 'off') {
    await connection.executeQuery(CompiledQuery.raw('set synchronous_commit = on'));
  }
}

const poolOf = (options: ConnectionOptions) => (): Promise<PostgresPool> => Promise.resolve(createPool(options));

function createPool({ url, writer, max, timeouts, clients }: ConnectionOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'nodebell',
    types: TYPES,
    max,
    keepAlive: true,
    idleTimeoutMillis: writer ? 0 : 60_000,
    // After a failover that no write has met, readers would stay at the server that was the primary.
    ...(!writer && { maxLifetimeSeconds: READER_SECONDS }),
    connectionTimeoutMillis: timeouts.connect,
    statement_timeout: timeouts.statement,
    lock_timeout: timeouts.lock,
    query_timeout: timeouts.response,
    // A bridge that hangs or is cut off in the middle of a transaction blocks all others until then.
    idle_in_transaction_session_timeout: timeouts.idle,
  });
  // Of a connection that is idle: the next query reports that the server is gone.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void clients.add(client));
  pool.on('remove', (client) => void clients.delete(client));
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw connectionError(error, '08001');
      });
      const known = wrapped.get(client) ?? wrap(client, writer);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

/** Names of prepared statements, the same for all connections: the writer has few statements, and runs them over and over. */
const prepared = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = prepared.get(text);
  if (known !== undefined || prepared.size >= MAX_PREPARED) {
    return known;
  }
  const name = `nodebell_${prepared.size}`;
  prepared.set(text, name);
  return name;
}

function wrap(client: pg.PoolClient, writer: boolean): PostgresPoolClient {
  let lost = false;
  // The pool listens only while it is idle; without a listener the process would end.
  client.on('error', () => (lost = true));
  const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
    if (lost) {
      throw connectionError(new Error('The connection is closed.'), '08003');
    }
    // Readers' statements are planned anew each time: a filter that is rare and one that is not need other plans.
    const name = writer && values.length > 0 ? nameOf(text) : undefined;
    try {
      return await client.query({ text, values: values.map(storable), ...(name !== undefined && { name }) });
    } catch (error) {
      const failure = connectionError(error, '08006');
      lost ||= isLost(failure) || failure.code === READ_ONLY || (name !== undefined && failure.code === OUTDATED_PLAN);
      throw failure;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy === true || lost);
      lost = false;
    },
  };
}

/** Text in PostgreSQL cannot hold the character NUL. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  }
  return Array.isArray(value) ? value.map(storable) : value;
}

/** @param code SQLSTATE for an error that did not come from the server */
function connectionError(error: unknown, code: string): Error & { code?: string } {
  const failure = error as Error & { code?: string; errors?: readonly Error[] };
  // Node: one error for each address of the host, and no message of its own.
  failure.message ||= failure.errors?.map(({ message }) => message).join('; ') ?? '';
  if (!(error instanceof pg.DatabaseError) && failureReason(failure.code) === undefined) {
    return Object.assign(failure, { code });
  }
  return failure;
}

/** The connection cannot be used any more: an error of the network, a response that did not come, or a session that the server ended. */
function isLost(error: unknown): boolean {
  const { severity } = error as Partial<pg.DatabaseError>;
  return !(error instanceof pg.DatabaseError) || severity === 'FATAL' || severity === 'PANIC';
}
