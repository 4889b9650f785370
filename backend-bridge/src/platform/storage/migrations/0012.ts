/** By which equal labels a thread is inhibited. */
import type { Database } from '../engine.ts';
import { text, typeOf } from '../tables.ts';

export const up = (db: Database): Promise<void> =>
  db.schema
    .alterTable('suppressed')
    .addColumn('equal_key', typeOf(db, text), (column) => column.notNull().defaultTo(''))
    .execute();
