/** Schedules and people of provisioning files, and steps of escalations. */
import type { Database } from '../engine.ts';
import { createIndex, text, typeOf } from '../tables.ts';

const COLUMNS = [
  ['channel_files', 'schedules'],
  ['channel_files', 'people'],
  ['outbox', 'escalation'],
] as const;

export async function up(db: Database): Promise<void> {
  for (const [name, column] of COLUMNS) {
    await db.schema.alterTable(name).addColumn(column, typeOf(db, text)).execute();
  }
  await createIndex(db, 'outbox_unacknowledged', 'outbox', [
    'due_ts, id',
    "state = 'held' and hold = 'unacknowledged'",
  ]);
}
