/** Every migration, by number, with the names of those of `storage/sqlite/migrations`, from the first one that both engines have. */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { BASELINE } from './0001_baseline.ts';
import { SHARED_STATE } from './0003_shared_state.ts';
import { RETENTION } from './0004_retention.ts';
import { STORE_BACKUPS } from './0005_store_backups.ts';
import { AUDIT } from './0006_audit.ts';
import { BURSTS } from './0007_bursts.ts';

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}

export const MIGRATIONS: Record<string, Migration> = {
  '0001_baseline': { up: (db: Kysely<unknown>) => run(db, BASELINE) },
  '0003_shared_state': { up: (db: Kysely<unknown>) => run(db, SHARED_STATE) },
  '0004_retention': { up: (db: Kysely<unknown>) => run(db, RETENTION) },
  '0005_store_backups': { up: (db: Kysely<unknown>) => run(db, STORE_BACKUPS) },
  '0006_audit': { up: (db: Kysely<unknown>) => run(db, AUDIT) },
  '0007_bursts': { up: (db: Kysely<unknown>) => run(db, BURSTS) },
};
