/** Every migration, by number. One that has been released is never edited; a change is a new one. */
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Schema } from '../../schema.ts';
import { BASELINE } from './0001_baseline.ts';
import { foldCategories } from './0002_category_case.ts';
import { SHARED_STATE } from './0003_shared_state.ts';
import { RETENTION } from './0004_retention.ts';
import { STORE_BACKUPS } from './0005_store_backups.ts';
import { AUDIT } from './0006_audit.ts';
import { BURSTS } from './0007_bursts.ts';
import { TEXT_OF_RETURNING } from './0008_text_of_returning.ts';
import { CHANNELS } from './0009_channels.ts';
import { HELD } from './0010_held.ts';
import { addNodes } from './0011_nodes.ts';
import { RESPOND } from './0012_respond.ts';
import { PUSH } from './0013_push.ts';
import { DELIVERY_SEEN } from './0014_delivery_seen.ts';
import { REPORT } from './0015_report.ts';
import { VIA } from './0016_via.ts';
import { FROM_0008 } from './from0008.ts';

async function run(db: QueryExecutorProvider, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}

const BASELINE_NAME = '0001_baseline';

export const MIGRATIONS: Record<string, Migration> = {
  [BASELINE_NAME]: { up: (db: Kysely<unknown>) => run(db, BASELINE) },
  '0002_category_case': { up: (db: Kysely<Schema>) => foldCategories(db) },
  '0003_shared_state': { up: (db: Kysely<unknown>) => run(db, SHARED_STATE) },
  '0004_retention': { up: (db: Kysely<unknown>) => run(db, RETENTION) },
  '0005_store_backups': { up: (db: Kysely<unknown>) => run(db, STORE_BACKUPS) },
  '0006_audit': { up: (db: Kysely<unknown>) => run(db, AUDIT) },
  '0007_bursts': { up: (db: Kysely<unknown>) => run(db, BURSTS) },
  '0008_text_of_returning': { up: (db: Kysely<unknown>) => run(db, TEXT_OF_RETURNING) },
  '0009_channels': { up: (db: Kysely<unknown>) => run(db, CHANNELS) },
  '0010_held': { up: (db: Kysely<unknown>) => run(db, HELD) },
  '0011_nodes': { up: addNodes },
  '0012_respond': { up: (db: Kysely<unknown>) => run(db, RESPOND) },
  '0013_push': { up: (db: Kysely<unknown>) => run(db, PUSH) },
  '0014_delivery_seen': { up: (db: Kysely<unknown>) => run(db, DELIVERY_SEEN) },
  '0015_report': { up: (db: Kysely<unknown>) => run(db, REPORT) },
  '0016_via': { up: (db: Kysely<unknown>) => run(db, VIA) },
};

/** Statements that lead to the baseline, by the last migration of the versions before it. */
const EARLIER: Record<string, readonly string[]> = { '0008_receipt_age': FROM_0008, '0009_scale': [] };

/**
 * Migrates a database of a version before the baseline to the baseline, and records that.
 * @param applied the migrations that it records, in order
 * @throws when it is too old
 */
export async function adoptEarlier(db: Kysely<Schema>, applied: readonly string[]): Promise<void> {
  const last = applied.at(-1);
  if (applied[0] !== '0001_initial' || last === undefined) {
    return;
  }
  const statements = EARLIER[last];
  if (statements === undefined) {
    throw new Error(
      `It was written by a development version that is too old (${last}; supported are ${Object.keys(EARLIER).join(' and ')}). Restore a newer copy, or move nodebell.db to another folder to start with an empty inbox.`
    );
  }
  await db.transaction().execute(async (trx) => {
    await run(trx, statements);
    await sql`delete from migrations`.execute(trx);
    await sql`insert into migrations (name, timestamp) values (${BASELINE_NAME}, ${new Date().toISOString()})`.execute(
      trx
    );
  });
}
