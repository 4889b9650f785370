/** Commands that a newcomer runs first set themselves up: no package is imported before scripts/setup.mjs has run. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ROOT } from './run.mjs';
import { installArguments, isInstalled } from './setup.mjs';

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const commands = Object.entries(scripts).flatMap(([name, text]) =>
  text.split(' && ').map((command) => [name, command])
);

/** All files that are loaded with a script, and what they import at once. */
function importsOf(entry, seen = new Map()) {
  if (!seen.has(entry)) {
    const source = readFileSync(path.join(ROOT, entry), 'utf8');
    const imports = [...source.matchAll(/^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]/gm)].map(
      ([, name]) => name
    );
    seen.set(entry, imports);
    imports
      .filter((name) => name.startsWith('.'))
      .forEach((name) => importsOf(path.posix.join(path.posix.dirname(entry), name), seen));
  }
  return seen;
}

test('every script of package.json begins with a script that sets up, or with another of them', () => {
  const others = commands.filter(
    ([, command]) => !/^(node scripts\/\w+\.mjs|npm run (--silent )?[\w:]+)\b/.test(command)
  );
  expect(others).toEqual([]);
});

const entries = [...new Set(commands.flatMap(([, command]) => /^node (scripts\/\S+)/.exec(command)?.[1] ?? []))];

test.each(entries)('%s imports no package before it is installed, and sets up', (entry) => {
  const loaded = importsOf(entry);
  const packages = [...loaded].flatMap(([file, imports]) =>
    imports.filter((name) => !/^(node:|\.\.?\/)/.test(name)).map((name) => `${file}: ${name}`)
  );
  expect(packages).toEqual([]);
  expect([...loaded.keys()]).toContain('scripts/setup.mjs');
});

/** A folder with these lists of packages: of the lock file, and of what is installed, if anything is. */
function folderWith(lock, installed) {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file, packages) => writeFileSync(path.join(folder, file), JSON.stringify({ packages }));
  write('package-lock.json', lock);
  if (installed) {
    mkdirSync(path.join(folder, 'node_modules'));
    write('node_modules/.package-lock.json', installed);
  }
  return folder;
}

const A = { version: '1.0.0' };
const DEV = { version: '1.0.0', dev: true };
const LOCK = {
  '': {},
  'node_modules/a': A,
  'node_modules/b': { version: '1.0.0', optional: true },
  'node_modules/dev': DEV,
  'node_modules/own': { link: true },
};

test.each([
  ['nothing', undefined, false, false],
  ['dependencies', { 'node_modules/a': A }, true, false],
  ['all', { 'node_modules/a': A, 'node_modules/dev': DEV }, true, true],
  ['devDependencies', { 'node_modules/dev': DEV }, false, false],
  ['optional ones', { 'node_modules/b': A }, false, false],
  ['another version', { 'node_modules/a': { version: '1.0.1' }, 'node_modules/dev': DEV }, false, false],
])('installed %s: enough for npm start, and for everything', (_, installed, start, everything) => {
  const folder = folderWith(LOCK, installed);
  expect([isInstalled(false, folder), isInstalled(true, folder)]).toEqual([start, everything]);
});

const OLD = { version: '0.9.0' };

test.each([
  ['a fresh clone', undefined, '', ['ci', '--omit=dev'], ['ci']],
  ['a fresh clone in CI', undefined, 'true', ['ci', '--omit=dev'], ['ci']],
  ['after npm start', { 'node_modules/a': A }, '', ['install', '--no-save', '--omit=dev'], ['install', '--no-save']],
  ['after npm start in CI', { 'node_modules/a': A }, 'true', expect.anything(), ['install', '--no-save']],
  [
    'all of another commit',
    { 'node_modules/a': OLD, 'node_modules/dev': DEV },
    '',
    ['install', '--no-save'],
    ['install', '--no-save'],
  ],
  ['another commit in CI', { 'node_modules/a': OLD }, 'true', ['ci', '--omit=dev'], ['ci']],
])('%s: npm start, and everything else', (_, installed, ci, start, everything) => {
  vi.stubEnv('CI', ci);
  onTestFinished(() => vi.unstubAllEnvs());
  const folder = folderWith(LOCK, installed);
  expect([installArguments(false, folder), installArguments(true, folder)]).toEqual([start, everything]);
});

/** Sass is not used, and the loader of AMD modules provides the other one. */
const NOT_PACKAGES = ['sass-loader', 'amd-module'];

/** Packages that are imported by name in a file. */
const packagesIn = (file) =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^import\s(?:[^'"`;]*?\sfrom\s)?['"]([^'".][^'"]*)['"]/gm)]
    .map(([, name]) => /^(@[^/]+\/)?[^/]+/.exec(name)[0])
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));

test('what builds the plugin is a dependency: npm start installs no devDependencies', () => {
  const files = [
    'webpack.config.ts',
    ...globSync('.config/{webpack,bundler}/*.ts', { cwd: ROOT }),
    'standalone/build.ts',
  ];
  const loaders = [
    ...readFileSync(path.join(ROOT, '.config/webpack/webpack.config.ts'), 'utf8').matchAll(/'([\w-]+-loader)'/g),
  ];
  const needed = new Set([...files.flatMap(packagesIn), ...loaders.map(([, name]) => name), 'webpack-cli']);
  expect([...needed]).toContain('copy-webpack-plugin');
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const isMissing = (place) => packages[place] === undefined || packages[place].dev === true;
  expect([...needed].filter((name) => !NOT_PACKAGES.includes(name) && isMissing(`node_modules/${name}`))).toEqual([]);
});
