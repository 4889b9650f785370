import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../folder.testing.ts';
import { openVault, secretKeyPath } from './vault.ts';

test('what is sealed opens after a restart, for the same purpose only', () => {
  const dataDir = temporaryFolder();
  const sealed = openVault({ dataDir })!.seal('the secret ü', 'channel a');
  expect(sealed).not.toContain('secret');
  expect(openVault({ dataDir })!.open(sealed, 'channel a')).toBe('the secret ü');
  expect(openVault({ dataDir })!.open(sealed, 'channel b')).toBeUndefined();
});

test('another key, or a changed text, does not open it', () => {
  const sealed = openVault({ dataDir: temporaryFolder() })!.seal('x', 'p');
  expect(openVault({ dataDir: temporaryFolder() })!.open(sealed, 'p')).toBeUndefined();
  const dataDir = temporaryFolder();
  const vault = openVault({ dataDir })!;
  const own = Buffer.from(vault.seal('x', 'p'), 'base64url');
  own[own.length - 1]! ^= 1;
  expect(vault.open(own.toString('base64url'), 'p')).toBeUndefined();
  expect(vault.open('', 'p')).toBeUndefined();
  expect(vault.open(Buffer.alloc(14).toString('base64url'), 'p')).toBeUndefined();
});

test('the same text is never sealed the same', () => {
  const vault = openVault({ dataDir: temporaryFolder() })!;
  expect(vault.seal('x', 'p')).not.toBe(vault.seal('x', 'p'));
});

test('the key is made when it is needed, for its owner only', () => {
  const dataDir = temporaryFolder();
  const vault = openVault({ dataDir })!;
  expect(existsSync(secretKeyPath(dataDir))).toBe(false);
  vault.seal('x', 'p');
  expect(statSync(secretKeyPath(dataDir)).mode & 0o777).toBe(0o600);
});

test('with PostgreSQL the key is the setting, which all replicas share', () => {
  const databaseUrl = 'postgres://h/d';
  const secretKey = 'the-key-of-all-the-replicas';
  expect(openVault({ dataDir: temporaryFolder(), databaseUrl })).toBeUndefined();
  const sealed = openVault({ dataDir: temporaryFolder(), databaseUrl, secretKey })!.seal('x', 'p');
  const dataDir = temporaryFolder();
  expect(openVault({ dataDir, databaseUrl, secretKey })!.open(sealed, 'p')).toBe('x');
  expect(existsSync(secretKeyPath(dataDir))).toBe(false);
});
