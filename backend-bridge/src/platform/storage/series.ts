/** Ids: given out once, in order, and never reused after a deletion. */
import { defer, together } from './bulk.ts';
import { type Database, engineOf, type Transacting } from './engine.ts';
import { prepared } from './prepared.ts';

/** Series of ids. */
export type SeriesName = 'notification' | 'thread' | 'event' | 'audit' | 'outbox' | 'activity' | 'device' | 'label set';

/**
 * Probes whether the store can be written. A number that grows: writing the same one again would be skipped.
 * @param probed `space`: also whether it can grow
 */
export async function touch(trx: Transacting, probed: 'space' | null): Promise<{ result: void; events: [] }> {
  await (probed === 'space' ? engineOf(trx).probeSpace(trx) : undefined);
  await trx
    .insertInto('series')
    .values({ name: 'touch', last: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ last: row('series.last', '+', 1) })))
    .execute();
  return { result: undefined, events: [] };
}

/** The last number of each series, by transaction: only the one that writes takes numbers. */
const lasts = new WeakMap<Transacting, Map<string, number>>();

/** All series, for {@link keepSeries}: with the other queries of a write, in one round trip. */
export const selectSeries = prepared<{ name: string; last: number }>((trx) =>
  trx.selectFrom('series').select(['name', 'last'])
);

/** Keeps what was read in this transaction, unless numbers were taken since. */
export function keepSeries(trx: Transacting, rows: readonly { name: string; last: number }[]): Map<string, number> {
  const known = lasts.get(trx) ?? new Map(rows.map(({ name, last }) => [name, last]));
  lasts.set(trx, known);
  return known;
}

/** Takes `count` numbers; returns the first of them. */
export async function takeNumbers(trx: Transacting, name: SeriesName, count: number): Promise<number> {
  const known = lasts.get(trx) ?? keepSeries(trx, (await together(trx, selectSeries(trx)))[0]);
  const before = known.get(name);
  if (before === undefined) {
    throw new Error(`The database has no series ${name}.`);
  }
  const last = before + count;
  known.set(name, last);
  await defer(trx, setLast(trx, last, name));
  return before + 1;
}

const setLast = prepared<unknown, [last: number, name: SeriesName]>((trx, last, name) =>
  trx.updateTable('series').set({ last }).where('name', '=', name)
);

/** The last number of a series; undefined: it is new. */
export async function findNumber(db: Database, name: string): Promise<number | undefined> {
  return (await db.selectFrom('series').select('last').where('name', '=', name).executeTakeFirst())?.last;
}

/** The highest number given out. @throws if there is no such series */
export async function lastNumber(db: Database, name: string): Promise<number> {
  const last = await findNumber(db, name);
  if (last === undefined) {
    throw new Error(`The database has no series ${name}.`);
  }
  return last;
}

/** Sets the last number of a series, which may be new. */
export async function setNumber(trx: Transacting, name: string, last: number): Promise<void> {
  const row = trx.insertInto('series').values({ name, last });
  await row.onConflict((conflict) => conflict.column('name').doUpdateSet({ last })).execute();
}
