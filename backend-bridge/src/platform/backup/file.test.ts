import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { keepNewest, verifyBackup } from './file.ts';
import { notification, SAMPLE } from './sampleRows.testing.ts';
import { backUp, used } from './transferWorld.testing.ts';

describe('a damaged backup', () => {
  const refused = async (file: string): Promise<string> => {
    const error = await verifyBackup(file).then(
      () => undefined,
      (reason: unknown) => reason
    );
    expect(error).toMatchObject({ name: 'TransferError', failure: 'damaged' });
    return (error as Error).message;
  };

  test('is refused wherever a bit differs, or the file ends', async () => {
    const small = { ...SAMPLE, notifications: [notification(1)] };
    const { place } = await used(small);
    const file = await backUp(place);
    const whole = readFileSync(file);
    const bad = path.join(temporaryFolder(), 'bad.jsonl.zst');
    const verified = await verifyBackup(file);
    let ignored = 0;
    for (let at = 0; at < whole.length; at += 7) {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(bad, flipped);
      // A bit that the decompressor ignores changes nothing.
      const { accepted } = await verifyBackup(bad).then(
        ({ trailer }) => ({ accepted: trailer }),
        () => ({ accepted: undefined })
      );
      expect(accepted ?? verified.trailer).toEqual(verified.trailer);
      ignored += accepted ? 1 : 0;
      writeFileSync(bad, whole.subarray(0, at));
      await refused(bad);
    }
    expect(ignored).toBeLessThan(5);
    writeFileSync(bad, whole);
    expect(await verifyBackup(bad)).toMatchObject({ bytes: whole.length });
  });

  test.each([
    ['a row less', (lines: string[]) => lines.toSpliced(2, 1)],
    ['a row twice', (lines: string[]) => lines.toSpliced(2, 0, lines[2]!)],
    [
      'a changed value',
      (lines: string[]) =>
        lines.with(
          2,
          lines[2]!.replace(/\d/, (digit) => `${(Number(digit) + 1) % 10}`)
        ),
    ],
    ['rows in another order', (lines: string[]) => lines.with(2, lines[3]!).with(3, lines[2]!)],
    ['a row of another length', (lines: string[]) => lines.with(2, '[1]')],
    ['a row before its table', (lines: string[]) => lines.with(1, lines[2]!)],
    ['a line after its end', (lines: string[]) => lines.toSpliced(-1, 0, '[1]')],
    ['no end', (lines: string[]) => lines.slice(0, -2)],
    ['an object that is no table', (lines: string[]) => lines.with(1, '{"table": 1}')],
    ['a value of another type', (lines: string[]) => lines.with(2, '[true, 1]')],
    ['a header without a time', (lines: string[]) => lines.with(0, lines[0]!.replace('createdAt', 'x'))],
    ['another format', (lines: string[]) => lines.with(0, '{"format":"other"}')],
    ['a later format', (lines: string[]) => lines.with(0, lines[0]!.replace('"version":1', '"version":2'))],
  ])('is refused with %s', async (_name, change) => {
    // Lines 1 to 3: the first table.
    const marks = [9, 10].map((ts) => ({ ts, last_id: 5 }));
    const { place } = await used({ arrival_marks: marks });
    const lines = zstdDecompressSync(readFileSync(await backUp(place)))
      .toString()
      .split('\n');
    const bad = path.join(temporaryFolder(), 'bad.jsonl.zst');
    writeFileSync(bad, zstdCompressSync(change(lines).join('\n')));
    await refused(bad);
  });

  // Before, each took minutes.
  describe('that is made to be read for minutes is refused', () => {
    const HEADER = {
      ...{ format: 'nodebell-store', version: 1, engine: 'sqlite', bridge: '0.1.0', migrations: ['0001'] },
      ...{ createdAt: '2026-11-22T13:05:00.000Z', lastNotification: 0 },
    };
    const bomb = (content: Buffer): string => {
      const file = path.join(temporaryFolder(), 'bomb.jsonl.zst');
      const compressed = zstdCompressSync(content);
      expect(compressed.length).toBeLessThan(16 * 1024);
      writeFileSync(file, compressed);
      return file;
    };

    test('one line without an end', async () => {
      expect(await refused(bomb(Buffer.alloc(100 * 2 ** 20, ' ')))).toMatch(/A line is longer than/);
    });

    test('millions of rows', async () => {
      const head = `${JSON.stringify(HEADER)}\n{"table":"counts","columns":["a"]}\n`;
      const file = bomb(Buffer.concat([Buffer.from(head), Buffer.alloc(2 ** 20, '[1]\n')]));
      expect(await refused(file)).toMatch(/^Line 10\d{4}: more rows than a file of this size can hold\.$/);
    });
  });

  test('a large text that compresses to nearly nothing is restored', async () => {
    const { place } = await used({ ...SAMPLE, notifications: [{ ...notification(1), body: 'x'.repeat(2 ** 20) }] });
    expect(await verifyBackup(await backUp(place))).toMatchObject({
      trailer: { tables: { notifications: { rows: 1 } } },
    });
  });

  test('a file that is missing, and one that is no backup', async () => {
    const file = path.join(temporaryFolder(), 'x');
    await expect(verifyBackup(file)).rejects.toMatchObject({
      failure: 'refused',
      message: `${file} cannot be read (ENOENT).`,
    });
    writeFileSync(file, 'SQLite format 3');
    expect(await refused(file)).toContain('is not a backup of Nodebell');
  });
});

test('of the files of a folder, only backups and what was left a day ago are removed', async () => {
  const dir = temporaryFolder();
  const [old, newer, newest] = ['20T', '21T', '22T'].map((day) => `nodebell-202611${day}020000Z.jsonl.zst`) as [
    string,
    string,
    string,
  ];
  const left = `${old}.01234567-89ab-cdef-0123-456789abcdef.partial`;
  const others = ['nodebell-notes.jsonl.zst', 'notes.txt'];
  [old, newer, newest, left, ...others].forEach((name) => writeFileSync(path.join(dir, name), ''));
  expect(await keepNewest(dir, 2)).toEqual([old]);
  expect(await keepNewest(dir, 2, Date.now() + 25 * 60 * 60 * 1000)).toEqual([left]);
  expect(readdirSync(dir).sort()).toEqual([newer, newest, ...others]);
});

test('backups of a clock that was ahead are not the newest', async () => {
  const dir = temporaryFolder();
  const nameOf = (day: string): string => `nodebell-${day}T020000Z.jsonl.zst`;
  const [old, today, ahead, further] = ['20261120', '20261121', '20301120', '20301121'].map(nameOf) as [
    string,
    string,
    string,
    string,
  ];
  [old, today, ahead, further].forEach((name) => writeFileSync(path.join(dir, name), ''));
  const now = Date.parse('2026-11-21T02:00:00Z');
  expect(await keepNewest(dir, 2, now)).toEqual([ahead, further]);
  expect(readdirSync(dir).sort()).toEqual([old, today]);
});
