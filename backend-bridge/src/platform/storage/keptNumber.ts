/** Random numbers that all replicas share: made when they are first needed, and kept in the database. */
import { randomInt } from 'node:crypto';
import type { Database, Transacting } from './engine.ts';
import { findNumber, lastNumber } from './series.ts';
import type { Written } from './write.ts';
import type { WriteQueue } from './writeQueue.ts';

/** A number of 48 bits. @param name in `series` */
export async function readKeptNumber(db: Database, writes: Pick<WriteQueue, 'submit'>, name: string): Promise<number> {
  // The largest range of randomInt.
  return (await findNumber(db, name)) ?? writes.submit(keepNumber, { name, number: randomInt(2 ** 48 - 1) });
}

/**
 * The id of the bridge: the same for all replicas, and as long as the database lives. It ends loops between bridges (contract/via.ts).
 * Twelve hexadecimal digits.
 */
export const readBridgeId = async (db: Database, writes: Pick<WriteQueue, 'submit'>): Promise<string> =>
  (await readKeptNumber(db, writes, 'bridge')).toString(16).padStart(12, '0');

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
  return { result: await lastNumber(trx, name), events: [] };
}
