/** An empty store of its own for a test. */
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './folder.testing.ts';
import { migrate, openDatabase } from './platform/database.ts';
import { testAddress } from './platform/storage/address.testing.ts';
import type { Database, Transacting } from './platform/storage/engine.ts';

/** Runs a change in a transaction. */
export type Change = <T>(change: (trx: Transacting) => Promise<T>) => Promise<T>;

/** @param dataDir its folder */
export async function emptyStore(dataDir = temporaryFolder()): Promise<{ db: Database; write: Change }> {
  const db = openDatabase(await testAddress(dataDir));
  await migrate(db);
  onTestFinished(() => db.destroy());
  return { db, write: (change) => db.transaction().execute(change) };
}
