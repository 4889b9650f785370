/** Where the store of a test is. The same suites run on both engines: see `postgres` in vitest.config.ts. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { databasePath } from './sqlite/database.ts';

/** The server that postgres/globalSetup.testing.ts started; undefined: the tests run on SQLite. */
export const TEST_SERVER =
  process.env.NODEBELL_TEST_ENGINE === 'postgres' ? process.env.NODEBELL_TEST_POSTGRES : undefined;

/** The engine that this suite runs on. */
export const TEST_ENGINE = TEST_SERVER === undefined ? 'sqlite' : 'postgres';

/**
 * The store that belongs to a data folder: the file in it, or a database of its own on the server, made at the first call. Unlike a
 * folder it is not removed after the test: the server goes with all of them.
 */
export async function testAddress(dataDir: string): Promise<string> {
  if (TEST_SERVER === undefined) {
    return databasePath(dataDir);
  }
  const name = `t${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`;
  const client = new pg.Client({ connectionString: TEST_SERVER });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      await client.query(`create database ${name}`);
    }
  } finally {
    await client.end();
  }
  return Object.assign(new URL(TEST_SERVER), { pathname: `/${name}` }).href;
}
