/** Cleaning in the file of an SQLite database. */
import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { clean } from '../../../inbox/notifications/cleaning.ts';
import type { Incoming } from '../../../inbox/notifications/receive.ts';
import '../../../arrivals.ts';
import { receiveRows } from '../../../inbox/notifications/receiveRows.ts';
import { migrate, openDatabase } from '../../database.ts';
import type { Database, Transacting } from '../engine.ts';
import { indexText } from '../textIndex.ts';
import { databasePath } from './database.ts';

const MINUTE = 60_000;
const START = 1_795_000_000_000;
let directory: string;
let db: Database;
beforeEach(async () => {
  directory = temporaryFolder();
  db = openDatabase(databasePath(directory));
  await migrate(db);
});
afterEach(async () => {
  await db.destroy();
});

const write = <T>(change: (trx: Transacting) => Promise<T>): Promise<T> => db.transaction().execute(change);
const cleanAt = (now: number) => write((trx) => clean(trx, { now }));
const receive = (now: number, ...incoming: Pick<Incoming, 'payload'>[]) =>
  write((trx) => receiveRows(trx, [{ now, incoming: incoming.map((one) => ({ source: 'api', ...one })) }]));

describe('the text index', () => {
  const indexBytes = async (): Promise<number> =>
    (await sql<{ n: number }>`select sum(length(block)) as n from notifications_text_data`.execute(db)).rows[0]!.n;
  const find = async (word: string): Promise<number> =>
    (
      await sql<{
        n: number;
      }>`select count(*) as n from notifications_text where notifications_text match ${word}`.execute(db)
    ).rows[0]!.n;
  const ROWS = 1000;

  it('does not grow with what was removed, and still finds the rest', async () => {
    const sizes: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const words = Array.from({ length: 20 }, (_, index) => `w${round}x${index}`).join(' ');
      const all = Array.from({ length: ROWS }, (_, n) => ({ payload: { title: `n${round}n${n}`, body: words } }));
      await receive(START, ...all);
      await write((trx) => indexText(trx, null));
      await write((trx) => removeOldest(trx, ROWS));
      for (let step = 0; step < 20; step += 1) {
        await cleanAt(START);
      }
      sizes.push(await indexBytes());
    }
    expect(sizes.at(-1)).toBeLessThan(1.5 * sizes[1]!);
    expect(await find('w7x3')).toBe(ROWS);
    expect(await find('w6x3')).toBe(0);
    await sql`insert into notifications_text (notifications_text, rank) values ('integrity-check', 1)`.execute(db);
    expect((await sql<{ last: number }>`select last from series where name = 'text-merging'`.execute(db)).rows).toEqual(
      [{ last: 0 }]
    );
  });

  async function removeOldest(trx: Transacting, kept: number): Promise<void> {
    const last = sql`(select max(id) - ${kept} from notifications)`;
    await sql`update counts set n = n - (select count(*) from notifications where id <= ${last})
      where scope = 0 and span = 0`.execute(trx);
    await sql`delete from notifications where id <= ${last}`.execute(trx);
  }
});

describe('the file', () => {
  const pragma = async (name: string): Promise<number> =>
    Number(Object.values((await sql.raw<Record<string, number>>(`pragma ${name}`).execute(db)).rows[0]!)[0]);

  it('gives free pages back in steps, and keeps some', async () => {
    const body = 'x'.repeat(60_000);
    await receive(START, ...Array.from({ length: 200 }, () => ({ payload: { title: 'T', body } })));
    await sql`delete from notifications`.execute(db);
    const free = await pragma('freelist_count');
    expect(free).toBeGreaterThan(LIMITS.freePages.value + LIMITS.releasedPages.value);
    const pages = await pragma('page_count');
    await cleanAt(START);
    expect([await pragma('freelist_count'), await pragma('page_count')]).toEqual([
      free - LIMITS.releasedPages.value,
      pages - LIMITS.releasedPages.value,
    ]);
    for (let steps = 0; steps < free / LIMITS.releasedPages.value; steps += 1) {
      await cleanAt(START);
    }
    expect(await pragma('freelist_count')).toBe(LIMITS.freePages.value);
    const { rows } = await sql.raw('pragma integrity_check').execute(db);
    expect(rows).toEqual([{ integrity_check: 'ok' }]);
  });
});

it('that finds nothing writes nothing', async () => {
  await cleanAt(START);
  const file = databasePath(directory);
  const before = (await stat(`${file}-wal`)).size;
  await cleanAt(START + MINUTE - 1);
  expect((await stat(`${file}-wal`)).size).toBe(before);
});
