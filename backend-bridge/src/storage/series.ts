/** Ids: given out once, in order, and never reused after a deletion. */
import type { Transacting } from './engine.ts';
import { prepared } from './prepared.ts';

export type SeriesName = 'notification' | 'thread' | 'event' | 'audit' | 'outbox' | 'device';

/** Probes whether the store can be written. A number that grows: writing the same one again would be skipped. */
export async function touch(trx: Transacting, _args: null): Promise<{ result: void; events: [] }> {
  await trx
    .insertInto('series')
    .values({ name: 'touch', last: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ last: row('series.last', '+', 1) })))
    .execute();
  return { result: undefined, events: [] };
}

/** Takes `count` numbers; returns the first of them. */
export async function takeNumbers(trx: Transacting, name: SeriesName, count: number): Promise<number> {
  const [taken] = await take(trx, count, name);
  return taken!.last - count + 1;
}

const take = prepared<{ last: number }, [count: number, name: SeriesName]>((trx, count, name) =>
  trx
    .updateTable('series')
    .set((row) => ({ last: row('last', '+', count) }))
    .where('name', '=', name)
    .returning('last')
);
