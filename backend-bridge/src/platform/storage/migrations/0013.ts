/** At which address a node was in sync. */
import type { Database } from '../engine.ts';
import { text, typeOf } from '../tables.ts';

export const up = (db: Database): Promise<void> =>
  db.schema
    .alterTable('synced_nodes')
    .addColumn('address', typeOf(db, text), (column) => column.notNull().defaultTo(''))
    .execute();
