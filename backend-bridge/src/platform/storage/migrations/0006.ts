/** Tokens of messages that were used, and the responses that messages show. */
import type { Database } from '../engine.ts';
import { createTables, integer, table, text, typeOf } from '../tables.ts';

export const TABLES = {
  used_actions: table({ token: text, ts: integer }, 'token', { used_actions_ts: 'ts' }),
};

export async function up(db: Database): Promise<void> {
  await createTables(db, TABLES);
  await db.schema
    .alterTable('channel_threads')
    .addColumn('response_ts', typeOf(db, integer), (column) => column.notNull().defaultTo(0))
    .execute();
}
