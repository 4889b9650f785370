/** A second migration, for tests of databases of the version before. */
import type { Migration } from 'kysely/migration';
import { onTestFinished } from 'vitest';
import type { Database } from '../engine.ts';
import { MIGRATIONS } from './index.ts';
import { createTables, integer, table, text, typeOf } from '../tables.ts';

export const SECOND = '0002_test';

async function up(db: Database): Promise<void> {
  await createTables(db, { test: table({ id: integer, name: text }, 'id', { test_name: 'name' }) });
  await db.schema
    .alterTable('notifications')
    .addColumn('test', typeOf(db, text), (column) => column.notNull().defaultTo('default'))
    .execute();
}

/** Replaces a migration of this program until the end of the test, or adds a second one. */
export function setMigration(name: string = SECOND, migration: Migration = { up }): void {
  const before = MIGRATIONS[name];
  MIGRATIONS[name] = migration;
  onTestFinished(() => {
    Reflect.deleteProperty(MIGRATIONS, name);
    Object.assign(MIGRATIONS, before && { [name]: before });
  });
}
