/** The errors of the store. They know nothing of HTTP: `platform/http/errors.ts` maps them. */
import type { StoreFailureReason } from '../../../contract/status.ts';

/** Failures, in one sentence for clients, logs and `/readyz`. */
export const FAILURE_TEXTS: Record<StoreFailureReason, string> = {
  disk_full: 'Disk full: there is no space left for the database.',
  corrupt: 'The database is damaged: stop the bridge and restore a backup.',
  database_missing: 'nodebell.db was removed while the bridge is running.',
  database_replaced: 'nodebell.db was replaced while the bridge is running: restart the bridge.',
  writer_stopped: 'The writer stopped and is being restarted.',
  locked: 'Another program holds a lock on the database, or the database is too slow.',
  read_only: 'The database is read-only.',
  io_error: 'The disk reports an input/output error.',
  unreachable: 'The database server cannot be reached.',
};

/** Retrying sooner cannot succeed while one of these lasts. Seconds. */
export const RETRY_AFTER: Partial<Record<StoreFailureReason, number>> = {
  disk_full: 30,
  corrupt: 60,
  database_missing: 60,
  database_replaced: 60,
  unreachable: 2,
};

/** The store cannot take a write at the moment. It was not acknowledged; a retry is right. */
export class StoreUnavailable extends Error {
  /** Undefined: the queue is full. */
  readonly reason: StoreFailureReason | undefined;
  /** Seconds. */
  readonly retryAfter: number;

  constructor(message: string, reason?: StoreFailureReason, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
    this.reason = reason;
    this.retryAfter = (reason && RETRY_AFTER[reason]) ?? 1;
  }
}

/** @param kept whether the write may have been stored although it is not acknowledged */
export function unavailable(reason: StoreFailureReason, cause: string, kept: 'nothing' | 'unknown'): StoreUnavailable {
  const consequence =
    kept === 'nothing'
      ? 'Nothing of this request was stored. Try again.'
      : 'This request may have been stored. Repeat it with the same Idempotency-Key.';
  return new StoreUnavailable(`${FAILURE_TEXTS[reason]} ${consequence}`, reason, cause);
}

/** One write is larger than everything that may wait together: it would never be accepted. */
export class WriteTooLarge extends Error {
  constructor(bytes: number, limit: number) {
    super(`The request needs ${bytes} bytes in the write queue; the limit is ${limit}. Split it.`);
    this.name = 'WriteTooLarge';
  }
}

/** The code that writes failed. The same write would fail again. */
export class WriteFault extends Error {
  constructor(message: string, stack: string | undefined) {
    super(message);
    this.name = 'WriteFault';
    this.stack = stack ?? this.stack;
  }
}

/** The connection was lost, or the disk failed, while a commit was under way: it may have happened. */
export class OutcomeUnknown extends Error {
  readonly code: string;

  /** @param code default: SQLSTATE of a connection that failed */
  constructor(cause: Error, code = '08007') {
    super(cause.message, { cause });
    this.name = 'OutcomeUnknown';
    this.code = code;
  }
}

/**
 * SQLite's result codes (the extended ones start with these), PostgreSQL's SQLSTATE
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), and the codes of Node for a connection or a disk that fails.
 */
const REASONS: readonly (readonly [RegExp, StoreFailureReason])[] = [
  [/^SQLITE_FULL/, 'disk_full'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'corrupt'],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, 'locked'],
  [/^(SQLITE_READONLY|EROFS$)/, 'read_only'],
  [/^(SQLITE_(IOERR|CANTOPEN|NOMEM)|EIO$)/, 'io_error'],
  [/^53100$/, 'disk_full'],
  [/^XX00[12]$/, 'corrupt'],
  // A lock or a statement took too long; a transaction gave way to another.
  [/^(55P03|57014|40001|40P01)$/, 'locked'],
  [/^25006$/, 'read_only'],
  [/^58/, 'io_error'],
  // No connection, no such user or database, too many connections, the server is stopping or starting, TLS.
  [/^(08|28|53|57P|25P03|3D000)/, 'unreachable'],
  [/^(ECONN|EPIPE|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|ERR_TLS|ERR_SSL|.*CERT)/, 'unreachable'],
];

/** A newer bridge has added a column meanwhile, so the prepared statements of the connection are out of date. */
export const OUTDATED_PLAN = '0A000';

/** PostgreSQL: the transaction gave way to another, or its connection is replaced; it would succeed if it is run again. */
export const isWorthRetrying = (code: unknown): boolean =>
  code === '40001' || code === '40P01' || code === OUTDATED_PLAN;

/** @returns why the store failed; undefined when the fault is in the code */
export function failureReason(code: unknown): StoreFailureReason | undefined {
  return typeof code === 'string' ? REASONS.find(([pattern]) => pattern.test(code))?.[1] : undefined;
}

/** The result of a read; the second argument while the database cannot be read. */
export async function ifReadable<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (failureReason((error as { code?: unknown }).code)) {
      return otherwise;
    }
    throw error;
  }
}
