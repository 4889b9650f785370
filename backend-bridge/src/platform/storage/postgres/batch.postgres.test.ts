/** Statements in one round trip, and rows by `copy`, on a real server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertRows, together } from '../bulk.ts';
import { migrate, openDatabase } from '../../database.ts';
import { type Database, engineOf } from '../engine.ts';
import { OutcomeUnknown } from '../storeError.ts';
import { PostgresServer } from './server.testing.ts';

let server: PostgresServer;
let db: Database;
beforeAll(async () => {
  server = await PostgresServer.open();
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

/** Rows sent before the next query. */
const MANY = 40;
const categories = (name: string, count = MANY) =>
  Array.from(
    { length: count },
    (_, index) => ({ category: `${name} ${index}`, enabled: 1, ts: 1, file: null }) as const
  );
const UPDATE = 'on conflict (category) do update set ts = excluded.ts';
const stored = async (): Promise<number> => (await db.selectFrom('categories').select('category').execute()).length;

describe('rows that are sent while the transaction goes on', () => {
  it('are stored by the commit, in the order of the calls', async () => {
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('series').selectAll().execute();
      await insertRows(trx, 'categories', categories('one'));
      await insertRows(trx, 'categories', categories('two', 1));
      await insertRows(
        trx,
        'categories',
        [...categories('one'), ...categories('three')].map((row) => ({ ...row, ts: 2 })),
        UPDATE
      );
      await insertRows(trx, 'categories', categories('four'));
      const [found] = await together(trx, trx.selectFrom('categories').select('category').where('ts', '=', 2));
      expect(found).toHaveLength(2 * MANY);
      await insertRows(trx, 'categories', categories('five'));
    });
    expect(await stored()).toBe(4 * MANY + 1);
  });

  it.each(['a query', 'the commit', 'the commit and what is sent with it'])(
    'an error in them is reported by %s; nothing is stored, and the connection goes on',
    async (by) => {
      // More than once: what the server did not parse because of the error must be parsed by the next transaction.
      for (const turn of [1, 2]) {
        const failing = db.transaction().execute(async (trx) => {
          await trx.selectFrom('series').selectAll().execute();
          await insertRows(trx, 'categories', categories('one'));
          await insertRows(trx, 'categories', categories('one'));
          await insertRows(trx, 'categories', categories(`two ${turn}`), UPDATE);
          await insertRows(trx, 'categories', categories('three', 1), UPDATE);
          if (by === 'a query') {
            await trx.selectFrom('categories').selectAll().execute();
            expect.unreachable();
          }
        });
        await expect(failing).rejects.toMatchObject({ code: '23505' });
        expect(await stored()).toBe(0);
      }
      await db.transaction().execute(async (trx) => {
        await trx.selectFrom('series').selectAll().execute();
        await insertRows(trx, 'categories', categories('two'), UPDATE);
        await insertRows(trx, 'categories', categories('three', 1), UPDATE);
      });
      expect(await stored()).toBe(MANY + 1);
    }
  );

  it('are discarded by a rollback, also when they have an error', async () => {
    for (const name of ['one', 'two']) {
      const discarded = db.transaction().execute(async (trx) => {
        await trx.selectFrom('series').selectAll().execute();
        await insertRows(trx, 'categories', categories('one'));
        await insertRows(trx, 'categories', categories(name));
        throw new Error('of the caller');
      });
      await expect(discarded).rejects.toThrow('of the caller');
    }
    await db.transaction().execute((trx) => insertRows(trx, 'categories', categories('one')));
    expect(await stored()).toBe(MANY);
  });

  it('a lost connection is reported by the commit as an unknown outcome', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await trx.selectFrom('series').selectAll().execute();
      await insertRows(trx, 'categories', categories('one'));
      engineOf(trx).disconnect(db);
    });
    await expect(failing).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await stored()).toBe(0);
  });
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
