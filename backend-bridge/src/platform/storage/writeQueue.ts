/**
 * The one write queue. Waiting writes go to the writer thread together, become one transaction, and are acknowledged after
 * the commit; a large one becomes several, between which others are written, and is acknowledged after the last. The queue is bounded by number and by bytes: a write beyond that is rejected at once.
 */
import { LIMITS } from '../../../contract/limits.ts';
import type { StoreFailureReason } from '../../../contract/status.ts';
import { type Admission, BLOCKING, createAdmission } from './admission.ts';
import type { JournalEvent } from './events.ts';
import { type Call, createFairQueue, type Taken } from './fairQueue.ts';
import { failureReason, StoreUnavailable, unavailable, WriteFault } from './storeError.ts';
import { createStoreState, type StoreState } from './storeState.ts';
import {
  type AnyWrite,
  type AnyWritten,
  type ResultOf,
  type CallOutcome,
  serialise,
  type Write,
  type WriterMessage,
  type WriteTable,
} from './write.ts';
import { startWriter, type Writer } from './writer.ts';

export interface WriteQueueOptions {
  /** The file of an SQLite database, or the URL of a PostgreSQL database. */
  path: string;
  writes: WriteTable;
  /** Where the outcome of each write is recorded. */
  state?: StoreState;
  /** Calls that may wait, and their bytes. */
  maxWaiting?: number;
  maxBytes?: number;
  /** Limit per sender. */
  maxSenderCalls?: number;
  maxSenderBytes?: number;
  /** Calls of one transaction, at most. */
  maxBatch?: number;
  /** Calls that go to an idle writer without waiting for the end of the turn of the event loop, at least. */
  handOver?: number;
  /** Why the store failed, from the database's code; undefined when the fault is in the code. */
  reasonOf?: (code: string | undefined) => StoreFailureReason | undefined;
  /** Called after a commit and before it is acknowledged: records in `state` when the database is not the one that was opened. */
  verify?: () => void;
  /** The writer died and cannot be started again. */
  onLost?: (cause: Error) => void;
  /** Waits before restarts of the writer, in milliseconds. */
  restartDelays?: readonly number[];
}

interface Pending extends Call {
  /** It always changes something. */
  probe: boolean;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  /** Its slices have a transaction each. */
  large: boolean;
  /** Results of the written slices of a large call. */
  results: unknown[];
  settled: boolean;
}

/** Batches that the writer has at a time. */
const MAX_RUNNING = 2;
/** Weight of earlier batches in the average number of calls in progress. */
const MEMORY = 0.9;
/** End with the next write that the database accepts, which may have changed nothing. */
const REACHED = ['locked', 'unreachable'] as const;
/** End with the next change. */
const CHANGED = ['read_only', 'io_error'] as const;

const DEFAULTS = {
  maxWaiting: LIMITS.queuedCalls.value,
  maxBytes: LIMITS.queuedBytes.value,
  maxSenderCalls: LIMITS.senderCalls.value,
  maxSenderBytes: LIMITS.senderBytes.value,
  maxBatch: 512,
  /** An idle writer gets so many calls at once, or half of the calls under way if they are more. */
  handOver: 16,
  reasonOf: failureReason,
  verify: () => undefined,
  onLost: () => undefined,
};

/** Submits writes to the writer thread. */
export class WriteQueue {
  readonly #options: Required<Omit<WriteQueueOptions, 'restartDelays'>>;
  readonly #names: Map<AnyWrite, string>;
  readonly #state: StoreState;
  readonly #waiting = createFairQueue<Pending>();
  readonly #admission: Admission;
  readonly #listeners: ((events: JournalEvent[]) => void)[] = [];
  /** Batches that the writer has: while it writes one, the next is there already, so that neither thread waits. */
  readonly #running: Taken<Pending>[][] = [];
  /** Calls under way at a time, by the last batches. */
  #busiest = 0;
  #scheduled = false;
  #closed = false;
  #committedAt = performance.now();
  #writer!: Writer;

