/**
 * One connection of each replica to PostgreSQL, for what lasts as long as a session: the lock that the leader holds, and the signals of
 * new events. The server ends a session that is silent for {@link SILENT_MS}, so that the lock of a replica that has died, hangs or is cut
 * off is free again; before that, the replica itself stops to lead. Decision: docs/decisions/0020-postgresql.md.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isoTime } from '../../../contract/text.ts';
import { StoreUnavailable, WriteFault } from '../storage/storeError.ts';
import type { WriteQueue } from '../storage/writeQueue.ts';
import type { Leadership } from './leadership.ts';
import { recordLeader } from './writes.ts';

/** Interval at which the leader confirms its lock, and a follower tries to take it. Milliseconds. */
const CONFIRM_MS = 1000;
const TRY_MS = 2000;
/** For how long a confirmation counts, from when it was requested. Milliseconds. */
const CONFIRMED_MS = 4000;
/** After so long without a query the server ends the session: longer than a confirmation counts. Milliseconds. */
const SILENT_MS = 6000;
/** A response that takes longer is an error. Milliseconds. */
const RESPONSE_MS = 3000;
/** Before the connection is opened again. Milliseconds. */
const REOPEN_MS = 1000;
/** Channel that signals new events to other replicas. */
const EVENTS_CHANNEL = 'nodebell';
/** Between two signals, so that a busy replica does not make the others read the journal at each commit. Milliseconds. */
const SIGNAL_MS = 10;
/** Key of the lock: "leader" in ASCII. Its second half is the schema, so that two sets of tables in one database have two leaders. */
const LOCK = `${Buffer.from('lead').readInt32BE()}, hashtext(current_schema())`;

/** The leading replica. */
export interface Leader {
  /** Host and process of the replica. */
  name: string;
  /** Since when, ISO 8601, UTC. */
  since: string;
}

export interface SessionDeps {
  url: string;
  pid: number | undefined;
  writes: Pick<WriteQueue, 'submit'>;
  /** There may be new events: after a signal of another replica, with the id of the newest, and after each connect. */
  onSignal: (newest?: number) => void;
  /** The server has not responded within {@link RESPONSE_MS}, or the network has closed the connection. */
  onSilent: (cause: Error) => void;
  /** UTC milliseconds. */
  now: () => number;
  log: Record<'info' | 'warn', (fields: object, message: string) => void>;
}

/** The connection with the advisory lock of the leader and LISTEN. */
export class Session {
  readonly leadership: Leadership = {
    term: () => (performance.now() < this.#confirmedUntil ? this.#term : undefined),
    onChange: (listener) => void this.#listeners.push(listener),
  };
  readonly #deps: SessionDeps;
  readonly #name: string;
  readonly #id = randomUUID();
  readonly #listeners: (() => void)[] = [];
  readonly #closing = new AbortController();
  #terms = 0;
  #term: number | undefined;
  /** Monotonic. */
  #confirmedUntil = 0;
  #current: Connection | undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.#name = `${hostname()}${deps.pid === undefined ? '' : `:${deps.pid}`}`;
  }

  /** @returns after the first attempt to lead */
  static async open(deps: SessionDeps): Promise<Session> {
    const session = new Session(deps);
    await new Promise<void>((resolve) => {
      session.#running = session.#run(resolve);
    });
    return session;
  }

  /** Identifies a term for `platform/replicas/writes.ts`. */
  nameOf(term: number): string {
    return `${this.#id}/${term}`;
  }

  /** Signals to other replicas that events up to this id are committed. Best effort: they also read the journal each second. */
  signal(newest: number): void {
    this.#current?.signal(newest);
  }

  /** Connects again: the address may belong to another server. */
  reopen(): void {
    this.#current?.lose(new Moved());
  }

  /** Ends the term in good order, so that another replica leads at once. To be called when the work of the leader has stopped. */
  async close(): Promise<void> {
    if (this.#term !== undefined) {
      // Otherwise the next leader waits until this one must have stopped.
      const ended = { leader: this.nameOf(this.#term), value: null };
      await this.#deps.writes.submit(recordLeader, ended).catch(() => undefined);
    }
    this.#closing.abort();
    await this.#running;
  }

  #set(next: number | undefined): void {
    if (this.#term !== next) {
      this.#term = next;
      const message = next === undefined ? 'this replica is no longer the leader' : 'this replica is the leader';
      this.#deps.log.info({ replica: this.#name }, message);
      this.#listeners.forEach((listener) => listener());
    }
  }

  async #run(onTried: () => void): Promise<void> {
    const { url, onSignal, onSilent, log } = this.#deps;
    const { signal } = this.#closing;
    let failed = false;
    while (!signal.aborted) {
      const connection = new Connection(url, onSignal, signal);
      this.#current = connection;
      try {
        await connection.open();
        onSignal();
        failed = false;
        await this.#follow(connection, onTried);
      } catch (error) {
        if (!failed && !signal.aborted) {
          log.warn({ err: error }, 'lost the database connection of the leader lock; reconnecting');
          if (isSilence(error)) {
            onSilent(error as Error);
          }
        }
        failed = true;
      }
      this.#set(undefined);
      onTried();
      await connection.end();
      await pause(REOPEN_MS, signal);
    }
  }

