/**
 * Connections to PostgreSQL, as kysely's driver takes them: what is sent in one round trip, prepared statements, and errors that say whether
 * the connection is gone.
 */
import type { CompiledQuery, PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { failureReason, OUTDATED_PLAN } from '../storeError.ts';
import { Pipeline, type Value } from './batch.ts';

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
  /** Clients that are closed instead of being used again. */
  outdated: WeakSet<pg.PoolClient>;
}

/** In milliseconds. */
export interface Timeouts {
  connect: number;
  /** Time limit of a statement, by the server. */
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
  readonly #sending: Sending;
  constructor(statements: readonly Statement[], sending: Sending = 'awaited') {
    this.statements = statements;
    this.#sending = sending;
  }
  /** They have no rows. */
  get deferred(): boolean {
    return this.#sending !== 'awaited';
  }
  get early(): boolean {
    return this.#sending === 'early';
  }
}

/**
 * `deferred`: with the next query of the connection. `early`: at once, while the transaction goes on; an error is reported by the next query.
 */
type Sending = 'awaited' | 'deferred' | 'early';

/**
 * Connections that parse bigint and numeric as numbers and booleans as 0 and 1.
 * @param prepare called for each new connection before its first use
 */
export function createPool(
  options: ConnectionOptions,
  prepare: (client: PostgresPoolClient, options: ConnectionOptions) => Promise<void>
): PostgresPool {
  const { url, writer, max, timeouts, clients, outdated } = options;
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
  // An idle connection failed: the next query reports that the server is gone.
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
      const known = wrapped.get(client);
      if (known) {
        return known;
      }
      const created = wrap(client, writer);
      // Not with kysely's `onCreateConnection`: when it fails, the client is never released, and the writer has only one.
      await prepare(created, options).catch((error: unknown) => {
        created.release(true);
        throw error;
      });
      wrapped.set(client, created);
      return created;
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

/** Sends statements over one connection, in the order of the calls. */
function createSender(client: pg.PoolClient, writer: boolean) {
  /** Why it cannot be used any more: the same for all that follows in the transaction, whichever of its errors is reported. */
  let lost: Error | undefined;
  const pipeline = new Pipeline(client, TYPES);
  // The pool listens only while it is idle; without a listener the process would end.
  client.on('error', (error) => (lost ??= connectionError(error, '08006')));
  return {
    /**
     * In one round trip.
     * @param options.wanted of how many statements the rows are wanted: of the last ones
     * @param options.keepPlans of the statements, which are prepared
     */
    async run(
      statements: readonly Statement[],
      { wanted = 1, keepPlans = writer }: { wanted?: number; keepPlans?: boolean } = {}
    ): Promise<pg.QueryResult[]> {
      if (lost) {
        throw lost;
      }
      const batch = statements.map(({ sql: text, parameters, copied }, index) => ({
        text,
        copied,
        values: parameters as readonly Value[],
        // Other reads are not prepared: selective and unselective filters need different plans.
        name:
          keepPlans && (parameters.length > 0 || statements.length > 1 || copied !== undefined)
            ? nameOf(text)
            : undefined,
        silent: index < statements.length - wanted,
      }));
      try {
        return await pipeline.run(batch);
      } catch (error) {
        const failure = connectionError(error, '08006');
        if (isLost(failure) || failure.code === READ_ONLY || failure.code === OUTDATED_PLAN) {
          lost ??= failure;
        }
        throw failure;
      }
    },
    /** Whether it can be used for another transaction. */
    release(): boolean {
      const usable = lost === undefined;
      lost = undefined;
      return usable;
    },
  };
}

function wrap(client: pg.PoolClient, writer: boolean): PostgresPoolClient {
  const sender = createSender(client, writer);
  let deferred: Statement[] = [];
  /** Sent early in this transaction. */
  let early: Promise<unknown>[] = [];
  const sendEarly = (): void => {
    const sent = sender.run(deferred, { wanted: 0 });
    sent.catch(() => undefined);
    early.push(sent);
    deferred = [];
  };
  /** After what was sent early: the server skips the others after an error, which is the one to report. */
  const awaited = async (statements: readonly Statement[], wanted: number, keepPlans = writer) => {
    const results = sender.run(statements, { wanted, keepPlans });
    results.catch(() => undefined);
    const before = early;
    early = [];
    await Promise.all(before);
    return results;
  };
  const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
    const [batch] = values;
    if (batch instanceof Pipelined && batch.deferred) {
      deferred.push(...batch.statements);
      if (batch.early && deferred[0] !== BEGIN) {
        sendEarly();
      }
      return NO_ROWS;
    }
    const before = deferred;
    deferred = [];
    if (text === 'rollback') {
      await Promise.allSettled(early);
      early = [];
      return before.includes(BEGIN) ? NO_ROWS : (await sender.run([{ sql: text, parameters: [] }])).at(-1);
    }
    if (batch instanceof Pipelined) {
      const results = await awaited([...before, ...batch.statements], batch.statements.length, true);
      return { ...NO_ROWS, rows: results.slice(before.length).map(({ rows }) => rows as unknown) };
    }
    return (await awaited([...before, { sql: text, parameters: values }], 1)).at(-1);
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(!sender.release() || destroy === true);
      deferred = [];
      early = [];
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
