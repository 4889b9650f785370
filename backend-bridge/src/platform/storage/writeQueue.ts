/**
 * The one write queue. Waiting writes go to the writer thread together, become one transaction, and are acknowledged after
 * the commit; a large one becomes several, between which others are written, and is acknowledged after the last. The queue is bounded by number and by bytes: a write beyond that is rejected at once.
 */
import { LIMITS } from '../../../contract/limits.ts';
import type { StoreFailureReason } from '../../../contract/status.ts';
import { BLOCKING, createAdmission } from './admission.ts';
import type { JournalEvent } from './events.ts';
import { type Call, createFairQueue, type Taken } from './fairQueue.ts';
import { failureReason, StoreUnavailable, unavailable, WriteFault } from './storeError.ts';
import { createStoreState, type StoreState } from './storeState.ts';
import { type AnyWrite, type CallOutcome, serialise, type Write, type WriteTable } from './write.ts';
import { startWriter } from './writer.ts';

/** Submits writes to the writer thread. */
export interface WriteQueue {
  /**
   * Waits until the change is on disk.
   * @param sender whose turn it takes among the waiting ones, and whose share of the queue; undefined: the bridge and its admins
   * @throws StoreUnavailable when the queue or the sender's share of it is full, or the store cannot write
   * @throws WriteTooLarge when it can never fit into the queue
   * @throws WriteFault when the code that writes failed
   */
  submit<A, R>(write: Write<A, R>, args: A, sender?: string): Promise<R>;
  /** Called after each commit with the events of its changes. */
  onEvents(listener: (events: JournalEvent[]) => void): void;
  /** Writes that wait, those under way included. */
  readonly waiting: number;
  /** Their size. */
  readonly waitingBytes: number;
  /** When a change was committed last, by performance.now(). */
  readonly committedAt: number;
  /** Moves what is in the write-ahead log into the database, so that its space is free. */
  checkpoint(): void;
  /** The server does not respond: what the writer has fails without waiting for it, and what waits is rejected. */
  disconnect(): void;
  close(): Promise<void>;
}

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
/** An idle writer gets so many calls at once, or half of the calls under way if they are more. */
const HAND_OVER = 16;
/** Weight of earlier batches in the average number of calls in progress. */
const MEMORY = 0.9;
/** End with the next write that the database accepts, which may have changed nothing. */
const REACHED = ['locked', 'unreachable'] as const;
/** End with the next change. */
const CHANGED = ['read_only', 'io_error'] as const;