  async #follow(connection: Connection, onTried: () => void): Promise<void> {
    for (let locked = false; !this.#closing.signal.aborted;) {
      if (locked) {
        this.#confirmedUntil = (await connection.confirm()) + CONFIRMED_MS;
      } else if (await connection.tryLock()) {
        locked = true;
        await this.#begin(connection, onTried);
      }
      onTried();
      await connection.pause(locked ? CONFIRM_MS : TRY_MS);
    }
  }

  /** Leads as soon as a leader that has not ended its term in good order must have stopped. */
  async #begin(connection: Connection, onTried: () => void): Promise<void> {
    const before = await connection.leader();
    if (before !== undefined && !before.startsWith(this.#id)) {
      onTried();
      for (const until = performance.now() + CONFIRMED_MS; performance.now() < until; await connection.confirm()) {
        await connection.pause(CONFIRM_MS);
      }
    }
    this.#terms += 1;
    const leader: Leader = { name: this.#name, since: isoTime(this.#deps.now()) };
    const term = { leader: this.nameOf(this.#terms), value: JSON.stringify(leader) };
    await this.#deps.writes.submit(recordLeader, term);
    this.#confirmedUntil = (await connection.confirm()) + CONFIRMED_MS;
    this.#set(this.#terms);
  }
}

class Moved extends Error {
  constructor() {
    super('The address may belong to another server.');
  }
}

/** Neither the server nor the write queue has reported this error. */
const isSilence = (error: unknown): boolean =>
  !(
    error instanceof Moved ||
    error instanceof pg.DatabaseError ||
    error instanceof StoreUnavailable ||
    error instanceof WriteFault
  );

/** Resolves after this time, or when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);

class Connection {
  readonly #client: pg.Client;
  readonly #closing: AbortSignal;
  readonly #lost = new AbortController();
  /** Process of the server that serves this session; undefined until the connection is ready. */
  #processId: number | undefined;
  #newest = 0;
  #signalling = false;

  constructor(url: string, onSignal: SessionDeps['onSignal'], closing: AbortSignal) {
    this.#closing = closing;
    this.#client = new pg.Client({
      connectionString: url,
      application_name: 'nodebell leader',
      keepAlive: true,
      connectionTimeoutMillis: RESPONSE_MS,
      query_timeout: RESPONSE_MS,
    });
    this.#client.on('notification', ({ processId, payload }) => {
      if (processId !== this.#processId) {
        onSignal(Number(payload));
      }
    });
    this.#client.on('error', (error) => this.lose(error));
    this.#client.on('end', () => this.lose(new Error('The server closed the connection.')));
  }

  lose(cause: Error): void {
    this.#lost.abort(cause);
  }

  async open(): Promise<void> {
    await this.#client.connect();
    await this.#client.query(`set idle_session_timeout = ${SILENT_MS}`);
    // Nothing but signals is committed here, and a lost signal loses no event.
    await this.#client.query('set synchronous_commit = off');
    await this.#client.query(`listen ${EVENTS_CHANNEL}`);
    const { rows } = await this.#client.query<{ pid: number }>('select pg_backend_pid() as pid');
    this.#processId = rows[0]?.pid;
  }

  /** Several at once become one: PostgreSQL lets one transaction with a signal commit at a time, for the whole server. */
  signal(newest: number): void {
    this.#newest = Math.max(this.#newest, newest);
    if (!this.#signalling && this.#processId !== undefined) {
      this.#signalling = true;
      // The loss of the connection is noticed by the next confirmation.
      void this.#sendSignals()
        .catch(() => undefined)
        .finally(() => (this.#signalling = false));
    }
  }

  async #sendSignals(): Promise<void> {
    for (let sent = 0; sent < this.#newest;) {
      sent = this.#newest;
      await this.#client.query('select pg_notify($1, $2)', [EVENTS_CHANNEL, String(sent)]);
      await this.pause(SIGNAL_MS);
    }
  }

  async tryLock(): Promise<boolean> {
    const { rows } = await this.#client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${LOCK}) as locked`);
    return rows[0]?.locked === true;
  }

  /** @returns when the query was sent, on the monotonic clock: the session had its lock after that */
  async confirm(): Promise<number> {
    const at = performance.now();
    await this.#client.query('select 1');
    return at;
  }

  /** The replica that leads, or led and has not ended its term in good order. */
  async leader(): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ name: string }>("select name from shared_state where scope = 'leader'");
    return rows[0]?.name;
  }

  /** @throws when the connection is lost */
  async pause(ms: number): Promise<void> {
    await pause(ms, AbortSignal.any([this.#lost.signal, this.#closing]));
    this.#lost.signal.throwIfAborted();
  }

  /** Also of a server that does not respond. */
  async end(): Promise<void> {
    const ended = this.#client.end().catch(() => undefined);
    await Promise.race([ended, sleep(RESPONSE_MS, undefined, { ref: false })]);
    this.#client.connection.stream.destroy();
  }
}
