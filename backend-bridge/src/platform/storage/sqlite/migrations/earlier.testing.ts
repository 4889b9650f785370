/** Databases that the versions before the baseline wrote: dumps of their files, with some of everything in them. */
import { readFileSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

export type Earlier = '0008' | '0009';

/** Writes such a database to a file that does not exist yet. */
export function writeEarlier(file: string, version: Earlier): void {
  const sqlite = new SqliteDatabase(file);
  try {
    sqlite.exec(readFileSync(new URL(`${version}.testing.sql`, import.meta.url), 'utf8'));
  } finally {
    sqlite.close();
  }
}
