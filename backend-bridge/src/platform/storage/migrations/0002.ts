/** Firing alerts and silences of Alertmanager's API. */
import type { Database } from '../engine.ts';
import { createTables, integer, table, text } from '../tables.ts';

export const TABLES = {
  open_alerts: table(
    {
      owner: text,
      fingerprint: text,
      labels: text,
      annotations: text,
      generator_url: text,
      starts_ts: integer,
      ends_ts: integer,
      updated_ts: integer,
      incoming: text,
    },
    'owner, fingerprint'
  ),
  silences: table(
    {
      id: text,
      matchers: text,
      starts_ts: integer,
      ends_ts: integer,
      updated_ts: integer,
      created_by: text,
      content: text,
    },
    'id'
  ),
};

export async function up(db: Database): Promise<void> {
  await createTables(db, TABLES);
  await db.insertInto('series').values({ name: 'alertmanager', last: 0 }).execute();
}
