import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './run.mjs';
import { bridgePlaces, bundledPlaces, componentsOf, isAllowed, licencesOf, sbomOf } from './sbom.mjs';

const lock = JSON.parse(readFileSync(path.join(ROOT, 'backend-bridge', 'package-lock.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'backend-bridge', 'package.json'), 'utf8'));

test.each([
  ['MIT', true],
  ['(MPL-2.0 OR Apache-2.0)', true],
  ['MIT AND BSD-3-Clause', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE', false],
  [undefined, false],
])('a dependency under %s is allowed: %s', (license, allowed) => {
  expect(isAllowed(license)).toBe(allowed);
});

/** Source maps of a bundle of all dependencies but that of SQLite, which is installed beside it. */
function bridgePlacesOfAll() {
  const dist = mkdtempSync(path.join(tmpdir(), 'nodebell-dist-'));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  const bundled = Object.keys(lock.packages).filter(
    (place) => place && !lock.packages[place].dev && !/sqlite/.test(place)
  );
  const sources = bundled.map((place) => `../../${place}/index.js`);
  writeFileSync(path.join(dist, 'main.js.map'), JSON.stringify({ sources }));
  return [...bridgePlaces(lock, { 'better-sqlite3': '*' }, dist)];
}

test('the SBOM of the bridge names every production dependency, with an allowed licence', () => {
  const places = bridgePlacesOfAll();
  const components = componentsOf(lock.packages, places);
  const sbom = JSON.parse(sbomOf(manifest, components, lock.packages));
  const named = new Set(sbom.components.map(({ name, version }) => `${name}@${version}`));
  const wanted = places.map((place) => `${place.split('node_modules/').at(-1)}@${lock.packages[place].version}`);
  expect(wanted.filter((one) => !named.has(one))).toEqual([]);
  expect(
    Object.keys(manifest.dependencies).filter((name) => !sbom.components.some((one) => one.name === name))
  ).toEqual([]);
  const express = sbom.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/express@'));
  expect(express.dependsOn).toContainEqual(expect.stringMatching(/^pkg:npm\/body-parser@/));
  const refs = new Set(sbom.components.map((one) => one['bom-ref']));
  expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
});

test('the texts of licences name every production dependency, and few packages have none', () => {
  const components = componentsOf(lock.packages, bridgePlacesOfAll());
  const text = licencesOf(components);
  expect(components.filter(({ name, version }) => !text.includes(`\n${name} ${version}\n`))).toEqual([]);
  expect(text.match(/The package contains no text/g)?.length ?? 0).toBeLessThan(10);
  expect(text).toContain('Permission is hereby granted');
});

test('a licence that is not allowed is refused', () => {
  const packages = { 'node_modules/x': { version: '1.0.0', license: 'GPL-3.0-only' } };
  expect(() => componentsOf(packages, ['node_modules/x'])).toThrow('x: found the licence GPL-3.0-only');
  expect(() => componentsOf({}, ['node_modules/y'])).toThrow('y: found the licence none');
});

test('the packages of a build are those that its source maps name', () => {
  const dist = mkdtempSync(path.join(tmpdir(), 'nodebell-maps-'));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  mkdirSync(path.join(dist, 'panels'));
  const map = (...sources) => JSON.stringify({ sources: sources.map((name) => `webpack://app/${name}`) });
  writeFileSync(
    path.join(dist, 'a.js.map'),
    map('./App.tsx', '../node_modules/@a/b/index.js', '../node_modules/made.js')
  );
  writeFileSync(path.join(dist, 'panels', 'b.js.map'), map('../node_modules/c/node_modules/d/e.js', 'webpack/runtime'));
  expect([...bundledPlaces(dist)].sort()).toEqual(['node_modules/@a/b', 'node_modules/c/node_modules/d']);
});
