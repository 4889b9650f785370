/**
 * Connections to PostgreSQL, as kysely's driver takes them: what is sent in one round trip, prepared statements, and errors that say whether
 * the connection is gone.
 */
import type { CompiledQuery, PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { failureReason, OUTDATED_PLAN } from '../storeError.ts';
import { Batch, type Value } from './batch.ts';

/** A connection for reading is replaced after this time. */
const READER_SECONDS = 60;
/** Statements that one connection keeps prepared. */
const MAX_PREPARED = 300;
/** SQLSTATE read_only_sql_transaction: of a server that is no longer the primary, whose address may belong to another one now. */
const READ_ONLY = '25006';
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
  /** Of them, those that are closed instead of being used again. */
  outdated: WeakSet<pg.PoolClient>;
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

/** A statement with the values of its parameters; of `copy … from stdin`, what it reads. */
type Statement = Pick<CompiledQuery, 'sql' | 'parameters'> & { readonly copied?: string };

/**
 * Statements that share a round trip: passed to kysely as the only parameter of a query, whose rows are then the rows of each. A failure of
 * one ends the transaction for those after it.
 */
export class Pipelined {
  readonly statements: readonly Statement[];
  /** They have no rows: they are sent with the next query of the connection. */
  readonly deferred: boolean;
  constructor(statements: readonly Statement[], deferred = false) {
    this.statements = statements;
    this.deferred = deferred;
  }
}

/** Connections that parse bigint and numeric as numbers and booleans as 0 and 1. */
export function createPool({ url, writer, max, timeouts, clients, outdated }: ConnectionOptions): PostgresPool {
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
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw connectionError(error, '08001');
    });
    if (outdated.has(client)) {
      client.release(true);
      return connect();
    }
    return client;
  };
  return {
    options: pool.options,
    async connect() {
      const client = await connect();
      const known = wrapped.get(client) ?? wrap(client, writer);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}

/** Begins a transaction with the next query. */
export const BEGIN: Statement = { sql: 'begin', parameters: [] };
const NO_ROWS = { command: 'SELECT', rowCount: 0, rows: [] } as const;

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
  /** Why it cannot be used any more: the same for all that follows in the transaction, whichever of its errors is reported. */
  let lost: Error | undefined;
  let deferred: Statement[] = [];
  // The pool listens only while it is idle; without a listener the process would end.
  client.on('error', (error) => (lost ??= connectionError(error, '08006')));
  /** In one round trip: the rows of the last `wanted`. */
  const run = async (
    statements: readonly Statement[],
    { wanted = 1, keepPlans = writer } = {}
  ): Promise<pg.QueryResult[]> => {
    if (lost) {
      throw lost;
    }
    const batch = statements.map(({ sql: text, parameters, copied }, index) => ({
      text,
      copied,
      values: parameters as readonly Value[],
      // Others of readers are planned anew each time: a filter that is rare and one that is not need other plans.
      name: keepPlans && (parameters.length > 0 || statements.length > 1) ? nameOf(text) : undefined,
      silent: index < statements.length - wanted,
    }));
    try {
      return await new Promise((resolve, reject) => {
        client.query(new Batch(batch, TYPES, (error, results) => (error ? reject(error) : resolve(results!))));
      });
    } catch (error) {
      const failure = connectionError(error, '08006');
      if (isLost(failure) || failure.code === READ_ONLY || failure.code === OUTDATED_PLAN) {
        lost ??= failure;
      }
      throw failure;
    }
  };
  const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
    const [batch] = values;
    if (batch instanceof Pipelined && batch.deferred) {
      deferred.push(...batch.statements);
      return NO_ROWS;
    }
    const before = deferred;
    deferred = [];
    if (text === 'rollback' && before.includes(BEGIN)) {
      return NO_ROWS;
    }
    if (batch instanceof Pipelined) {
      const results = await run([...before, ...batch.statements], { wanted: batch.statements.length, keepPlans: true });
      return { ...NO_ROWS, rows: results.slice(before.length).map(({ rows }) => rows as unknown) };
    }
    return (await run([...before, { sql: text, parameters: values }])).at(-1);
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy === true || lost !== undefined);
      lost = undefined;
      deferred = [];
    },
  };
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
export function isLost(error: unknown): boolean {
  const { severity } = error as Partial<pg.DatabaseError>;
  return !(error instanceof pg.DatabaseError) || severity === 'FATAL' || severity === 'PANIC';
}
