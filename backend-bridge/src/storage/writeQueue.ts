/**
 * The one write queue. Waiting writes go to the writer thread together, become one transaction, and are acknowledged after
 * the commit. The queue is bounded by number and by bytes: a write beyond that is rejected at once.
 */
import { LIMITS } from '../../contract/limits.ts';
import type { StoreFailureReason } from '../../contract/status.ts';
import { createBudget } from '../limits/budget.ts';
import type { JournalEvent } from './events.ts';
import { failureReason, StoreUnavailable, unavailable, WriteFault, WriteTooLarge } from './storeError.ts';
import { createStoreState, type StoreState } from './storeState.ts';
import { type AnyWrite, type CallOutcome, serialise, type Write, type WriteTable } from './write.ts';
import { startWriter } from './writer.ts';

export interface WriteQueue {
  /**
   * Waits until the change is on disk.
   * @throws StoreUnavailable when the queue is full, or the store cannot write
   * @throws WriteTooLarge when it can never fit into the queue
   * @throws WriteFault when the code that writes failed
   */
  submit<A, R>(write: Write<A, R>, args: A): Promise<R>;
  /** Called after each commit with the events of its changes. */
  onEvents(listener: (events: JournalEvent[]) => void): void;
  /** Writes that wait, those under way included. */
  readonly waiting: number;
  /** Their size. */
  readonly waitingBytes: number;
  /** When a change was committed last, UTC milliseconds. */
  readonly committedAt: number;
  /** Moves what is in the write-ahead log into the database, so that its space is free. */
  checkpoint(): void;
  close(): Promise<void>;
}

export interface WriteQueueOptions {
  path: string;
  writes: WriteTable;
  /** Where the outcome of each write is recorded. */
  state?: StoreState;
  /** Calls that may wait, and their bytes. */
  maxWaiting?: number;
  maxBytes?: number;
  /** Calls of one transaction, at most. */
  maxBatch?: number;
  /** Calls that are handed over without waiting for the end of the turn of the event loop. */
  handOver?: number;
  /** Why the store failed, from SQLite's code; undefined when the fault is in the code. */
  reasonOf?: (code: string | undefined) => StoreFailureReason | undefined;
  /** Called after a commit and before it is acknowledged: records in `state` when the database is not the one that was opened. */
  verify?: () => void;
  /** The writer died and cannot be started again. */
  onLost?: (cause: Error) => void;
  /** Waits before restarts of the writer, in milliseconds. */
  restartDelays?: readonly number[];
}

