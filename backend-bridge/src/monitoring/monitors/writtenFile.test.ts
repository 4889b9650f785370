import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../folder.testing.ts';
import { putFile, WRITTEN_BY, yamlText } from './writtenFile.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = path.join(folder, 'x.yaml');
});

const text = (word: string): string => `${WRITTEN_BY} ${word}\n`;

test('is written whole, once, and nothing is left beside it', async () => {
  expect(await putFile(file, text('a'), 0o640)).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  const { ino, mtimeMs } = await stat(file);
  expect(await putFile(file, text('a'))).toBe(false);
  expect(await stat(file)).toMatchObject({ ino, mtimeMs });
  await chmod(file, 0o600);
  expect(await putFile(file, text('b'))).toBe(true);
  expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([text('b'), 0o600]);
  expect(await readdir(folder)).toEqual(['x.yaml']);
});

test("somebody else's file is left as it is", async () => {
  await writeFile(file, 'endpoints: []\n');
  await expect(putFile(file, text('a'))).rejects.toThrow('was not written by Nodebell');
  expect(await readFile(file, 'utf8')).toBe('endpoints: []\n');
});

test('an empty file, as a container makes it for a mount, is taken', async () => {
  await writeFile(file, '\n');
  expect(await putFile(file, text('a'))).toBe(true);
});

test('a link stays one, and the file that it leads to is written; one in a circle is said', async () => {
  const elsewhere = path.join(folder, 'monitor');
  await mkdir(elsewhere);
  await writeFile(path.join(elsewhere, 'rules.yaml'), text('a'), { mode: 0o600 });
  await symlink(path.join('monitor', 'rules.yaml'), file);
  expect(await putFile(file, text('b'))).toBe(true);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(path.join(elsewhere, 'rules.yaml'), 'utf8')).toBe(text('b'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect([await readdir(folder), await readdir(elsewhere)]).toEqual([['monitor', 'x.yaml'], ['rules.yaml']]);

  await writeFile(path.join(elsewhere, 'rules.yaml'), 'not ours\n');
  await expect(putFile(file, text('c'))).rejects.toThrow('was not written by Nodebell');
  await rm(file);
  await symlink('x.yaml', file);
  await expect(putFile(file, text('c'))).rejects.toThrow('cannot be read (ELOOP)');
});

test('a folder that is not there is said', async () => {
  await expect(putFile(path.join(folder, 'none', 'x.yaml'), text('a'))).rejects.toThrow('cannot be written (ENOENT)');
  await expect(putFile(folder, text('a'))).rejects.toThrow('cannot be read (EISDIR)');
});

test.each(['a\u2028- b: c', 'a\nb\u2029c', 'a\n\x85b', '\ta\n\tb', 'a\rb', '\t'])(
  '%j is in double quotes, where nothing in it ends a line or begins one in the YAML of the monitors (1.1)',
  (word) => {
    const written = yamlText({ [word]: [word, 'x\ny'] });
    expect(written).not.toMatch(/[\t\r\x85\u2028\u2029]/);
    expect(parse(written)).toEqual({ [word]: [word, 'x\ny'] });
  }
);

test('a file that gets a token is no longer readable by everyone', async () => {
  await putFile(file, text('a'));
  expect((await stat(file)).mode & 0o777).toBe(0o644);
  await putFile(file, text('token'), 0o640);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
});
