/** The id of the bridge: the same for all replicas, and as long as the database lives. It ends loops between bridges (contract/via.ts). */
import { randomInt } from 'node:crypto';
import type { Database, Transacting } from './engine.ts';
import type { Written } from './write.ts';
import type { WriteQueue } from './writeQueue.ts';

const SERIES = 'bridge';
const HEX_DIGITS = 12;

/** Twelve hexadecimal digits. Made at the first start. */
export async function readBridgeId(db: Database, writes: Pick<WriteQueue, 'submit'>): Promise<string> {
  const row = await db.selectFrom('series').select('last').where('name', '=', SERIES).executeTakeFirst();
  // The largest range of randomInt: 48 bits.
  const number = row?.last ?? (await writes.submit(keepBridgeId, { number: randomInt(2 ** 48 - 1) }));
  return number.toString(16).padStart(HEX_DIGITS, '0');
}

/** @returns the number that is stored: another replica may have been first */
export async function keepBridgeId(trx: Transacting, { number }: { number: number }): Promise<Written<number>> {
  await trx
    .insertInto('series')
    .values({ name: SERIES, last: number })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { last } = await trx.selectFrom('series').select('last').where('name', '=', SERIES).executeTakeFirstOrThrow();
  return { result: last, events: [] };
}
