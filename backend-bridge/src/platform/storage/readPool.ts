/** The threads that read a database: started when needed, ended after idling. */
import { Worker } from 'node:worker_threads';
import { LIMITS } from '../../../contract/limits.ts';
import {
  type Answer,
  type AnyRead,
  NotWanted,
  type Read,
  type ReadCommand,
  type ReadOutcome,
  type ReadRequest,
  type Reads,
  type ReadTable,
} from './read.ts';
import { StoreUnavailable } from './storeError.ts';

export interface ReadPoolOptions {
  /** The file of an SQLite database, or the URL of a PostgreSQL database. */
  path: string;
  reads: ReadTable;
  /** UTC milliseconds. */
  now: () => number;
  /** Called with each error of a read, which is thrown as well. */
  onError?: (error: Error) => void;
  /** Called when a thread ended before it was told to. */
  onDeath?: (cause: Error) => void;
  /** Default: see {@link LIMITS}. */
  threads?: number;
  /** Reads that a thread runs at a time. Default: one, since SQLite does not wait for anybody else. */
  readsOfThread?: number;
  idleMs?: number;
}

interface Waiting {
  name: string;
  args: unknown;
  wanted: () => boolean;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  /** By their ids. */
  running: Map<number, Waiting>;
  idle: NodeJS.Timeout | undefined;
  exited: Promise<void>;
  /** It has completed a read. */
  works: boolean;
}

const MIB = 2 ** 20;
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: LIMITS.readingHeap.value / MIB };

const stopping = (): StoreUnavailable => new StoreUnavailable('The bridge is stopping.');

/** Reads of one database. A thread that crashes takes the reads with it that it runs; the next read starts another. */
export class ReadPool implements Reads {
  readonly #options: Required<ReadPoolOptions>;
  readonly #names: ReadonlyMap<AnyRead, string>;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Waiting[] = [];
  #lastId = 0;
  #closed = false;

  constructor(options: ReadPoolOptions) {
    this.#options = {
      onError: () => undefined,
      onDeath: () => undefined,
      threads: LIMITS.readingThreads.value,
      readsOfThread: 1,
      idleMs: LIMITS.readingIdle.value,
      ...options,
    };
    this.#names = new Map(Object.entries(options.reads.kinds).map(([name, read]) => [read, name]));
  }

  run<A, R extends Answer>(read: Read<A, R>, args: A, wanted: () => boolean = () => true): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const name = this.#names.get(read);
      if (name === undefined) {
        throw new Error(`The read ${read.name} is not in the table of reads.`);
      }
      if (this.#closed) {
        throw stopping();
      }
      this.#waiting.push({ name, args, wanted, resolve: resolve as Waiting['resolve'], reject });
      const { readsOfThread } = this.#options;
      const free = [...this.#threads].find(({ running }) => running.size < readsOfThread) ?? this.#start();
      if (free) {
        this.#give(free);
      }
    });
  }

  /** To the connections of all threads. */
  tell(command: Exclude<ReadCommand, 'close'>): void {
    this.#threads.forEach(({ worker }) => worker.postMessage(command));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.splice(0).forEach(({ reject }) => reject(stopping()));
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  }

  /** The next reads for a thread; it ends when none has come for a while. */
  #give(thread: Thread): void {
    clearTimeout(thread.idle);
    const { now, readsOfThread, idleMs } = this.#options;
    const { running, worker } = thread;
    while (running.size < readsOfThread) {
      const next = this.#next();
      if (!next) {
        break;
      }
      const { name, args } = next;
      const id = (this.#lastId += 1);
      running.set(id, next);
      worker.postMessage({ id, name, args, now: now() } satisfies ReadRequest);
    }
    if (running.size === 0) {
      thread.idle = setTimeout(() => void this.#end(thread), idleMs);
      thread.idle.unref();
    }
  }

  #next(): Waiting | undefined {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (next.wanted()) {
        return next;
      }
      next.reject(new NotWanted());
    }
    return undefined;
  }

  /** @returns undefined when there are as many as are allowed */
  #start(): Thread | undefined {
    const { path, reads, onDeath, threads } = this.#options;
    if (this.#threads.size >= threads) {
      return undefined;
    }
    const worker = new Worker(reads.thread, { workerData: { path }, resourceLimits: THREAD_LIMITS });
    let cause = new Error('the reading thread ended');
    worker.on('message', (outcome: ReadOutcome) => this.#settle(thread, outcome));
    worker.on('error', (error: Error) => (cause = error));
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const thread: Thread = { worker, running: new Map(), idle: undefined, exited, works: false };
    this.#threads.add(thread);
    void exited.then(() => {
      const ended = (): StoreUnavailable =>
        new StoreUnavailable('The reading thread ended. Try again.', undefined, cause);
      thread.running.forEach(({ reject }) => reject(ended()));
      if (!thread.works) {
        // One that cannot start is not started again for each waiting read.
        this.#waiting.splice(0).forEach(({ reject }) => reject(ended()));
      }
      if (this.#threads.delete(thread)) {
        clearTimeout(thread.idle);
        onDeath(cause);
        const successor = this.#waiting.length > 0 ? this.#start() : undefined;
        if (successor) {
          this.#give(successor);
        }
      }
    });
    return thread;
  }

  #settle(thread: Thread, outcome: ReadOutcome): void {
    const running = thread.running.get(outcome.id);
    thread.running.delete(outcome.id);
    thread.works = true;
    if (this.#threads.has(thread)) {
      this.#give(thread);
    }
    if (outcome.ok) {
      running?.resolve(outcome.answer);
    } else {
      const { message, code, stack } = outcome;
      const error = Object.assign(new Error(message), { code, stack });
      this.#options.onError(error);
      running?.reject(error);
    }
  }

  /** After the reads that it runs. */
  async #end(thread: Thread): Promise<void> {
    this.#threads.delete(thread);
    clearTimeout(thread.idle);
    thread.worker.postMessage('close' satisfies ReadCommand);
    await thread.exited;
  }
}
