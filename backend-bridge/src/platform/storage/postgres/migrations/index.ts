/**
 * Every migration, by number, from the baseline of this engine on. A migration that only makes tables, columns and indexes is
 * written once, for SQLite, and translated ({@link translated}); parity.postgres.test.ts holds both engines to the same shape.
 */
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { SHARED_STATE } from '../../sqlite/migrations/0003_shared_state.ts';
import { RETENTION } from '../../sqlite/migrations/0004_retention.ts';
import { STORE_BACKUPS } from '../../sqlite/migrations/0005_store_backups.ts';
import { AUDIT } from '../../sqlite/migrations/0006_audit.ts';
import { BURSTS } from '../../sqlite/migrations/0007_bursts.ts';
import { CHANNELS } from '../../sqlite/migrations/0009_channels.ts';
import { HELD } from '../../sqlite/migrations/0010_held.ts';
import { NODE_OF_THREAD, NODES, THREAD_NODES } from '../../sqlite/migrations/0011_nodes.ts';
import { RESPOND } from '../../sqlite/migrations/0012_respond.ts';
import { PUSH } from '../../sqlite/migrations/0013_push.ts';
import { DELIVERY_SEEN } from '../../sqlite/migrations/0014_delivery_seen.ts';
import { REPORT } from '../../sqlite/migrations/0015_report.ts';
import { VIA } from '../../sqlite/migrations/0016_via.ts';
import { BASELINE } from './0001_baseline.ts';

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}

/** Types of SQLite in a definition, and PostgreSQL's. Texts compare by code point, as in SQLite. */
const TYPES: Record<string, string> = { integer: 'bigint', real: 'double precision', text: 'text collate "C"' };

/** A statement of a SQLite migration: `create table`, `alter table … add column`, `create index`, or an insert of constants. */
function translate(statement: string): string {
  return /^(create|alter) table/.test(statement)
    ? statement.replaceAll(/\b(integer|real|text)\b/g, (type) => TYPES[type]!).replace(/\) without rowid$/, ')')
    : statement;
}

const translated = (statements: readonly string[]): Migration => ({
  up: (db: Kysely<unknown>) => run(db, statements.map(translate)),
});

export const MIGRATIONS: Record<string, Migration> = {
  '0001_baseline': { up: (db: Kysely<unknown>) => run(db, BASELINE) },
  '0003_shared_state': translated(SHARED_STATE),
  '0004_retention': translated(RETENTION),
  '0005_store_backups': translated(STORE_BACKUPS),
  '0006_audit': translated(AUDIT),
  '0007_bursts': translated(BURSTS),
  // SQLite's search index only.
  '0008_text_of_returning': translated([]),
  '0009_channels': translated(CHANNELS),
  '0010_held': translated(HELD),
  '0011_nodes': translated([
    ...NODES,
    NODE_OF_THREAD,
    'alter table threads drop constraint threads_correlation_id_dnp_name_key',
    ...THREAD_NODES,
  ]),
  '0012_respond': translated(RESPOND),
  '0013_push': translated(PUSH),
  '0014_delivery_seen': translated(DELIVERY_SEEN),
  '0015_report': translated(REPORT),
  '0016_via': translated(VIA),
};
