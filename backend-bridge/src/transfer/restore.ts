/** Replaces a store by a backup. */
import type { Database } from '../storage/engine.ts';
import { isoTime } from '../../contract/text.ts';
import { TransferError } from './errors.ts';
import { compact, readBackup, verifyBackup } from './file.ts';
import { fillStore, type OnRows } from './fill.ts';
import type { Header, Trailer } from './format.ts';
import type { Place } from './place.ts';

/** What the store that is replaced has beyond the backup. */
export type Loss =
  | { store: 'none' }
  | { store: 'unreadable' }
  | {
      store: 'readable';
      notifications: number;
      /** Those that were received after the backup. */
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
  now?: () => number;
}

/**
 * Verifies the whole backup first. The store stays as it is if that fails, if it is in use, or if the restore is interrupted.
 * @returns where the old store is kept; undefined if it was not approved, or if there was none
 * @throws TransferError
 */
export async function restoreBackup(
  place: Place,
  file: string,
  { approve, onRows, now = Date.now }: RestoreOptions
): Promise<{ restored: boolean; kept: string | undefined }> {
  const { header, trailer } = await verifyBackup(file);
  const lock = await place.lock();
  try {
    if (!(await approve({ header, trailer, loss: await lossOf(place, header) }))) {
      return { restored: false, kept: undefined };
    }
    const kept = await place.replace(
      async (db) => {
        await fillStore(db, place, readBackup(file), onRows);
      },
      `before-restore-${compact(isoTime(now()))}`
    );
    return { restored: true, kept };
  } finally {
    await lock.release();
  }
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
