/** Replaces a store by a backup. */
import path from 'node:path';
import type { Actor } from '../../../contract/audit.ts';
import { isoTime } from '../../../contract/text.ts';
import { audit } from '../audit/writes.ts';
import type { Database, Transacting } from '../storage/engine.ts';
import { TransferError } from './errors.ts';
import { compact, readBackup, verifyBackup } from './file.ts';
import { fillStore, type OnRows } from './fill.ts';
import type { Header, Trailer } from './format.ts';
import type { Place } from './place.ts';

/** Data of the replaced store that is not in the backup. */
export type Loss =
  | { store: 'none' }
  | { store: 'unreadable' }
  | {
      store: 'readable';
      notifications: number;
      /** Notifications received after the backup. */
      later: number;
      /** The times of the first and the last of them, ISO 8601. */
      from?: string;
      to?: string;
    };

export interface RestorePlan {
  header: Header;
  trailer: Trailer;
  loss: Loss;
}

export interface RestoreOptions {
  /** Called before anything is changed. */
  approve: (plan: RestorePlan) => Promise<boolean>;
  onRows?: OnRows;
  /** Login of the user who restores, for the audit log. */
  user: string;
  now?: () => number;
  /** Called in the transaction that fills the store: nothing that waited is sent again by itself. */
  conclude: (trx: Transacting, now: number) => Promise<void>;
}

/**
 * Verifies the whole backup first. The store stays as it is if that fails, if it is in use, or if the restore is interrupted.
 * @returns where the old store is kept; undefined if it was not approved, or if there was none
 * @throws TransferError
 */
export async function restoreBackup(
  place: Place,
  file: string,
  { approve, onRows, user, now = Date.now, ...options }: RestoreOptions
): Promise<{ restored: boolean; kept: string | undefined }> {
  const { header, trailer } = await verifyBackup(file);
  const lock = await place.lock();
  try {
    const loss = await lossOf(place, header);
    if (!(await approve({ header, trailer, loss }))) {
      return { restored: false, kept: undefined };
    }
    const done = { file, header, loss, by: { kind: 'cli', name: user } as const, now: now() };
    const conclude = async (trx: Transacting): Promise<void> => {
      await record(trx, done);
      await options.conclude(trx, done.now);
    };
    const kept = await place.replace(
      async (db) => {
        await fillStore(db, place, readBackup(file), onRows);
        await (db.isTransaction ? conclude(db as Transacting) : db.transaction().execute(conclude));
      },
      `before-restore-${compact(isoTime(now()))}`
    );
    return { restored: true, kept };
  } finally {
    await lock.release();
  }
}

interface Restored {
  file: string;
  header: Header;
  loss: Loss;
  by: Actor;
  /** UTC milliseconds. */
  now: number;
}

async function record(trx: Transacting, { file, header, loss, by, now }: Restored): Promise<void> {
  const { createdAt, bridge, engine } = header;
  const after = { createdAt, bridge, engine };
  await audit(trx, { by, action: 'database.restore', object: path.basename(file), before: loss, after, now });
}

async function lossOf(place: Place, header: Header): Promise<Loss> {
  if (!(await place.exists())) {
    return { store: 'none' };
  }
  try {
    return await place.read((db) => countLater(db, header.lastNotification));
  } catch (error) {
    if (error instanceof TransferError) {
      throw error;
    }
    return { store: 'unreadable' };
  }
}

/** Ids grow and are never given out twice, so what came after the backup has a higher one. */
async function countLater(db: Database, last: number): Promise<Loss> {
  const { notifications, later, from, to } = await db
    .selectFrom('notifications')
    .select((row) => [
      row.fn.countAll<number>().as('notifications'),
      row.fn.count<number>('id').filterWhere('id', '>', last).as('later'),
      row.fn.min<number | null>('ts').filterWhere('id', '>', last).as('from'),
      row.fn.max<number | null>('ts').filterWhere('id', '>', last).as('to'),
    ])
    .executeTakeFirstOrThrow();
  return {
    store: 'readable',
    notifications: Number(notifications),
    later: Number(later),
    ...(from !== null && { from: isoTime(from) }),
    ...(to !== null && { to: isoTime(to) }),
  };
}
