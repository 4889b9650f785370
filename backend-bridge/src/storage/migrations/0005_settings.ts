/** What is set for packages and their endpoints, who set it, and which endpoints the packages ship switched off. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Outlives the package, so that what was set is in use again when it comes back.
  `create table settings (
    dnp_name text not null,
    correlation_id text not null,
    member text not null,
    file text not null,
    value real not null,
    shipped real,
    subject text,
    ts integer not null,
    set_by text,
    primary key (dnp_name, correlation_id, member, file)) without rowid`,
  `create table settings_history (
    id integer primary key,
    ts integer not null,
    set_by text,
    file text,
    category text,
    dnp_name text,
    correlation_id text,
    member text not null,
    old_value real,
    new_value real)`,
  'create index settings_history_package on settings_history (dnp_name, id)',
  `create table shipped_off (
    dnp_name text not null,
    correlation_id text not null,
    primary key (dnp_name, correlation_id)) without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
