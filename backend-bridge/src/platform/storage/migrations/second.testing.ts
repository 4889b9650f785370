/** One more migration, for tests of databases of the version before. */
import type { Migration } from 'kysely/migration';
import { onTestFinished } from 'vitest';
import type { Database } from '../engine.ts';
import { MIGRATIONS } from './index.ts';
import { createTables, integer, table, text, typeOf } from '../tables.ts';

/** Migrations of this program. */
export const RELEASED = Object.keys(MIGRATIONS);
export const NEXT = `${String(Number(RELEASED.at(-1)!.slice(0, 4)) + 1).padStart(4, '0')}_test`;

async function up(db: Database): Promise<void> {
  await createTables(db, { test: table({ id: integer, name: text }, 'id', { test_name: 'name' }) });
  await db.schema
    .alterTable('notifications')
    .addColumn('test', typeOf(db, text), (column) => column.notNull().defaultTo('default'))
    .execute();
}

/** Replaces a migration of this program until the end of the test, or adds one. */
export function setMigration(name: string = NEXT, migration: Migration = { up }): void {
  const before = MIGRATIONS[name];
  MIGRATIONS[name] = migration;
  onTestFinished(() => {
    Reflect.deleteProperty(MIGRATIONS, name);
    Object.assign(MIGRATIONS, before && { [name]: before });
  });
}
