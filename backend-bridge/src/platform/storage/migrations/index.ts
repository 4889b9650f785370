/** Every migration of both engines, by name. One that has been released is never edited; a change is a new one. */
import type { Migration } from 'kysely/migration';
import { TABLES as TABLES_0001, up } from './0001/index.ts';

export const FIRST = '0001_release_0.1.0';

export const MIGRATIONS: Record<string, Migration> = { [FIRST]: { up } };

/** All tables with content; of a table that a migration removes, the name stays. The text index is rebuilt from the notifications. */
export const TABLES: ReadonlySet<string> = new Set(Object.keys(TABLES_0001));
