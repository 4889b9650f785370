/** A thread that reads: one read at a time. What it returns goes to the main thread as bytes, which are not copied. */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { READS } from './reads.ts';
import type { Database } from './storage/engine.ts';
import { openSqlite } from './storage/sqlite/database.ts';
import type { Answer, ReadOutcome, ReadRequest } from './storage/read.ts';

/** Of Linux: below the threads that receive and write. */
const NICE = 10;
const CACHE_MB = 8;

async function outcomeOf(db: Database, { name, args, now }: Exclude<ReadRequest, 'close'>): Promise<ReadOutcome> {
  try {
    const answer: Answer = await READS.kinds[name]!(db, args as never, now);
    return { ok: true, answer };
  } catch (error) {
    const { message, code, stack } = error as Error & { code?: string };
    return { ok: false, message, code, stack };
  }
}

function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICE);
  } catch {
    // Another system, which has no priorities of threads.
  }
}

if (parentPort) {
  const port = parentPort;
  giveWay();
  const db = openSqlite((workerData as { path: string }).path, { readonly: true, cacheMb: CACHE_MB });
  port.on('message', async (request: ReadRequest) => {
    if (request === 'close') {
      await db.destroy();
      port.close();
      return;
    }
    const outcome = await outcomeOf(db, request);
    const body = outcome.ok ? outcome.answer.body : undefined;
    port.postMessage(outcome, body ? [body.buffer] : []);
  });
}
