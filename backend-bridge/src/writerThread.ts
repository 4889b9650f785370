/**
 * The one thread that writes. A batch is one transaction, acknowledged after its commit; when a batch fails, each of its
 * calls is retried alone, so that one bad call fails no other.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Database, engineOf, type Transacting } from './platform/storage/engine.ts';
import { migrate, openDatabase } from './platform/database.ts';
import { collectWhenIdle } from './platform/runtime/idleCollect.ts';
import { appendEvents, type JournalEvent } from './platform/storage/events.ts';
import { failureReason, isWorthRetrying, OutcomeUnknown } from './platform/storage/storeError.ts';
import type {
  AnyWrite,
  CallOutcome,
  WriteCall,
  WriterMessage,
  WriterRequest,
  Written,
} from './platform/storage/write.ts';
import { WRITES } from './writes.ts';

type Many = Omit<Written<never>, 'result'> & { results: unknown[] };

async function runEach(trx: Transacting, write: AnyWrite, calls: never[]): Promise<Many> {
  const results: unknown[] = [];
  const events: Many['events'] = [];
  for (const args of calls) {
    const written = await write(trx, args);
    results.push(written?.result);
    events.push(...(written?.events ?? []));
  }
  return { results, events };
}

async function runCalls(trx: Transacting, calls: WriteCall[]): Promise<{ results: unknown[]; events: JournalEvent[] }> {
  const results: unknown[] = [];
  const events: Many['events'] = [];
  for (let start = 0; start < calls.length;) {
    const name = calls[start]!.name;
    let end = start + 1;
    while (end < calls.length && calls[end]!.name === name) {
      end += 1;
    }
    const { write, batch } = WRITES.kinds[name]!;
    const all = calls.slice(start, end).map(({ args }) => args as never);
    const written = await (batch ? batch(trx, all) : runEach(trx, write, all));
    results.push(...written.results);
    events.push(...written.events);
    start = end;
  }
  return { results, events: await appendEvents(trx, events) };
}

function failed(error: unknown): CallOutcome {
  const { message, code, stack } = error as Error & { code?: string };
  return { ok: false, message, code, stack, ...(error instanceof OutcomeUnknown && { unknown: true }) };
}

const MAX_TRIES = 3;

async function transact<T>(db: Database, work: (trx: Transacting) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tries === MAX_TRIES || !isWorthRetrying((error as { code?: unknown }).code)) {
        throw error;
      }
    }
  }
}

async function runBatch(
  db: Database,
  calls: WriteCall[]
): Promise<{ outcomes: CallOutcome[]; events: JournalEvent[] }> {
  try {
    const { results, events } = await transact(db, (trx) => runCalls(trx, calls));
    return { outcomes: results.map((result) => ({ ok: true, result })), events };
  } catch (error) {
    // A failing store fails each for the same reason, and each would wait as long for it.
    if (failureReason((error as { code?: unknown }).code)) {
      return { outcomes: calls.map(() => failed(error)), events: [] };
    }
    if (calls.length > 1) {
      const alone = [];
      for (const call of calls) {
        alone.push(await runBatch(db, [call]));
      }
      return { outcomes: alone.flatMap(({ outcomes }) => outcomes), events: alone.flatMap(({ events }) => events) };
    }
    return { outcomes: [failed(error)], events: [] };
  }
}

const doneMessage = (outcomes: CallOutcome[], events: JournalEvent[]): string =>
  JSON.stringify({ type: 'done', outcomes, events } satisfies WriterMessage);

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
  // Not by `createSerial`: an error ends the thread, which the main thread notices.
  let work = Promise.resolve();
  // As text: JSON costs a third of cloning the same objects between threads.
  port.on('message', (request: WriterRequest) => {
    if (request === 'disconnect') {
      // At once, for what is under way.
      engineOf(db).disconnect(db);
      return;
    }
    work = work.then(async () => {
      if (request === 'close') {
        await db.destroy();
        port.close();
      } else if (request === 'checkpoint') {
        await engineOf(db).checkpoint(db);
      } else {
        const { outcomes, events } = await runBatch(db, JSON.parse(request) as WriteCall[]);
        port.postMessage(doneMessage(outcomes, events));
      }
    });
  });
  post({ type: 'ready' });
  collectWhenIdle();
}

if (parentPort) {
  // Deep enough to name the write below the frames of the query builder.
  Error.stackTraceLimit = 40;
  void main(parentPort, (workerData as { path: string }).path);
}
