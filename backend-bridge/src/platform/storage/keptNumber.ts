/** Random numbers that all replicas share: made when they are first needed, and kept in the database. */
import { randomInt } from 'node:crypto';
import type { Database, Transacting } from './engine.ts';
import type { Written } from './write.ts';
import type { WriteQueue } from './writeQueue.ts';

/** A number of 48 bits. @param name in `series` */
export async function readKeptNumber(db: Database, writes: Pick<WriteQueue, 'submit'>, name: string): Promise<number> {
  const row = await db.selectFrom('series').select('last').where('name', '=', name).executeTakeFirst();
  // The largest range of randomInt.
  return row?.last ?? writes.submit(keepNumber, { name, number: randomInt(2 ** 48 - 1) });
}

/** @returns the number that is stored: another replica may have been first */
export async function keepNumber(
  trx: Transacting,
  { name, number }: { name: string; number: number }
): Promise<Written<number>> {
  await trx
    .insertInto('series')
    .values({ name, last: number })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { last } = await trx.selectFrom('series').select('last').where('name', '=', name).executeTakeFirstOrThrow();
  return { result: last, events: [] };
}
