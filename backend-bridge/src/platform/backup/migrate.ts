/** Moves a store to another place, and to another engine. */
import { isoTime } from '../../../contract/text.ts';
import { TransferError } from './errors.ts';
import { compact } from './file.ts';
import { type Filled, fillStore, type OnRows } from './fill.ts';
import { decode, encode } from './format.ts';
import type { Place } from './place.ts';

/** Tables that a store has rows in once it is used. */
const USED = ['notifications', 'trash', 'packages', 'sender_tokens', 'settings'] as const;

/**
 * Copies a store into an empty place. Neither may be used by a bridge. The source is not changed. The target is filled as a whole or
 * not at all, so that a migration that was interrupted is started again.
 * @returns counts and checksums, which both stores have
 * @throws TransferError
 */
export async function migrateStore(
  from: Place,
  to: Place,
  { bridge, onRows, now = Date.now }: { bridge: string; onRows?: OnRows; now?: () => number }
): Promise<Filled> {
  if (!(await from.exists())) {
    throw new TransferError('refused', `There is no store in ${from.label}.`);
  }
  const locks = [await from.lock()];
  try {
    locks.push(await to.lock());
    if ((await to.exists()) && !(await isUnused(to))) {
      throw new TransferError('refused', `${to.label} is in use already: a migration needs an empty store.`);
    }
    const createdAt = isoTime(now());
    return await from.snapshot(async (snapshot) => {
      let filled: Filled | undefined;
      await to.replace(
        async (db) => {
          filled = await fillStore(db, to, decode(encode(snapshot, { bridge, createdAt })), onRows);
        },
        `before-migration-${compact(createdAt)}`
      );
      return filled!;
    });
  } finally {
    for (const lock of locks) {
      await lock.release();
    }
  }
}

const isUnused = (place: Place): Promise<boolean> =>
  place.read(async (db) => {
    for (const table of USED) {
      const row = await db.selectFrom(table).selectAll().limit(1).executeTakeFirst();
      if (row) {
        return false;
      }
    }
    // Entries of provisioning files do not count: the files are applied again.
    const byPeople = db.selectFrom('audit').select('id').where('actor_kind', 'not in', ['file', 'bridge']);
    return (await byPeople.limit(1).executeTakeFirst()) === undefined;
  });
