/** Overrides of schedules that people add. */
import type { Database } from '../engine.ts';
import { createTables, integer, table, text } from '../tables.ts';

export const TABLES = {
  schedule_overrides: table(
    { id: text, schedule: text, person: text, from_local: text, to_local: text, created_by: text, created_ts: integer },
    'id'
  ),
};

export const up = (db: Database): Promise<void> => createTables(db, TABLES);
