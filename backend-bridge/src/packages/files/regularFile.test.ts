import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './packageFolder.testing.ts';
import { readRegularFile } from './regularFile.ts';

test('a file is read whole, up to its limit', async () => {
  const dir = folderWith({ empty: '', exact: 'x'.repeat(100_000), large: 'x'.repeat(100_001) });
  const read = (name: string) => readRegularFile(path.join(dir, name), 100_000);
  expect(String(await read('empty'))).toBe('');
  expect(String(await read('exact'))).toBe('x'.repeat(100_000));
  expect(await read('large')).toBe('too-large');
});

test('a file without a size, as in /proc, is bounded by what is read', async () => {
  const environment = '/proc/self/status';
  expect(String(await readRegularFile(environment, 100_000))).toMatch(/^Name:/);
  expect(await readRegularFile(environment, 10)).toBe('too-large');
});

test('a pipe, a device and a folder are not opened', async () => {
  const dir = folderWith({ 'folder/x': '' });
  const pipe = path.join(dir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const file of [pipe, '/dev/zero', path.join(dir, 'folder')]) {
    expect(await readRegularFile(file, 10)).toBe('not-a-file');
  }
});

test('what is not there is the system’s error', async () => {
  await expect(readRegularFile('/nowhere/at/all', 10)).rejects.toMatchObject({ code: 'ENOENT' });
});
