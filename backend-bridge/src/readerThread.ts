/** A thread that reads: one read at a time. What it returns goes to the main thread as bytes, which are not copied. */
import { parentPort, workerData } from 'node:worker_threads';
import { collectWhenIdle } from './platform/runtime/idleCollect.ts';
import { READS } from './reads.ts';
import type { Database } from './platform/storage/engine.ts';
import { openSqlite } from './platform/storage/sqlite/database.ts';
import type { Answer, ReadOutcome, ReadRequest } from './platform/storage/read.ts';

const CACHE_MB = 8;

async function outcomeOf(
  open: () => Database,
  { name, args, now }: Exclude<ReadRequest, 'close'>
): Promise<ReadOutcome> {
  try {
    const answer: Answer = await READS.kinds[name]!(open(), args as never, now);
    return { ok: true, answer };
  } catch (error) {
    const { message, code, stack } = error as Error & { code?: string };
    return { ok: false, message, code, stack };
  }
}

if (parentPort) {
  const port = parentPort;
  collectWhenIdle();
  let db: Database | undefined;
  // With the first read, which reports why it cannot be opened.
  const open = (): Database =>
    (db ??= openSqlite((workerData as { path: string }).path, { readonly: true, cacheMb: CACHE_MB }));
  const answer = async (request: ReadRequest): Promise<void> => {
    if (request === 'close') {
      await db?.destroy();
      port.close();
      return;
    }
    const outcome = await outcomeOf(open, request);
    const body = outcome.ok ? outcome.answer.body : undefined;
    port.postMessage(outcome, body ? [body.buffer] : []);
  };
  // Not by `createSerial`: an error ends the thread, which the main thread notices.
  let work = Promise.resolve();
  port.on('message', (request: ReadRequest) => {
    work = work.then(() => answer(request));
  });
}
