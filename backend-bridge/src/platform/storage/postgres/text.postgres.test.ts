/** A search finds the same on both engines. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { remove, restore } from '../../../inbox/notifications/deletions.ts';
import '../../../arrivals.ts';
import { receiveRows } from '../../../inbox/notifications/receiveRows.ts';
import { matching } from '../../../inbox/notifications/select.ts';
import { testAddress } from '../address.testing.ts';
import { migrate, openDatabase } from '../../database.ts';
import type { Database } from '../engine.ts';
import { databasePath } from '../sqlite/database.ts';
import { indexText } from '../textIndex.ts';
import { lexemes } from '../words.ts';

const TITLES = [
  'Disk almost full',
  'Café Zürich fell behind',
  'naïve Ångström, ÉCOLE',
  '磁盘 已满 on node-7',
  'ディスク満杯',
  'диск заполнен Ёлка',
  'δίσκος ΓΕΜΆΤΟΣ γεμάτος',
  '🔥 Fire in geth.dnp.dappnode.eth',
  '⚠️ Warning: peers=3, head_slot:0xAb12',
  'quote \' " \\ and & | ! ( ) :* <-> signs',
  'İstanbul IŞIK ß straße',
  'नमस्ते दुनिया',
  'x'.repeat(3000),
  '4.6 GB left',
  '',
];
const QUERIES = [
  'disk', 'DISK', 'dis', 'isk', 'alm full', 'full alm', 'cafe', 'CAFÉ', 'cafe\u0301 zur', 'angstrom', 'ecole', '磁盘', '磁', '已满 node', 'ディスク',
  'диск', 'елка', 'Ёл', 'δισκος', 'γεματος', '🔥', '🔥 fire', '⚠️', '⚠️ warn', 'geth.d', 'head_slot:0xab12', "'", '"', '\\', '& |', ":*", 'signs',
  'quote signs', '4.6', '4.6 gb', 'istanbul', 'straße', 'नमस्ते', 'xxxx', 'x'.repeat(3000), '7', 'node-7', 'a', '',
]; // prettier-ignore

const directory = temporaryFolder(afterAll);
const databases: Database[] = [];
beforeAll(async () => {
  for (const address of [databasePath(directory), await testAddress(directory)]) {
    const db = openDatabase(address);
    databases.push(db);
    await migrate(db);
    const incoming = TITLES.map((title, index) => ({
      payload: { title: title || 'empty', body: index % 2 === 0 ? 'even body' : 'Odd', dnpName: `p${index}.eth` },
      source: 'api' as const,
    }));
    await db.transaction().execute((trx) => receiveRows(trx, [{ now: 1, incoming }]));
    await db.transaction().execute((trx) => indexText(trx, null));
  }
});
afterAll(async () => {
  await Promise.all(databases.map((db) => db.destroy()));
});

const search = async (db: Database, q: string, open?: true) =>
  (await matching(db, { filter: { q, ...(open && { open }) }, now: 1, limit: 100 })).map(({ id }) => id);

it.each(QUERIES)('%s', async (q) => {
  const [sqlite, postgres] = databases;
  expect(await search(postgres!, q)).toEqual(await search(sqlite!, q));
});

it('what is deleted is not found, and is found again when it is restored', async () => {
  for (const db of databases) {
    expect(await search(db, 'almost')).toEqual([1]);
    await db.transaction().execute((trx) => remove(trx, { ids: [1], deletion: 'd', expiresTs: 10 }));
    expect(await search(db, 'almost')).toEqual([]);
    await db.transaction().execute((trx) => restore(trx, { deletion: 'd', now: 1, limit: 10 }));
    expect(await search(db, 'almost')).toEqual([1]);
  }
});

it('of a text that is too long for a vector the first words are indexed', () => {
  const words = lexemes(Array.from({ length: 300_000 }, (_, index) => `word${index}`).join(' '));
  expect(words[0]).toBe('word0');
  expect(words.length).toBeGreaterThan(50_000);
  expect(words.reduce((sum, word) => sum + word.length, 0)).toBeLessThan(1_000_000);
});
