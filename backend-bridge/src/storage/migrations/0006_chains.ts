/** Which nodes have been in sync: one that is behind after a restart of the bridge has fallen, and does not sync for the first time. */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create table synced_nodes (dnp_name text primary key) without rowid').execute(db);
}
