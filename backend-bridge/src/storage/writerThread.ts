/**
 * The one thread that writes. A batch is one transaction, acknowledged after its commit; when a batch fails, each of its
 * calls is tried alone, so that one bad call takes no other with it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Transacting } from './bulk.ts';
import { type Database, isStoreFailure, migrate, openDatabase } from './database.ts';
import { appendEvents, type JournalEvent } from './events.ts';
import { type WriteName, WRITES } from './writes.ts';

export interface WriteCall {
  name: WriteName;
  args: unknown;
}
export type CallOutcome = { ok: true; result: unknown } | { ok: false; message: string; code: string | undefined };
export type WriterMessage =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'done'; outcomes: CallOutcome[]; events: JournalEvent[] };

type AnyWrite = (
  trx: Transacting,
  calls: unknown[]
) => Promise<{ results: unknown[]; events: Omit<JournalEvent, 'id'>[] }>;

async function runCalls(trx: Transacting, calls: WriteCall[]): Promise<{ results: unknown[]; events: JournalEvent[] }> {
  const results: unknown[] = [];
  const events: Omit<JournalEvent, 'id'>[] = [];
  for (let start = 0; start < calls.length;) {
    const name = calls[start]!.name;
    let end = start + 1;
    while (end < calls.length && calls[end]!.name === name) {
      end += 1;
    }
    const written = await (WRITES[name] as AnyWrite)(
      trx,
      calls.slice(start, end).map(({ args }) => args)
    );
    results.push(...written.results);
    events.push(...written.events);
    start = end;
  }
  return { results, events: await appendEvents(trx, events) };
}

async function runBatch(
  db: Database,
  calls: WriteCall[]
): Promise<{ outcomes: CallOutcome[]; events: JournalEvent[] }> {
  try {
    const { results, events } = await db.transaction().execute((trx) => runCalls(trx, calls));
    return { outcomes: results.map((result) => ({ ok: true, result })), events };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    // Each would fail for the same reason, and wait as long for it.
    if (isStoreFailure(error)) {
      return { outcomes: calls.map(() => ({ ok: false, message, code })), events: [] };
    }
    if (calls.length > 1) {
      const alone = [];
      for (const call of calls) {
        alone.push(await runBatch(db, [call]));
      }
      return { outcomes: alone.flatMap(({ outcomes }) => outcomes), events: alone.flatMap(({ events }) => events) };
    }
    return { outcomes: [{ ok: false, message, code }], events: [] };
  }
}

async function main(port: NonNullable<typeof parentPort>, path: string): Promise<void> {
  const post = (message: WriterMessage): void => port.postMessage(JSON.stringify(message));
  const db = openDatabase(path);
  try {
    await migrate(db);
  } catch (error) {
    post({ type: 'failed', message: (error as Error).message });
    await db.destroy();
    port.close();
    return;
  }
  let work = Promise.resolve();
  // As text: JSON costs a third of what cloning the same objects from thread to thread does.
  port.on('message', (message: string) => {
    work = work.then(async () => {
      if (message === 'close') {
        await db.destroy();
        port.close();
      } else {
        post({ type: 'done', ...(await runBatch(db, JSON.parse(message) as WriteCall[])) });
      }
    });
  });
  post({ type: 'ready' });
}

if (parentPort) {
  void main(parentPort, (workerData as { path: string }).path);
}
