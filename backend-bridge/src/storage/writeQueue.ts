/**
 * The one write queue. All that waits goes to the writer thread together, becomes one transaction, and is acknowledged after
 * the commit. The queue is bounded: a caller is told at once when there is no room, rather than left waiting.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HttpProblem } from '../http/problem.ts';
import type { JournalEvent } from './events.ts';
import type { CallOutcome, WriteCall, WriterMessage } from './writerThread.ts';
import type { WriteArgs, WriteName, WriteResult } from './writes.ts';

export interface WriteQueue {
  /**
   * Waits until the change is on disk.
   * @throws HttpProblem 503 with `Retry-After` when the queue is full, or the store cannot write
   */
  submit<N extends WriteName>(name: N, args: WriteArgs<N>): Promise<WriteResult<N>>;
  /** Called after each commit with the events of its changes. */
  onEvents(listener: (events: JournalEvent[]) => void): void;
  /** For the metrics. */
  readonly waiting: number;
  /** Why the last write failed; undefined after one that succeeded. */
  readonly failure: string | undefined;
  close(): Promise<void>;
}

export interface WriteQueueOptions {
  path: string;
  /** Calls that may wait. */
  maxWaiting?: number;
  /** Calls of one transaction, at most. */
  maxBatch?: number;
  /** A write failed for a reason that is not the caller's. */
  onFailure?: (message: string) => void;
}

interface Pending {
  call: WriteCall;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

const RETRY_SECONDS = '1';
/** Batches that the writer has at a time. */
const MAX_RUNNING = 2;
/** Its rows live for one batch: a small nursery is enough, and V8's own would hold 64 MB for nothing. */
const WRITER_LIMITS = { maxYoungGenerationSizeMb: 8 };
/** The same file as source and as built. */
const WRITER = new URL(`./writerThread${extname(import.meta.url)}`, import.meta.url);

/** Starts the writer thread; resolves when the database is open and up to date. */
export async function createWriteQueue({
  path,
  maxWaiting = 20_000,
  maxBatch = 512,
  onFailure,
}: WriteQueueOptions): Promise<WriteQueue> {
  const worker = new Worker(WRITER, { workerData: { path }, resourceLimits: WRITER_LIMITS });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', (text: string) => {
      const message = JSON.parse(text) as WriterMessage;
      if (message.type === 'failed') {
        reject(new Error(`The database cannot be used: ${message.message}`));
      } else {
        resolve();
      }
    });
    worker.once('error', reject);
  });

  const waiting: Pending[] = [];
  const listeners: ((events: JournalEvent[]) => void)[] = [];
  /** Batches that the writer has: while it writes one, the next is there already, so that neither thread waits. */
  const running: Pending[][] = [];
  let scheduled = false;
  let closed = false;
  let failure: string | undefined;

  const unavailable = (message: string): HttpProblem => {
    failure = message;
    onFailure?.(message);
    return new HttpProblem(
      'unavailable',
      'The store cannot write at the moment; nothing of this request was kept. Try again.',
      {
        headers: { 'Retry-After': RETRY_SECONDS },
        cause: message,
      }
    );
  };

  const start = (): void => {
    scheduled = false;
    if (running.length >= MAX_RUNNING || waiting.length === 0) {
      return;
    }
    const batch = waiting.splice(0, maxBatch);
    running.push(batch);
    worker.postMessage(JSON.stringify(batch.map(({ call }) => call)));
  };

  worker.on('message', (text: string) => {
    const message = JSON.parse(text) as WriterMessage;
    const finished = message.type === 'done' ? running.shift() : undefined;
    if (message.type !== 'done' || !finished) {
      return;
    }
    start();
    if (message.events.length > 0) {
      listeners.forEach((listener) => listener(message.events));
    }
    finished.forEach((pending, index) => settle(pending, message.outcomes[index]));
  });

  const settle = ({ resolve, reject }: Pending, outcome: CallOutcome | undefined): void => {
    if (outcome?.ok) {
      failure = undefined;
      resolve(outcome.result);
    } else {
      reject(unavailable(outcome ? `${outcome.code ?? 'error'}: ${outcome.message}` : 'the writer gave no answer'));
    }
  };

  const abandon = (reason: string): void => {
    closed = true;
    [...running.splice(0).flat(), ...waiting.splice(0)].forEach(({ reject }) => reject(unavailable(reason)));
  };
  worker.on('error', (error: Error) => abandon(`the writer failed: ${error.message}`));
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      abandon('the writer has ended');
      resolve();
    });
  });

  return {
    submit(name, args) {
      if (closed) {
        return Promise.reject(unavailable(failure ?? 'the writer has ended'));
      }
      if (waiting.length >= maxWaiting) {
        const detail = `${waiting.length} writes are waiting, which is the limit; nothing of this request was kept. Try again.`;
        return Promise.reject(new HttpProblem('unavailable', detail, { headers: { 'Retry-After': RETRY_SECONDS } }));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ call: { name, args }, resolve: resolve as (result: unknown) => void, reject });
        // At the end of this turn of the event loop, so that all that arrived in it goes together.
        if (running.length < MAX_RUNNING && !scheduled) {
          scheduled = true;
          setImmediate(start);
        }
      });
    },
    onEvents: (listener) => void listeners.push(listener),
    get waiting() {
      return running.reduce((sum, batch) => sum + batch.length, waiting.length);
    },
    get failure() {
      return closed ? (failure ?? 'the writer has ended') : failure;
    },
    async close() {
      if (!closed) {
        while (running.length > 0 || waiting.length > 0) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        worker.postMessage('close');
      }
      await exited;
    },
  };
}
