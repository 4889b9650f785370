/**
 * Time for which the writer is busy: receiving with many readers, deleting from a long thread, and slices of large changes. On the store
 * itself, without HTTP; `--count` rows.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInbox } from '../../backend-bridge/src/inbox/notifications/inbox.ts';
import type { Incoming } from '../../backend-bridge/src/inbox/notifications/receive.ts';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { createSelections } from '../../backend-bridge/src/inbox/notifications/selections.ts';
import { NotificationStore } from '../../backend-bridge/src/inbox/notifications/store.ts';
import { readsInProcess } from '../../backend-bridge/src/platform/storage/read.ts';
import { visit } from '../../backend-bridge/src/inbox/readers/writes.ts';
import type { Database, Transacting } from '../../backend-bridge/src/platform/storage/engine.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import type { WriteQueue } from '../../backend-bridge/src/platform/storage/writeQueue.ts';
import { indexText } from '../../backend-bridge/src/platform/storage/textIndex.ts';
import { percentile, table } from './table.ts';

const BATCH = 2000;
const RECEIVED = 20_000;

async function withStore<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-scale-'));
  const db = openDatabase(databasePath(dir));
  try {
    await migrate(db);
    return await use(db);
  } finally {
    await db.destroy();
    rmSync(dir, { recursive: true, force: true });
  }
}

const write = <T>(db: Database, change: (trx: Transacting) => Promise<T>): Promise<T> =>
  db.transaction().execute(change);

function sent(index: number, thread?: string): Incoming {
  return {
    source: 'api',
    payload: {
      title: `Disk of node ${index} is almost full`,
      body: 'The disk is almost full. '.repeat(8),
      category: `category ${index % 8}`,
      dnpName: `package-${thread === undefined ? index % 40 : 0}.dnp`,
      status: index % 2 ? 'resolved' : 'triggered',
      ...(thread !== undefined && { correlationId: thread }),
    },
  };
}

async function fill(db: Database, count: number, batch: number, thread?: string): Promise<number> {
  const start = performance.now();
  for (let at = 0; at < count; at += batch) {
    const requests = Array.from({ length: Math.min(batch, count - at) }, (_, offset) => ({
      now: Date.now(),
      incoming: [sent(at + offset, thread)],
    }));
    await write(db, (trx) => receiveRows(trx, requests));
  }
  return performance.now() - start;
}

async function index(db: Database): Promise<void> {
  while ((await write(db, (trx) => indexText(trx, null))).result.more) {
    // The next chunk.
  }
}

/** A write queue without a thread; `held` receives the duration of each call in milliseconds. */
function queueOf(db: Database, held: number[]): WriteQueue {
  const submit: WriteQueue['submit'] = async (change, args) => {
    const start = performance.now();
    const written = await write(db, (trx) => change(trx, args));
    held.push(performance.now() - start);
    return written?.result as never;
  };
  return { submit } as unknown as WriteQueue;
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

async function receiving(): Promise<void> {
  const rows: string[][] = [];
  for (const batch of [1, 128]) {
    const rates: number[] = [];
    for (const readers of [0, 50, 500]) {
      const took = await withStore(async (db) => {
        for (let reader = 0; reader < readers; reader += 1) {
          await write(db, (trx) => visit(trx, { key: `reader ${reader}`, now: Date.now() }));
        }
        await fill(db, 1000, 128);
        return fill(db, batch === 1 ? RECEIVED / 10 : RECEIVED, batch);
      });
      rates.push((1000 * (batch === 1 ? RECEIVED / 10 : RECEIVED)) / took);
    }
    rows.push([String(batch), ...rates.map((rate) => rate.toFixed(0)), (rates[2]! / rates[0]!).toFixed(2)]);
  }
  console.log('\n## Received a second, by number of readers\n');
  console.log(table(['in a transaction', '0', '50', '500', '500 : 0'], rows));
}

async function deletingMembers(count: number): Promise<void> {
  const rows = await withStore(async (db) => {
    await fill(db, count, BATCH, 'one');
    await index(db);
    const held: number[] = [];
    const inbox = inboxOf(db, held);
    const results: string[][] = [];
    for (const [name, id] of [
      ['oldest', 1],
      ['in the middle', count / 2],
      ['newest', count],
    ] as const) {
      held.length = 0;
      const { undo } = await inbox.remove({ ids: [id] }, null);
      const deleting = Math.max(...held);
      held.length = 0;
      await inbox.restore(undo, null);
      results.push([name, ms(deleting), ms(Math.max(...held))]);
    }
    return results;
  });
  console.log(`\n## Deleting and restoring one member of a thread of ${count} (milliseconds)\n`);
  console.log(table(['member', 'deleting', 'restoring'], rows));
}

let clock = Date.now();
function inboxOf(db: Database, held: number[]) {
  const now = () => clock;
  const store = new NotificationStore(db, now, { ready: () => Promise.resolve() });
  const selections = createSelections({ db, reads: readsInProcess(db, now), store });
  return createInbox({ writes: queueOf(db, held), store, selections, now });
}

async function slices(count: number, thread?: string): Promise<void> {
  const rows = await withStore(async (db) => {
    await fill(db, count, BATCH, thread);
    await index(db);
    const held: number[] = [];
    const inbox = inboxOf(db, held);
    const results: string[][] = [];
    const measure = async <T>(name: string, change: () => Promise<T>): Promise<T> => {
      held.length = 0;
      const start = performance.now();
      const result = await change();
      results.push([
        name,
        String(held.length),
        ms(percentile(held, 50)),
        ms(percentile(held, 99)),
        ms(Math.max(...held)),
        ((performance.now() - start) / 1000).toFixed(1),
      ]);
      return result;
    };
    await measure('mark all', () => inbox.mark({ filter: {} }, true));
    const { undo } = await measure('delete all', () => inbox.remove({ filter: { latest: true } }, null));
    await measure('undo', () => inbox.restore(undo, null));
    await inbox.remove({ filter: { latest: true } }, null);
    clock += 3_600_000;
    await measure('purge', () => inbox.purge());
    return results;
  });
  console.log(
    `\n## How long the writer is held, ${count} rows${thread === undefined ? '' : ' of one thread'} (milliseconds)\n`
  );
  console.log(table(['change', 'transactions', 'p50', 'p99', 'longest', 'seconds in all'], rows));
}

export async function scale(count: number): Promise<void> {
  await receiving();
  await deletingMembers(count);
  await slices(count);
  await slices(count, 'one');
}
