/** Commands that a newcomer runs first set themselves up: no package is imported before scripts/setup.mjs has run. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './run.mjs';
import { isInstalled } from './setup.mjs';

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

test('packages count as installed if npm has installed these versions; optional ones may be missing', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file, packages) => writeFileSync(path.join(folder, file), JSON.stringify({ packages }));
  const a = { version: '1.0.0' };
  const optional = { version: '1.0.0', optional: true };
  write('package-lock.json', {
    '': {},
    'node_modules/a': a,
    'node_modules/b': optional,
    'node_modules/own': { link: true },
  });
  expect(isInstalled(folder)).toBe(false);
  mkdirSync(path.join(folder, 'node_modules'));
  const list = 'node_modules/.package-lock.json';
  write(list, { 'node_modules/a': a });
  expect(isInstalled(folder)).toBe(true);
  write(list, { 'node_modules/b': optional });
  expect(isInstalled(folder)).toBe(false);
  write(list, { 'node_modules/a': { version: '1.0.1' } });
  expect(isInstalled(folder)).toBe(false);
});
