/** Registered packages with their files, who approved which disclaimer, and what was done with each package. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table packages (
    dnp_name text primary key,
    revision text not null,
    version text not null,
    type text not null,
    dialect text not null,
    manifest text not null,
    notifications text,
    compose text,
    targets text,
    dashboards text,
    files_dir text,
    origin_file text,
    registered_ts integer not null,
    registered_by text,
    updated_ts integer not null) without rowid`,
  // Both outlive the package: what was approved and done stays known.
  `create table package_approvals (
    dnp_name text not null,
    seq integer not null,
    ts integer not null,
    version text not null,
    message text not null,
    approved_by text,
    primary key (dnp_name, seq)) without rowid`,
  `create table package_history (
    dnp_name text not null,
    seq integer not null,
    ts integer not null,
    action text not null,
    version text not null,
    from_version text,
    done_by text,
    primary key (dnp_name, seq)) without rowid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
