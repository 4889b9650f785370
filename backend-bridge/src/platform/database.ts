/** Opens and migrates a database of either engine. */
import { sql } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { type Database, engineOf } from './storage/engine.ts';
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
 * @throws when a migration fails (all pending migrations are rolled back), or when the database is too old for this program, or newer
 */
export async function migrate(db: Database, until?: string): Promise<void> {
  const engine = engineOf(db);
  const applied = await appliedMigrations(db);
  await engine.adopt?.(db, applied);
  const provider: MigrationProvider = { getMigrations: () => Promise.resolve({ ...engine.migrations }) };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error } = await (until === undefined ? migrator.migrateToLatest() : migrator.migrateTo(until));
  if (error) {
    const newer = applied.filter((name) => !Object.hasOwn(engine.migrations, name));
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
