/** Steps of escalations that were sent, by thread; calendars of schedules, and whom the bridge has told that they are on call. */
import type { Database } from '../engine.ts';
import { createIndex, text, typeOf } from '../tables.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('channel_files').addColumn('on_call', typeOf(db, text)).execute();
  await createIndex(db, 'outbox_steps', 'outbox', ['thread_id', 'escalation is not null']);
}
