/** Sources of inhibition rules by their thread. */
import type { Database } from '../engine.ts';
import { createIndex } from '../tables.ts';

export const up = (db: Database): Promise<void> =>
  createIndex(db, 'inhibitors_thread', 'inhibitors', 'thread_id, rule');