interface Pending {
  /** The call as JSON; several slices when it is large. */
  slices: string[];
  bytes: number;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** Batches that the writer has at a time. */
const MAX_RUNNING = 2;
/**
 * So many calls go to an idle writer at once, before the event loop has read the rest of the requests: otherwise all connections
 * end up in the same batch, and each thread waits while the other works. Fewer would cost more transactions.
 */
const HAND_OVER = 32;
/** While one of these lasts, nothing is written. */
const BLOCKING = ['database_missing', 'database_replaced', 'corrupt', 'writer_stopped'] as const;
/** End with the next successful write. */
const PASSING = ['locked', 'read_only', 'io_error'] as const;

/** Starts the writer thread; resolves when the database is open and up to date. */
export async function createWriteQueue({
  path,
  writes,
  state = createStoreState(),
  maxWaiting = LIMITS.queuedCalls.value,
  maxBytes = LIMITS.queuedBytes.value,
  maxBatch = 512,
  handOver = HAND_OVER,
  reasonOf = failureReason,
  verify = () => undefined,
  onLost = () => undefined,
  restartDelays,
}: WriteQueueOptions): Promise<WriteQueue> {
  const names = new Map<AnyWrite, string>(Object.entries(writes.kinds).map(([name, { write }]) => [write, name]));
  const waiting: Pending[] = [];
  const budget = createBudget(maxBytes);
  const listeners: ((events: JournalEvent[]) => void)[] = [];
  /** Batches that the writer has: while it writes one, the next is there already, so that neither thread waits. */
  const running: Pending[][] = [];
  let scheduled = false;
  let closed = false;
  let committedAt = Date.now();

  const writer = await startWriter({
    path,
    module: writes.thread,
    onDone({ outcomes, events }) {
      const finished = running.shift() ?? [];
      start();
      if (outcomes.some(({ ok }) => ok)) {
        verify();
      }
      committedAt = events.length > 0 ? Date.now() : committedAt;
      const blocked = BLOCKING.find((reason) => state.has(reason));
      if (blocked) {
        refuse(finished, blocked, 'unknown');
        return;
      }
      if (events.length > 0) {
        listeners.forEach((listener) => listener(events));
      }
      finished.forEach((pending, index) => settle(pending, outcomes[index]));
    },
    onDeath(cause) {
      state.set('writer_stopped', cause.message);
      running.splice(0).forEach((batch) => refuse(batch, 'writer_stopped', 'unknown'));
      refuse(waiting.splice(0), 'writer_stopped', 'nothing');
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

  const start = (): void => {
    if (running.length < MAX_RUNNING && waiting.length > 0) {
      const batch = waiting.splice(0, batchSize(waiting, maxBatch));
      running.push(batch);
      const [first] = batch;
      writer.post(
        first && first.slices.length > 1 ? first.slices : `[${batch.map(({ slices }) => slices[0]).join(',')}]`
      );
    }
  };

  const refuse = (batch: Pending[], reason: StoreFailureReason, kept: 'nothing' | 'unknown'): void => {
    for (const { reject, bytes } of batch) {
      budget.release(bytes);
      reject(unavailable(reason, state.failure?.cause ?? reason, kept));
    }
  };

  const settle = ({ resolve, reject, bytes }: Pending, outcome: CallOutcome | undefined): void => {
    budget.release(bytes);
    if (outcome?.ok) {
      state.clear(...PASSING);
      resolve(outcome.result);
      return;
    }
    const { code, message, stack } = outcome ?? { message: 'the writer sent no outcome' };
    const reason = reasonOf(code);
    if (reason) {
      const cause = `${code ?? 'error'}: ${message}`;
      state.set(reason, cause);
      reject(unavailable(reason, cause, 'nothing'));
    } else {
      reject(new WriteFault(message, stack));
    }
  };

  /** @throws when the write cannot be accepted */
  const admit = (grows: boolean, bytes: number): void => {
    if (closed) {
      throw new StoreUnavailable('The bridge is stopping; nothing of this request was stored.');
    }
    const blocked = state.failure && blockedBy(state, grows);
    if (blocked) {
      throw unavailable(blocked, state.failure?.cause ?? blocked, 'nothing');
    }
    if (bytes > maxBytes) {
      throw new WriteTooLarge(bytes, maxBytes);
    }
    if (waiting.length >= maxWaiting || !budget.take(bytes)) {
      const found = waiting.length >= maxWaiting ? `${waiting.length} writes` : `${budget.used} bytes of writes`;
      throw new StoreUnavailable(
        `${found} are waiting, which is the limit; nothing of this request was stored. Try again.`
      );
    }
  };

  return {
    submit: <A, R>(write: Write<A, R>, args: A): Promise<R> =>
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
        admit(kind.grows === true, bytes);
        waiting.push({ slices, bytes, resolve: resolve as (result: unknown) => void, reject });
        if (running.length >= MAX_RUNNING) {
          return;
        }
        if (waiting.length >= handOver) {
          start();
        } else if (!scheduled) {
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
      return running.reduce((sum, batch) => sum + batch.length, waiting.length);
    },
    get waitingBytes() {
      return budget.used;
    },
    get committedAt() {
      return committedAt;
    },
    checkpoint: () => writer.post('checkpoint'),
    async close() {
      closed = true;
      while (running.length > 0 || waiting.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await writer.close();
    },
  };
}

/** Why a write is rejected before it is tried. */
function blockedBy(state: StoreState, grows: boolean): StoreFailureReason | undefined {
  return BLOCKING.find((reason) => state.has(reason)) ?? (grows && state.has('disk_full') ? 'disk_full' : undefined);
}

/** How many of those that wait go together: a large call, which is in slices, goes alone. */
function batchSize(waiting: readonly Pending[], maxBatch: number): number {
  let bytes = 0;
  for (let size = 0; size < waiting.length && size < maxBatch; size += 1) {
    const next = waiting[size]!;
    bytes += next.bytes;
    if (size > 0 && (next.slices.length > 1 || bytes > LIMITS.batchBytes.value)) {
      return size;
    }
    if (next.slices.length > 1) {
      return 1;
    }
  }
  return Math.min(waiting.length, maxBatch);
}
