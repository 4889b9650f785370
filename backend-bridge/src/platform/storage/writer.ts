/** Starts the writer thread, and starts it again when it dies. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { LIMITS } from '../../../contract/limits.ts';
import type { WriterMessage, WriterRequest } from './write.ts';

export interface WriterOptions {
  path: string;
  /** The module that it runs. */
  module: URL;
  onDone: (message: Extract<WriterMessage, { type: 'done' }>) => void;
  /** It died: what it had been given gets no response. */
  onDeath: (cause: Error) => void;
  /** @throws when it must not be started again */
  beforeRestart: () => void;
  onRestarted: () => void;
  /** It died and cannot be started again. */
  onLost: (cause: Error) => void;
  /** Waits before each restart in a row; after the last one it is lost. Milliseconds. */
  delays?: readonly number[];
}

const DELAYS = [100, 300, 1000, 2000, 4000].slice(0, LIMITS.writerRestarts.value);
/** A writer that ran for so long starts the count of restarts anew. Milliseconds. */
const STABLE_MS = 60_000;
/** Rows live for one batch: a small nursery is enough, and V8's default would hold 64 MB for nothing. */
const WRITER_LIMITS = { maxYoungGenerationSizeMb: 8 };
/** The running writer thread. */
export type Writer = Awaited<ReturnType<typeof startWriter>>;

/** @throws if the database cannot be opened or migrated */
export async function startWriter({ path, module, delays = DELAYS, ...options }: WriterOptions) {
  let worker: Worker | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  let startedAt = 0;
  let restarts = 0;
  const closing = new AbortController();
  let restarting: Promise<void> = Promise.resolve();

  const died = (cause: Error): void => {
    worker = undefined;
    if (!closing.signal.aborted) {
      restarts = performance.now() - startedAt > STABLE_MS ? 0 : restarts;
      options.onDeath(cause);
      restarting = restart(cause);
    }
  };

  const start = async (): Promise<void> => {
    const thread = await startThread(path, module);
    startedAt = performance.now();
    worker = thread.worker;
    worker.on('message', (text: string) => passOn(text, options.onDone));
    exited = thread.exited;
    void thread.exited.then(died);
  };

  const restart = async (first: Error): Promise<void> => {
    for (let cause = first; !closing.signal.aborted;) {
      const delay = delays[restarts];
      if (delay === undefined) {
        options.onLost(cause);
        return;
      }
      restarts += 1;
      await sleep(delay, undefined, { signal: closing.signal }).catch(() => undefined);
      try {
        if (!closing.signal.aborted) {
          options.beforeRestart();
          await start();
          // It may have died again at once, and then this is no restart.
          if (worker) {
            options.onRestarted();
          }
        }
        return;
      } catch (error) {
        cause = error as Error;
      }
    }
  };

  await start();
  return {
    post: (request: WriterRequest): void => worker?.postMessage(request),
    /** Ends the thread after what it was given. */
    async close(): Promise<void> {
      closing.abort();
      // A writer that is starting opens the database first.
      await restarting;
      worker?.postMessage('close');
      await exited;
    },
  };
}

function passOn(text: string, onDone: WriterOptions['onDone']): void {
  const message = JSON.parse(text) as WriterMessage;
  if (message.type === 'done') {
    onDone(message);
  }
}

interface Thread {
  worker: Worker;
  /** Resolves with the cause when the thread has ended. */
  exited: Promise<Error>;
}

/** Resolves when the database is open and up to date. */
async function startThread(path: string, module: URL): Promise<Thread> {
  const worker = new Worker(module, { workerData: { path }, resourceLimits: WRITER_LIMITS });
  // From the start: a thread that dies at once may be ready and ended within one turn of the event loop.
  const exited = new Promise<Error>((resolve) => {
    let cause = new Error('the writer thread ended');
    worker.on('error', (error: Error) => (cause = error));
    worker.once('exit', () => resolve(cause));
  });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', (text: string) => {
      const message = JSON.parse(text) as WriterMessage;
      if (message.type === 'failed') {
        reject(new Error(`The database cannot be used: ${message.message}`));
      } else {
        resolve();
      }
    });
    void exited.then(reject);
  });
  return { worker, exited };
}
