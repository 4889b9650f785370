/** Numbers that are given out once, in order, and never again: ids survive deletions. */
import type { Transacting } from './bulk.ts';

export type SeriesName = 'notification' | 'thread' | 'event';

/** Takes `count` numbers; returns the first of them. */
export async function takeNumbers(trx: Transacting, name: SeriesName, count: number): Promise<number> {
  const { last } = await trx
    .updateTable('series')
    .set((row) => ({ last: row('last', '+', count) }))
    .where('name', '=', name)
    .returning('last')
    .executeTakeFirstOrThrow();
  return last - count + 1;
}
