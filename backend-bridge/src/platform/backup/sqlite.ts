/** A store in a data folder: read while a bridge runs, replaced by renaming while none does. */
import { constants, existsSync } from 'node:fs';
import { chown, copyFile, link, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { inList } from '../storage/bulk.ts';
import { openDatabase } from '../database.ts';
import { syncToDisk } from '../runtime/syncToDisk.ts';
import type { Database } from '../storage/engine.ts';
import { lockFolder } from '../storage/folderLock.ts';
import { databasePath } from '../storage/sqlite/database.ts';
import { removeLog } from '../storage/sqlite/databaseFile.ts';
import { failureReason } from '../storage/storeError.ts';
import { TransferError } from './errors.ts';
import type { Place } from './place.ts';
import { type SnapshotEngine, takeSnapshot, type Value } from './snapshot.ts';

/** Characters of rows that are read at once. */
const BATCH = 250_000;
/** Endings of the files beside a database that SQLite applies to it: of the write-ahead log, and of a change in another journal mode. */
const LOGS = ['-wal', '-journal'] as const;
/** Pages in memory while a store is filled, in MB. */
const CACHE_MB = 256;

const READING: SnapshotEngine = {
  name: 'sqlite',
  async keyOf(db, table) {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db);
    return rows.map(({ name }) => name);
  },
  async counters(db) {
    const { rows } = await sql<{ name: string; seq: number }>`
      select name, seq from sqlite_sequence order by name`.execute(db);
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
  },
  async *rows(db, { name, columns }, order) {
    const any = db as unknown as Kysely<Record<string, Record<string, Value>>>;
    let query = any.selectFrom(name).select(columns);
    for (const column of order) {
      query = query.orderBy(column);
    }
    let batch: Value[][] = [];
    let size = 0;
    for await (const row of query.stream()) {
      const values = columns.map((column) => row[column] as Value);
      batch.push(values);
      size += values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
      if (size > BATCH) {
        yield batch;
        [batch, size] = [[], 0];
      }
    }
    yield batch;
  },
};

/** @param dataDir the folder that contains `nodebell.db` */
export function sqlitePlace(dataDir: string): Place {
  const file = path.join(dataDir, 'nodebell.db');
  return {
    label: file,
    exists: () => Promise.resolve(existsSync(file)),
    async read(use) {
      if (!existsSync(file)) {
        throw new TransferError('refused', `${file} does not exist.`);
      }
      await using db = openDatabase(file, { readonly: true });
      return await use(db);
    },
    async write(use) {
      await using db = openDatabase(file);
      return await db.transaction().execute(use);
    },
    snapshot(use) {
      // A read transaction: the writer continues, and what it commits stays in the write-ahead log until this ends.
      return this.read((db) => db.transaction().execute(async (trx) => use(await takeSnapshot(trx, READING))));
    },
    snapshotOf: (trx) => takeSnapshot(trx, READING),
    async setCounter(trx, table, last) {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(trx);
    },
    indexesOf,
    async lock() {
      try {
        databasePath(dataDir);
        const lock = lockFolder(dataDir, undefined, Date.now);
        await ownedLikeFolder(path.join(dataDir, 'nodebell.lock'));
        return { release: () => Promise.resolve(lock.release()) };
      } catch (error) {
        const { message, cause } = error as Error & { cause?: { code?: string } };
        throw new TransferError(cause?.code === 'SQLITE_BUSY' ? 'in_use' : 'refused', message, error);
      }
    },
    async replace(fill, keptAs) {
      const made = `${file}.restoring`;
      await removeDatabase(made);
      try {
        await make(made, fill);
        await ownedLikeFolder(made);
        return await swapIn(file, made, unusedName(`${file}.${keptAs}`));
      } catch (error) {
        await removeDatabase(made);
        throw error;
      }
    },
  };
}

async function indexesOf(trx: Database, tables: readonly string[]): Promise<{ name: string; make: string }[]> {
  const { rows } = await sql<{ name: string; make: string }>`select name, sql as make from sqlite_master
      where type = 'index' and sql is not null and ${inList('tbl_name', tables)} order by name`.execute(trx);
  return rows;
}

async function make(made: string, fill: (db: Database) => Promise<void>): Promise<void> {
  {
    await using db = openDatabase(made, { cacheMb: CACHE_MB });
    // It is used only when it is complete, so it needs no journal, and one sync at the end.
    await sql`pragma journal_mode = off`.execute(db);
    await sql`pragma synchronous = off`.execute(db);
    await fill(db);
  }
  await syncToDisk(made);
}

/** Avoids the name of a restore in the same second. */
function unusedName(kept: string): string {
  const name = (index: number): string => (index === 1 ? kept : `${kept}-${index}`);
  let index = 1;
  while (['', ...LOGS].some((suffix) => existsSync(`${name(index)}${suffix}`))) {
    index += 1;
  }
  return name(index);
}

/**
 * Replaces the database in one step. A crash leaves the old one or the new one.
 * @returns where the old one is; undefined if there was none
 */
async function swapIn(file: string, made: string, kept: string): Promise<string | undefined> {
  // SQLite deletes the log beside a damaged database when it opens it.
  for (const log of LOGS.filter((suffix) => existsSync(`${file}${suffix}`))) {
    await keep(`${file}${log}`, `${kept}${log}`);
  }
  const dropLogs = () => Promise.all(LOGS.map((log) => rm(`${kept}${log}`, { force: true })));
  let isUsable = false;
  try {
    isUsable = existsSync(file) && settle(file);
  } catch (error) {
    await dropLogs();
    throw error;
  }
  if (isUsable) {
    await dropLogs();
  }
  if (existsSync(file)) {
    await keep(file, kept);
  }
  // Only damaged and missing databases have logs left: they would be applied to the new one.
  for (const left of [...LOGS, '-shm']) {
    await rm(`${file}${left}`, { force: true });
  }
  await rename(made, file);
  await syncToDisk(path.dirname(file));
  return existsSync(kept) ? kept : undefined;
}

const keep = (file: string, kept: string): Promise<void> =>
  link(file, kept).catch(() => copyFile(file, kept, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL));

/**
 * Takes the database out of the hands of others.
 * @returns whether it is usable
 */
function settle(file: string): boolean {
  try {
    removeLog(file);
    return true;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const reason = failureReason(code);
    if (reason === 'locked') {
      throw new TransferError('in_use', `Another program has ${file} open. Close it and try again.`, error);
    }
    if (reason !== 'corrupt' && reason !== 'io_error') {
      throw new TransferError('refused', `${file} cannot be replaced: ${message}`, error);
    }
    return false;
  }
}

/** Root may restore for the user of the bridge. */
async function ownedLikeFolder(file: string): Promise<void> {
  const { uid, gid } = await stat(path.dirname(file));
  if ((await stat(file)).uid !== uid) {
    await chown(file, uid, gid);
  }
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', ...LOGS, '-shm']) {
    await rm(`${file}${suffix}`, { force: true });
  }
}
