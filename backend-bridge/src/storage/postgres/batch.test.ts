/** Statements in one round trip, and rows by `copy`, on a real server. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertRows, together } from '../bulk.ts';
import { migrate, openDatabase } from '../database.ts';
import type { Database } from '../engine.ts';
import { type PostgresServer, startPostgres } from './server.testing.ts';

let server: PostgresServer;
let db: Database;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());
beforeEach(async () => {
  db = openDatabase(server.url('postgres'));
  await migrate(db);
  await db.deleteFrom('categories').execute();
});
afterEach(() => db.destroy());

it('an insert that fails is reported by the commit; nothing is stored, and the connection goes on', async () => {
  const category = (name: string) => ({ category: name, enabled: 1, ts: 1, file: null }) as const;
  const failing = db.transaction().execute(async (trx) => {
    await insertRows(trx, 'categories', [category('one')]);
    await insertRows(trx, 'categories', [category('one')]);
    await insertRows(trx, 'categories', [category('two')]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  const queried = db.transaction().execute(async (trx) => {
    await insertRows(trx, 'categories', [category('three')]);
    return await together(
      trx,
      trx.selectFrom('categories').select('category'),
      undefined,
      trx.selectFrom('series').select('name')
    );
  });
  const [found, none, series] = await queried;
  expect(found).toEqual([{ category: 'three' }]);
  expect(none).toEqual([]);
  expect(series).toContainEqual({ name: 'event' });
  const discarded = db.transaction().execute(async (trx) => {
    await insertRows(trx, 'categories', [category('four')]);
    throw new Error('of the caller');
  });
  await expect(discarded).rejects.toThrow('of the caller');
  expect(await db.selectFrom('categories').select('category').execute()).toEqual([{ category: 'three' }]);
});

it('texts are inserted as they are, whatever separates columns and rows on the wire', async () => {
  const texts = [
    '',
    '\\N',
    '\\.',
    '\\',
    'a\tb',
    'a\nb\r\nc',
    '\\t \\n',
    '"quoted", {braces} and NULL',
    '🔔 ä',
    'end\\',
  ];
  const rows = texts.map((text, index) => ({ category: `category ${index}`, enabled: 1, ts: 1, file: text }) as const);
  await db.transaction().execute(async (trx) => {
    await insertRows(trx, 'categories', [...rows, { category: 'none', enabled: 0, ts: -1, file: null }]);
    await insertRows(trx, 'categories', [{ category: 'a\0b', enabled: 1, ts: 1, file: '\ud800' }]);
  });
  const stored = await db.selectFrom('categories').selectAll().orderBy('category').execute();
  expect(stored).toEqual([
    { category: 'a\ufffdb', enabled: 1, ts: 1, file: '\ufffd' },
    ...rows,
    { category: 'none', enabled: 0, ts: -1, file: null },
  ]);
});