/** Starts the writer thread; resolves when the database is open and up to date. */
export async function createWriteQueue({
  path,
  writes,
  state = createStoreState(),
  maxWaiting = LIMITS.queuedCalls.value,
  maxBytes = LIMITS.queuedBytes.value,
  maxSenderCalls = LIMITS.senderCalls.value,
  maxSenderBytes = LIMITS.senderBytes.value,
  maxBatch = 512,
  handOver = HAND_OVER,
  reasonOf = failureReason,
  verify = () => undefined,
  onLost = () => undefined,
  restartDelays,
}: WriteQueueOptions): Promise<WriteQueue> {
  const names = new Map<AnyWrite, string>(Object.entries(writes.kinds).map(([name, { write }]) => [write, name]));
  const waiting = createFairQueue<Pending>();
  const admission = createAdmission(state, { maxWaiting, maxBytes, maxSenderCalls, maxSenderBytes });
  const listeners: ((events: JournalEvent[]) => void)[] = [];
  /** Batches that the writer has: while it writes one, the next is there already, so that neither thread waits. */
  const running: Taken<Pending>[][] = [];
  /** Calls under way at a time, by the last batches. */
  let busiest = 0;
  let scheduled = false;
  let closed = false;
  let committedAt = performance.now();

  const writer = await startWriter({
    path,
    module: writes.thread,
    onDone({ outcomes, events }) {
      busiest = Math.max(underWay(), busiest * MEMORY);
      const finished = running.shift() ?? [];
      start();
      if (outcomes.some(({ ok }) => ok)) {
        verify();
      }
      committedAt = events.length > 0 ? performance.now() : committedAt;
      const blocked = BLOCKING.find((reason) => state.has(reason));
      if (blocked) {
        refuse(callsOf(finished), blocked, 'unknown');
        return;
      }
      if (events.length > 0) {
        listeners.forEach((listener) => listener(events));
      }
      finished.forEach((taken, index) => settle(taken, outcomes[index], events.length > 0));
    },
    onDeath(cause) {
      state.set('writer_stopped', cause.message);
      running.splice(0).forEach((batch) => refuse(callsOf(batch), 'writer_stopped', 'unknown'));
      refuse(waiting.takeAll(), 'writer_stopped', 'nothing');
    },
    beforeRestart() {
      verify();
      if (state.has('database_missing') || state.has('database_replaced')) {
        throw new Error(state.failure?.text);
      }
    },
    onRestarted: () => state.clear('writer_stopped'),
    onLost,
    ...(restartDelays && { delays: restartDelays }),
  });

  const callsOf = (batch: Taken<Pending>[]): Pending[] => batch.map(({ call }) => call);

  const underWay = (): number => running.reduce((sum, batch) => sum + batch.length, waiting.length);

  const start = (): void => {
    if (running.length < MAX_RUNNING && waiting.length > 0) {
      const batch = waiting.takeBatch(maxBatch);
      running.push(batch);
      writer.post(`[${batch.map(({ slice }) => slice).join(',')}]`);
    }
  };

  const refuse = (batch: Pending[], reason: StoreFailureReason, kept: 'nothing' | 'unknown'): void => {
    for (const pending of batch) {
      if (conclude(pending)) {
        pending.reject(unavailable(reason, state.failure?.cause ?? reason, pending.large ? 'unknown' : kept));
      }
    }
  };

  /** @returns whether it has been settled now, and not before with another slice of it */
  const conclude = (pending: Pending): boolean => {
    if (pending.settled) {
      return false;
    }
    pending.settled = true;
    waiting.remove(pending);
    admission.release(pending);
    return true;
  };

  const settle = ({ call, last }: Taken<Pending>, outcome: CallOutcome | undefined, changed: boolean): void => {
    if (outcome?.ok) {
      state.clear(...REACHED, ...(changed || call.probe ? CHANGED : []));
      if (call.large) {
        call.results.push(...(outcome.result as unknown[]));
      }
      if (last && conclude(call)) {
        call.resolve(call.large ? call.results : outcome.result);
      }
    } else if (conclude(call)) {
      fail(call, outcome);
    }
  };

  const fail = ({ reject, large }: Pending, outcome: (CallOutcome & { ok: false }) | undefined): void => {
    const { code, message, stack, unknown } = outcome ?? { message: 'the writer sent no outcome' };
    const reason = reasonOf(code);
    if (reason) {
      const cause = `${code ?? 'error'}: ${message}`;
      // A server that rejects a write has been reached.
      state.clear(...[...REACHED, ...CHANGED].filter((one) => one !== reason));
      state.set(reason, cause);
      if (reason !== 'unreachable') {
        // The server has responded.
        state.clear('unreachable');
      }
      reject(unavailable(reason, cause, unknown || large ? 'unknown' : 'nothing'));
    } else {
      reject(new WriteFault(message, stack));
    }
  };

  return {
    submit: <A, R>(write: Write<A, R>, args: A, sender?: string): Promise<R> =>
      new Promise<R>((resolve, reject) => {
        const name = names.get(write) ?? '';
        const kind = writes.kinds[name];
        if (!kind) {
          throw new Error(`The write ${write.name} is not in the table of writes.`);
        }
        const slices = serialise(name, args, kind.list);
        let bytes = 0;
        for (const slice of slices) {
          bytes += Buffer.byteLength(slice);
        }
        if (closed) {
          throw new StoreUnavailable('The bridge is stopping; nothing of this request was stored.');
        }
        admission.admit({ bytes, sender }, { kind, waiting: waiting.length });
        waiting.push({
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
        if (running.length === 0 && waiting.length >= Math.max(handOver, busiest / 2)) {
          // While the event loop reads the other half: if all went together, each thread would wait while the other works.
          start();
        } else if (running.length < MAX_RUNNING && !scheduled) {
          // At the end of this turn of the event loop, so that all that arrived in it goes together.
          scheduled = true;
          setImmediate(() => {
            scheduled = false;
            start();
          });
        }
      }),
    onEvents: (listener) => void listeners.push(listener),
    get waiting() {
      return underWay();
    },
    get waitingBytes() {
      return admission.bytes;
    },
    get committedAt() {
      return committedAt;
    },
    checkpoint: () => writer.post('checkpoint'),
    disconnect() {
      writer.post('disconnect');
      refuse(waiting.takeAll(), 'unreachable', 'nothing');
    },
    async close() {
      closed = true;
      while (running.length > 0 || waiting.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await writer.close();
    },
  };
}
