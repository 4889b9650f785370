import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bridgeLock, bridgeLockText } from './bridgeLock.mjs';
import { ROOT } from './run.mjs';

test('the lock file of the bridge is up to date (node scripts/bridgeLock.mjs)', () => {
  const written = readFileSync(path.join(ROOT, 'backend-bridge', 'package-lock.json'), 'utf8');
  expect(JSON.parse(written)).toEqual(JSON.parse(bridgeLockText()));
});

test('it has the dependencies of package.json', () => {
  const read = (name) => JSON.parse(readFileSync(path.join(ROOT, 'backend-bridge', name), 'utf8'));
  const { dependencies, devDependencies } = read('package.json');
  expect(read('package-lock.json').packages['']).toMatchObject({ dependencies, devDependencies });
});

const LOCK = {
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { workspaces: ['backend-bridge'] },
    'backend-bridge': { name: 'b', version: '1.0.0', dependencies: { a: '1' }, devDependencies: { t: '1' } },
    'node_modules/a': { version: '1.0.0', dev: true, dependencies: { c: '2' }, optionalDependencies: { d: '1' } },
    'node_modules/a/node_modules/c': { version: '2.0.0', dependencies: { d: '1' } },
    'node_modules/c': { version: '1.0.0' },
    'node_modules/d': { version: '1.0.0', optional: true },
    'backend-bridge/node_modules/t': { version: '1.0.0', dependencies: { d: '1' } },
    'node_modules/other': { version: '1.0.0' },
  },
};

test('it has all reachable packages, each where Node resolves it', () => {
  const { packages, ...rest } = bridgeLock(LOCK);
  expect(rest).toEqual({ name: 'b', version: '1.0.0', lockfileVersion: 3, requires: true });
  expect(packages).toEqual({
    '': LOCK.packages['backend-bridge'],
    'node_modules/a': { version: '1.0.0', dependencies: { c: '2' }, optionalDependencies: { d: '1' } },
    'node_modules/a/node_modules/c': { version: '2.0.0', dependencies: { d: '1' } },
    'node_modules/d': { version: '1.0.0' },
    'node_modules/t': { version: '1.0.0', dependencies: { d: '1' }, dev: true },
  });
});

test('conflicting paths are an error', () => {
  const add = (places, dependencies) => ({
    ...LOCK,
    packages: { ...LOCK.packages, ...places, 'backend-bridge': { ...LOCK.packages['backend-bridge'], dependencies } },
  });
  const both = { 'backend-bridge/node_modules/d': { version: '2.0.0' } };
  expect(() => bridgeLock(add(both, { a: '1', d: '2' }))).toThrow('Two versions would be installed in node_modules/d');
  expect(() => bridgeLock(add({}, { nowhere: '1' }))).toThrow(
    'package-lock.json has no nowhere, which backend-bridge depends on'
  );
});
