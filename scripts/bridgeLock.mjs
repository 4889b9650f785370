/**
 * The bridge's own lock file. For the image and the npm package its folder is built and installed alone, without the
 * workspace's lock file. So this derives a second one: the same versions, with only the dependencies of the bridge. `node
 * scripts/bridgeLock.mjs` writes it; a test compares it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem, ROOT } from './run.mjs';

const WORKSPACE = 'backend-bridge';
/** Flags of npm that depend on the rest of the tree. */
const FLAGS = ['dev', 'devOptional', 'optional', 'peer'];

/** Where Node resolves a package from a folder: the nearest `node_modules` upwards. */
export function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (packages[place] && !at.endsWith('node_modules')) {
      return place;
    }
    if (!at) {
      return undefined;
    }
  }
}

/** Adds all packages reachable from some names to a set, by path. Includes optional packages of other platforms. @returns the set */
export function reach(packages, from, names, found) {
  for (const name of Object.keys(names ?? {})) {
    const place = placeOf(packages, from, name);
    if (place === undefined) {
      throw new Problem(`package-lock.json has no ${name}, which ${from} depends on.`);
    }
    if (!found.has(place)) {
      found.add(place);
      const { dependencies, optionalDependencies } = packages[place];
      reach(packages, place, { ...dependencies, ...optionalDependencies }, found);
    }
  }
  return found;
}

/** Derives the bridge's lock file from the workspace's. Both are plain objects. */
export function bridgeLock({ packages, lockfileVersion, requires }) {
  const { [WORKSPACE]: root } = packages;
  const needed = reach(packages, WORKSPACE, root.dependencies, new Set());
  const all = reach(packages, WORKSPACE, root.devDependencies, new Set(needed));
  const own = {};
  for (const place of all) {
    const entry = Object.fromEntries(Object.entries(packages[place]).filter(([key]) => !FLAGS.includes(key)));
    const moved = place.replace(`${WORKSPACE}/`, '');
    if (own[moved]) {
      throw new Problem(`Two versions would be installed in ${moved}: nest one of them by hand.`);
    }
    own[moved] = needed.has(place) ? entry : { ...entry, dev: true };
  }
  const sorted = Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    name: root.name,
    version: root.version,
    lockfileVersion,
    requires,
    packages: { '': root, ...Object.fromEntries(sorted) },
  };
}

/** The contents of the file. */
export function bridgeLockText() {
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  return `${JSON.stringify(bridgeLock(lock), null, 2)}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(path.join(ROOT, WORKSPACE, 'package-lock.json'), bridgeLockText());
}
