/** Stores to transfer: one row of each kind of value in every table, and what a store contains. */
import path from 'node:path';
import { temporaryFolder } from '../../folder.testing.ts';
import { insertRows } from '../storage/bulk.ts';
import { isServer, migrate, openDatabase } from '../database.ts';
import type { Database } from '../storage/engine.ts';
import { databasePath } from '../storage/sqlite/database.ts';
import type { Schema } from '../storage/schema.ts';
import { indexText } from '../storage/textIndex.ts';
import { writeBackup } from './file.ts';
import type { Place } from './place.ts';
import { postgresPlace } from './postgres.ts';
import { abandonWaiting } from '../../delivery/channels/writes.ts';
import { restoreBackup, type RestorePlan } from './restore.ts';
import type { Value } from './snapshot.ts';
import { type Rows, SAMPLE } from './sampleRows.testing.ts';
import { sqlitePlace } from './sqlite.ts';

/** The store at the address of a database: see openDatabase. */
export const placeAt = (address: string): Place =>
  isServer(address) ? postgresPlace(address) : sqlitePlace(path.dirname(address));

export const makeStore = (dir: string, rows?: Partial<Rows>): Promise<void> => makeStoreAt(databasePath(dir), rows);

/** Makes a store with these rows, or changes one. */
export async function makeStoreAt(address: string, rows: Partial<Rows> = SAMPLE): Promise<void> {
  const db = openDatabase(address);
  try {
    await migrate(db);
    await fillTables(db, rows);
  } finally {
    await db.destroy();
  }
}

async function fillTables(db: Database, rows: Partial<Rows>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('notifications').execute();
    await trx.updateTable('series').set({ last: 0 }).where('name', '=', 'indexed').execute();
    for (const table of Object.keys(rows) as (keyof Schema)[]) {
      await trx.deleteFrom(table).execute();
      for (const row of rows[table] ?? []) {
        await insertRows(trx, table, [row] as never);
      }
    }
    await trx.updateTable('series').set({ last: 0 }).where('name', '=', 'indexed').execute();
    while ((await indexText(trx, null)).result.more);
  });
}

/** Everything that a store contains, by table. */
export const contentOf = (place: Place): Promise<Record<string, Record<string, Value>[]>> =>
  place.snapshot(async (snapshot) => {
    const content: Record<string, Record<string, Value>[]> = {};
    for (const table of snapshot.tables) {
      content[table.name] = [];
      for await (const rows of snapshot.rows(table)) {
        for (const row of rows) {
          content[table.name]!.push(Object.fromEntries(table.columns.map((name, index) => [name, row[index]!])));
        }
      }
    }
    return content;
  });

/** Content of a restored store, without the entry of the restore itself. */
export async function restoredContentOf(place: Place): Promise<Record<string, Record<string, Value>[]>> {
  const content = await contentOf(place);
  const audit = content.audit!.filter(({ action }) => action !== 'database.restore');
  const entries = content.audit!.length - audit.length;
  const series = content.series!.map((row) =>
    row.name === 'audit' ? { ...row, last: (row.last as number) - entries } : row
  );
  return { ...content, audit, series };
}

export const ORIGIN = { bridge: '1.2.3', createdAt: '2026-11-21T02:00:00.000Z' };
const NOW = (): number => Date.parse('2026-11-22T13:05:00.000Z');

export const backUp = async (place: Place, file = path.join(temporaryFolder(), 'b.jsonl.zst')): Promise<string> => {
  await place.snapshot((snapshot) => writeBackup(file, snapshot, ORIGIN));
  return file;
};

export async function restore(place: Place, file: string, approved = true) {
  let plan: RestorePlan | undefined;
  const approve = (given: RestorePlan) => Promise.resolve(((plan = given), approved));
  return { ...(await restoreBackup(place, file, { approve, user: 'anna', now: NOW, conclude: abandonWaiting })), plan };
}

export async function used(rows?: Parameters<typeof makeStore>[1]): Promise<{ dir: string; place: Place }> {
  const dir = temporaryFolder();
  await makeStore(dir, rows);
  return { dir, place: sqlitePlace(dir) };
}
