/** Opens and migrates a database of either engine. */
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { type Database, engineOf } from './storage/engine.ts';
import { FIRST, MIGRATIONS } from './storage/migrations/index.ts';
import { openPostgres } from './storage/postgres/database.ts';
import { openSqlite } from './storage/sqlite/database.ts';

/** Options for both engines. */
export interface DatabaseOptions {
  readonly?: boolean;
  /** SQLite: pages in memory. */
  cacheMb?: number;
  /** Called with each error of a query, which is thrown as well. */
  onError?: (error: unknown) => void;
}

/** Whether an address is the URL of a PostgreSQL database. */
export const isServer = (address: string): boolean => /^postgres(ql)?:/i.test(address);

/** @param address the file of an SQLite database, or the URL of a PostgreSQL database */
export function openDatabase(address: string, options: DatabaseOptions = {}): Database {
  return isServer(address) ? openPostgres(address, options) : openSqlite(address, options);
}

/**
 * Applies the missing migrations, in order.
 * @param until the last one to apply; default: all
 * @throws when a migration fails (all pending migrations are rolled back), or when the database is not of this program, or newer
 */
export async function migrate(db: Database, until?: string): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied.length > 0 && applied[0] !== FIRST) {
    throw new Error(
      `It was created by a development version before 0.1.0 (last migration: ${applied.at(-1)}), which only that version can read. Start with a new data folder (NODEBELL_DATA_DIR) or an empty database (NODEBELL_DATABASE_URL).`
    );
  }
  await engineOf(db).checkServer?.(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await (until === undefined ? migrator.migrateToLatest() : migrator.migrateTo(until));
  if (error) {
    const newer = applied.filter((name) => !Object.hasOwn(MIGRATIONS, name));
    if (newer.length > 0) {
      throw new Error(
        `It was changed by a newer version of the bridge (${newer.join(', ')}). Start that version, or restore a copy from before.`
      );
    }
    throw error instanceof Error ? error : new Error(`Migration failed: ${JSON.stringify(error)}`);
  }
}

/** The migrations that the database records, in order; none when it is new. */
async function appliedMigrations(db: Database): Promise<string[]> {
  if (!(await engineOf(db).hasTable(db, 'migrations'))) {
    return [];
  }
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  return rows.map(({ name }) => name);
}
