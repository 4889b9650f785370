import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, encode, type Part, sumsOf } from './format.ts';
import type { Snapshot, Value } from './snapshot.ts';

const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.maxSafeInteger(),
  fc.constant(null)
);
const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    columns: fc.constant(Array.from({ length: width }, (_, index) => `c${index}`)),
    rows: fc.array(fc.array<Value>(value, { minLength: width, maxLength: width }), { maxLength: 20 }),
  })
);

const snapshotOf = (tables: { columns: string[]; rows: Value[][] }[]): Snapshot => ({
  engine: 'sqlite',
  migrations: ['0001'],
  lastNotification: 7,
  tables: tables.map(({ columns }, index) => ({ name: `t${index}`, columns })),
  counters: { t0: 9 },
  async *rows({ name }) {
    yield await Promise.resolve(tables[Number(name.slice(1))]!.rows);
  },
});

const ORIGIN = { bridge: '1.2.3', createdAt: '2026-11-21T02:00:00.000Z' };

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

const all = async <T>(source: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const one of source) {
    list.push(one);
  }
  return list;
};

test('what is written is read, in whatever pieces it arrives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(table, { maxLength: 4 }), fc.integer({ min: 1, max: 100 }), async (tables, size) => {
      const snapshot = snapshotOf(tables);
      const text = (await all(encode(snapshot, ORIGIN))).join('');
      const parts = await all<Part>(decode(pieces(Buffer.from(text), size)));
      expect(parts[0]).toMatchObject({ type: 'header', header: { ...ORIGIN, lastNotification: 7 } });
      const rows = tables.map((): Value[][] => []);
      for (const part of parts) {
        if (part.type === 'rows') {
          rows[Number(part.table.name.slice(1))]!.push(...part.rows);
        }
      }
      expect(rows).toEqual(tables.map((one) => one.rows));
      const end = parts.at(-1);
      expect(end).toMatchObject({ type: 'end', trailer: { counters: { t0: 9 }, tables: await sumsOf(snapshot) } });
    })
  );
});

test('the checksum of a table does not depend on the order of its rows, but on each value', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, rows }) => {
      const sum = async (some: Value[][]) => (await sumsOf(snapshotOf([{ columns, rows: some }]))).t0;
      expect(await sum(rows.toReversed())).toEqual(await sum(rows));
      const [first, ...rest] = rows;
      if (first) {
        expect(await sum([first.with(0, `${first[0]}+`), ...rest])).not.toEqual(await sum(rows));
        expect((await sum([first, ...rows]))?.sum).not.toBe((await sum(rows))?.sum);
      }
    })
  );
});
