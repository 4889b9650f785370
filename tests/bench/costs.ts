/**
 * Cost of the parts of a send in the writer: CPU time of a batch, compared with one without an index, a table or the disk. The first
 * quarter of many batches, in turn, because other programs only make a batch slower.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { receiveRows } from '../../backend-bridge/src/inbox/notifications/receiveRows.ts';
import { migrate, openDatabase } from '../../backend-bridge/src/platform/database.ts';
import type { Database } from '../../backend-bridge/src/platform/storage/engine.ts';
import { appendEvents } from '../../backend-bridge/src/platform/storage/events.ts';
import { databasePath } from '../../backend-bridge/src/platform/storage/sqlite/database.ts';
import { BODY } from './load.ts';
import { percentile, table } from './table.ts';

const BATCHES = 400;
const WARM_UP = 150;
const SIZE = 64;
const OLD_TRIGGER = `create trigger notifications_text_insert after insert on notifications
  when new.id <= (select last from series where name = 'indexed') begin
  insert into notifications_text (rowid, title, body, dnp_name) values (new.id, new.title, new.body, new.dnp_name);
end`;

interface Variant {
  name: string;
  statements: readonly string[];
  size?: number;
  /** Threads; default: one for each send. */
  threads?: number;
}

const drop = (...indexes: string[]): string[] => indexes.map((index) => `drop index ${index}`);
const NOTIFICATIONS = ['thread', 'ts', 'category', 'package', 'seen'].map((name) => `notifications_${name}`);
const THREADS = ['head', 'category', 'package', 'open', 'unseen'].map((name) => `threads_${name}`);

const VARIANTS: Variant[] = [
  { name: 'a send', statements: [] },
  { name: 'in a transaction of 32', statements: [], size: 32 },
  { name: 'in a transaction of 128', statements: [], size: 128 },
  { name: 'in one of 200 threads', statements: [], threads: 200 },
  { name: 'without waiting for the disk', statements: ['pragma synchronous = off'] },
  { name: 'with the trigger of the search index, which was removed', statements: [OLD_TRIGGER] },
  ...[...NOTIFICATIONS, ...THREADS].map((index) => ({ name: `without ${index}`, statements: drop(index) })),
  { name: 'without all of these indexes', statements: drop(...NOTIFICATIONS, ...THREADS) },
];

interface Store extends Variant {
  db: Database;
  dir: string;
  times: number[];
}

async function open(variant: Variant): Promise<Store> {
  const dir = mkdtempSync(join(tmpdir(), 'nodebell-costs-'));
  const db = openDatabase(databasePath(dir));
  await migrate(db);
  for (const statement of variant.statements) {
    await sql.raw(statement).execute(db);
  }
  return { ...variant, db, dir, times: [] };
}

let sent = 0;

/** @returns microseconds of CPU per send */
async function receiveBatch({ db, size = SIZE, threads }: Store): Promise<number> {
  const requests = Array.from({ length: size }, () => {
    sent += 1;
    const payload = { ...JSON.parse(BODY), ...(threads && { correlationId: `thread ${sent % threads}` }) };
    return { incoming: [{ payload, source: 'api' as const, sender: 'bench' }], now: Date.now() };
  });
  const before = process.cpuUsage();
  await db.transaction().execute(async (trx) => {
    const { events } = await receiveRows(trx, requests);
    await appendEvents(trx, events);
  });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / size;
}

export async function costs(): Promise<void> {
  const stores = await Promise.all(VARIANTS.map(open));
  for (let batch = -WARM_UP; batch < BATCHES; batch += 1) {
    for (const store of stores) {
      const time = await receiveBatch(store);
      if (batch >= 0) {
        store.times.push(time);
      }
    }
  }
  const costOf = ({ times }: Store): number => percentile(times, 25);
  const whole = costOf(stores[0]!);
  console.log(`\n## CPU of the writer for a send, in transactions of ${SIZE} (microseconds)\n`);
  console.log(
    table(
      ['what', 'µs', 'difference'],
      stores.map((store) => [store.name, costOf(store).toFixed(1), (costOf(store) - whole).toFixed(1)])
    )
  );
  for (const { db, dir } of stores) {
    await db.destroy();
    rmSync(dir, { recursive: true, force: true });
  }
}