  private constructor(options: WriteQueueOptions) {
    this.#options = { ...DEFAULTS, state: createStoreState(), ...options };
    this.#names = new Map(Object.entries(options.writes.kinds).map(([name, { write }]) => [write, name]));
    this.#state = this.#options.state;
    this.#admission = createAdmission(this.#state, this.#options);
  }

  /** Starts the writer thread; resolves when the database is open and up to date. */
  static async open(options: WriteQueueOptions): Promise<WriteQueue> {
    const queue = new WriteQueue(options);
    queue.#writer = await startWriter({
      path: options.path,
      module: options.writes.thread,
      onDone: (message) => queue.#done(message),
      onDeath: (cause) => queue.#died(cause),
      beforeRestart: () => queue.#requireDatabase(),
      onRestarted: () => queue.#state.clear('writer_stopped'),
      onLost: queue.#options.onLost,
      ...(options.restartDelays && { delays: options.restartDelays }),
    });
    return queue;
  }

  /** Writes that wait, those under way included. */
  get waiting(): number {
    return this.#running.reduce((sum, batch) => sum + batch.length, this.#waiting.length);
  }

  /** Their size. */
  get waitingBytes(): number {
    return this.#admission.bytes;
  }

  /** When a change was committed last, by performance.now(). */
  get committedAt(): number {
    return this.#committedAt;
  }

  /**
   * Waits until the change is on disk.
   * @param sender whose turn it takes among the waiting ones, and whose share of the queue; undefined: the bridge and its admins
   * @throws StoreUnavailable when the queue or the sender's share of it is full, or the store cannot write
   * @throws WriteTooLarge when it can never fit into the queue
   * @throws WriteFault when the code that writes failed
   */
  submit<A, W extends AnyWritten>(write: Write<A, W>, args: A, sender?: string): Promise<ResultOf<W>> {
    return new Promise<ResultOf<W>>((resolve, reject) => {
      const name = this.#names.get(write) ?? '';
      const kind = this.#options.writes.kinds[name];
      if (!kind) {
        throw new Error(`The write ${write.name} is not in the table of writes.`);
      }
      const slices = serialise(name, args, kind.list);
      let bytes = 0;
      for (const slice of slices) {
        bytes += Buffer.byteLength(slice);
      }
      if (this.#closed) {
        throw new StoreUnavailable('The bridge is stopping; nothing of this request was stored.');
      }
      this.#admission.admit({ bytes, sender }, { kind, waiting: this.#waiting.length });
      this.#waiting.push({
        slices,
        bytes,
        sender,
        probe: kind.probe === true,
        large: slices.length > 1,
        results: [],
        settled: false,
        resolve: resolve as (result: unknown) => void,
        reject,
      });
      this.#schedule();
    });
  }

  /** Called after each commit with the events of its changes. */
  onEvents(listener: (events: JournalEvent[]) => void): void {
    this.#listeners.push(listener);
  }

  /** Moves what is in the write-ahead log into the database, so that its space is free. */
  checkpoint(): void {
    this.#writer.post('checkpoint');
  }

  /** The server does not respond: what the writer has fails without waiting for it, and what waits is rejected. */
  disconnect(): void {
    this.#writer.post('disconnect');
    this.#refuse(this.#waiting.takeAll(), 'unreachable', 'nothing');
  }

  async close(): Promise<void> {
    this.#closed = true;
    while (this.#running.length > 0 || this.#waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await this.#writer.close();
  }

  #schedule(): void {
    if (this.#running.length === 0 && this.#waiting.length >= Math.max(this.#options.handOver, this.#busiest / 2)) {
      // While the event loop reads the other half: if all went together, each thread would wait while the other works.
      this.#start();
    } else if (this.#running.length < MAX_RUNNING && !this.#scheduled) {
      // At the end of this turn of the event loop, so that all that arrived in it goes together.
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#start();
      });
    }
  }

  #start(): void {
    if (this.#running.length < MAX_RUNNING && this.#waiting.length > 0) {
      const batch = this.#waiting.takeBatch(this.#options.maxBatch);
      this.#running.push(batch);
      this.#writer.post(`[${batch.map(({ slice }) => slice).join(',')}]`);
      // The texts were copied; kept until the commit, they would be collected several times.
      batch.forEach((taken) => (taken.slice = ''));
    }
  }

  #done({ outcomes, events }: Extract<WriterMessage, { type: 'done' }>): void {
    this.#busiest = Math.max(this.waiting, this.#busiest * MEMORY);
    const finished = this.#running.shift() ?? [];
    this.#start();
    if (outcomes.some(({ ok }) => ok)) {
      this.#options.verify();
    }
    const changed = events.length > 0;
    this.#committedAt = changed ? performance.now() : this.#committedAt;
    const blocked = BLOCKING.find((reason) => this.#state.has(reason));
    if (blocked) {
      this.#refuse(callsOf(finished), blocked, 'unknown');
      return;
    }
    if (changed) {
      this.#listeners.forEach((listener) => listener(events));
    }
    finished.forEach((taken, index) => this.#settle(taken, outcomes[index], changed));
  }

  #died(cause: Error): void {
    this.#state.set('writer_stopped', cause.message);
    this.#running.splice(0).forEach((batch) => this.#refuse(callsOf(batch), 'writer_stopped', 'unknown'));
    this.#refuse(this.#waiting.takeAll(), 'writer_stopped', 'nothing');
  }

  /** @throws when the database is not the one that was opened */
  #requireDatabase(): void {
    this.#options.verify();
    if (this.#state.has('database_missing') || this.#state.has('database_replaced')) {
      throw new Error(this.#state.failure?.text);
    }
  }

  #refuse(batch: Pending[], reason: StoreFailureReason, kept: 'nothing' | 'unknown'): void {
    for (const pending of batch) {
      if (this.#conclude(pending)) {
        pending.reject(unavailable(reason, this.#state.failure?.cause ?? reason, pending.large ? 'unknown' : kept));
      }
    }
  }

  /** @returns whether it has been settled now, and not before with another slice of it */
  #conclude(pending: Pending): boolean {
    if (pending.settled) {
      return false;
    }
    pending.settled = true;
    this.#waiting.remove(pending);
    this.#admission.release(pending);
    return true;
  }

  #settle({ call, last }: Taken<Pending>, outcome: CallOutcome | undefined, changed: boolean): void {
    if (outcome?.ok) {
      this.#state.clear(...REACHED, ...(changed || call.probe ? CHANGED : []));
      if (call.large) {
        call.results.push(...(outcome.result as unknown[]));
      }
      if (last && this.#conclude(call)) {
        call.resolve(call.large ? call.results : outcome.result);
      }
    } else if (this.#conclude(call)) {
      this.#fail(call, outcome);
    }
  }

  #fail({ reject, large }: Pending, outcome: (CallOutcome & { ok: false }) | undefined): void {
    const { code, message, stack, unknown } = outcome ?? { message: 'the writer sent no outcome' };
    const reason = this.#options.reasonOf(code);
    if (reason === undefined) {
      reject(new WriteFault(message, stack));
      return;
    }
    const cause = `${code ?? 'error'}: ${message}`;
    // A server that rejects a write has been reached.
    this.#state.clear(...[...REACHED, ...CHANGED].filter((one) => one !== reason));
    this.#state.set(reason, cause);
    if (reason !== 'unreachable') {
      // The server has responded.
      this.#state.clear('unreachable');
    }
    reject(unavailable(reason, cause, unknown || large ? 'unknown' : 'nothing'));
  }
}

const callsOf = (batch: Taken<Pending>[]): Pending[] => batch.map(({ call }) => call);
