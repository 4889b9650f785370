/** A thread that reads. What it returns goes to the main thread as bytes, which are not copied. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './platform/database.ts';
import { collectWhenIdle } from './platform/runtime/idleCollect.ts';
import { READS } from './reads.ts';
import { type Database, engineOf } from './platform/storage/engine.ts';
import type { Answer, ReadCommand, ReadOutcome, ReadRequest } from './platform/storage/read.ts';

const CACHE_MB = 8;

async function outcomeOf(open: () => Database, { id, name, args, now }: ReadRequest): Promise<ReadOutcome> {
  try {
    const answer: Answer = await READS.kinds[name]!(open(), args as never, now);
    return { id, ok: true, answer };
  } catch (error) {
    const { message, code, stack } = error as Error & { code?: string };
    return { id, ok: false, message, code, stack };
  }
}

if (parentPort) {
  const port = parentPort;
  collectWhenIdle();
  let db: Database | undefined;
  // With the first read, which reports why it cannot be opened.
  const open = (): Database =>
    (db ??= openDatabase((workerData as { path: string }).path, { readonly: true, cacheMb: CACHE_MB }));
  const running = new Set<Promise<void>>();
  const answer = async (request: ReadRequest): Promise<void> => {
    const outcome = await outcomeOf(open, request);
    const body = outcome.ok ? outcome.answer.body : undefined;
    port.postMessage(outcome, body ? [body.buffer] : []);
  };
  const close = async (): Promise<void> => {
    await Promise.all(running);
    await db?.destroy();
    port.close();
  };
  port.on('message', (message: ReadRequest | ReadCommand) => {
    if (message === 'close') {
      void close();
    } else if (typeof message === 'object') {
      // Not caught: an error ends the thread, which the main thread notices.
      const read = answer(message).finally(() => running.delete(read));
      running.add(read);
    } else if (db) {
      engineOf(db)[message](db);
    }
  });
}
