import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, expect } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { adminToken, adminTokenPath } from './adminToken.ts';

test('a configured token is taken, and nothing is written', () => {
  const folder = temporaryFolder();
  expect(adminToken(folder, 'configured-token-1')).toBe('configured-token-1');
  expect(readdirSync(folder)).toEqual([]);
});

test('one is made once, for its owner only, and kept', () => {
  const folder = join(temporaryFolder(), 'data');
  const token = adminToken(folder, undefined);
  expect(token).toMatch(/^nba_[\w-]{43}$/);
  expect(readFileSync(adminTokenPath(folder), 'utf8')).toBe(`${token}\n`);
  expect(statSync(adminTokenPath(folder)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder)).toEqual(['admin-token']);
  expect(adminToken(folder, undefined)).toBe(token);
});

test('each data directory has its own', () => {
  expect(adminToken(temporaryFolder(), undefined)).not.toBe(adminToken(temporaryFolder(), undefined));
});

test('one that others can read is made private', () => {
  const folder = temporaryFolder();
  writeFileSync(adminTokenPath(folder), 'a-token-of-the-operator\n');
  chmodSync(adminTokenPath(folder), 0o644);
  expect(adminToken(folder, undefined)).toBe('a-token-of-the-operator');
  expect(statSync(adminTokenPath(folder)).mode & 0o777).toBe(0o600);
});

test.each(['', '\n', 'short'])('a file with %j is no token, and is not overwritten', (text) => {
  const folder = temporaryFolder();
  writeFileSync(adminTokenPath(folder), text);
  expect(() => adminToken(folder, undefined)).toThrow('holds no token');
  expect(readFileSync(adminTokenPath(folder), 'utf8')).toBe(text);
});

test('reports a data directory that cannot be created', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(() => adminToken(join(folder, 'file', 'data'), undefined)).toThrow();
  expect(existsSync(join(folder, 'file', 'data'))).toBe(false);
});
