import { createHash } from 'node:crypto';

/** Files that differ between builds of the same sources, or that no browser loads. */
const IGNORED = /(^|\/)plugin\.json$|\.(map|md)$|^LICENSE$/;

/**
 * The version of a development build, with the build in SemVer's build metadata: `0.1.0+1f2e3d4c`. Grafana adds it to the URL of module.js
 * (`?_cache=`), which browsers keep for an hour, so another build needs another version.
 * @param {string} release the version in package.json
 * @param {{ name: string, data: Uint8Array }[]} files of the build, in any order
 */
export function pluginVersion(release, files) {
  const hash = createHash('sha256');
  for (const { name, data } of files
    .filter(({ name }) => !IGNORED.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(`${name}\0${data.length}\0`).update(data);
  }
  return `${release}+${hash.digest('hex').slice(0, 8)}`;
}

/** @returns the version without its build metadata, for names of files */
export const releaseOf = (version) => version.split('+')[0];
