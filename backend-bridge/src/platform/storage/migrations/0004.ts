/** Maintenance windows, inhibition rules, and threads that are not sent because of them. */
import type { Database } from '../engine.ts';
import { createTables, integer, small, table, text } from '../tables.ts';

export const TABLES = {
  maintenance_windows: table({ id: text, file: text, content: text, created_by: text, updated_ts: integer }, 'id'),
  inhibit_rules: table({ file: text, rules: text }, 'file'),
  inhibitors: table(
    { rule: text, equal_key: text, thread_id: integer, notification_id: integer, is_target: small },
    'rule, equal_key, thread_id'
  ),
  suppressed: table(
    { thread_id: integer, suppressor: text, ref: text, reason: text, source_thread: integer, source_id: integer },
    'thread_id',
    { suppressed_ref: 'suppressor, ref, source_thread', suppressed_source: ['source_thread', 'source_thread > 0'] }
  ),
};

export const up = (db: Database): Promise<void> => createTables(db, TABLES);
