/** A commit on a disk that fails meanwhile. On a real one: tests/hostile/readOnlyDisk.parallel.test.ts. */
import { utimesSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { openDatabase } from '../../database.ts';
import type { Database } from '../engine.ts';
import { failureReason, OutcomeUnknown } from '../storeError.ts';
import { databasePath } from './database.ts';

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  return { ...fs, utimesSync: vi.fn(fs.utimesSync) };
});

let directory: string;
let db: Database;
beforeEach(async () => {
  directory = temporaryFolder();
  db = openDatabase(databasePath(directory));
  await sql`create table t (a)`.execute(db);
});
afterEach(async () => {
  vi.mocked(utimesSync).mockClear();
  await db.destroy();
});

const insert = (): Promise<unknown> => db.transaction().execute((trx) => sql`insert into t values (1)`.execute(trx));
const failing = (code: string) => () => {
  throw Object.assign(new Error(`${code}: utime`), { code });
};

test.each([
  ['EROFS', 'read_only'],
  ['EIO', 'io_error'],
])('with %s after the commit, its outcome is unknown', async (code, reason) => {
  vi.mocked(utimesSync)
    .mockImplementationOnce(() => undefined)
    .mockImplementationOnce(failing(code));
  const error = await insert().catch((one: unknown) => one);
  expect(error).toBeInstanceOf(OutcomeUnknown);
  expect(failureReason((error as OutcomeUnknown).code)).toBe(reason);
  await insert();
});

test.each(['ENOENT', 'EPERM'])('%s is no failure of the disk', async (code) => {
  vi.mocked(utimesSync).mockImplementationOnce(failing(code));
  await insert();
  expect(utimesSync).toHaveBeenCalled();
});
