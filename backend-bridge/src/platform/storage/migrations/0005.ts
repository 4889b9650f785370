/** Threads that the bridge resolves after a time, and alerts that it has found at their Alertmanager. */
import type { Database } from '../engine.ts';
import { createTables, integer, table, text } from '../tables.ts';

export const TABLES = {
  auto_resolve: table({ thread_id: integer, notification_id: integer, due_ts: integer, after: text }, 'thread_id', {
    auto_resolve_due: 'due_ts',
  }),
  found_alerts: table({ thread_id: integer, alertmanager: text }, 'thread_id'),
};

export const up = (db: Database): Promise<void> => createTables(db, TABLES);
