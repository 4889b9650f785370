/**
 * `npm run package` writes the release archives, each with its SHA-256, to artifacts/package:
 *   nodebell-notifications-app-<version>.zip   the plugin, unsigned, to unpack into Grafana's plugin folder
 *   nodebell-bridge-<version>.tgz              the bridge and its command line, for npm
 *   nodebell-bridge-image-<version>.tar.gz     the build context of the bridge's image: docker build - < this file
 * Each contains a list of what is inside of others (sbom.cdx.json, CycloneDX) and THIRD-PARTY-LICENSES. scripts/reproducible.mjs
 * compares two builds of a commit.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { reach } from './bridgeLock.mjs';
import { build } from './build.mjs';
import { releaseOf } from './pluginVersion.mjs';
import { main, ROOT, say } from './run.mjs';
import { bridgePlaces, bundledPlaces, componentsOf, licencesOf, sbomOf } from './sbom.mjs';
import { setup } from './setup.mjs';

// Packages are imported where they are used: this script installs them.

const BRIDGE = path.join(ROOT, 'backend-bridge');
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** The earliest time that ZIP can store. Fixed, so that equal contents give equal bytes. Local, because ZIP has no time zone. */
const ZIP_TIME = new Date(1980, 0, 1);

/** @param files {name, data}: slashes in names, data a Buffer. @returns the ZIP archive as a Buffer */
export async function zip(files) {
  const { ZipFile } = await import('yazl');
  const archive = new ZipFile();
  for (const { name, data } of files) {
    archive.addBuffer(data, name, { mtime: ZIP_TIME, mode: 0o100644, compressionLevel: 9, forceDosTimestamp: true });
  }
  archive.end();
  return buffer(archive.outputStream);
}

/** @param files {name, data, mode?}: slashes in names, data a Buffer. @returns the gzipped tar archive as a Buffer */
export async function tarGz(files) {
  const { pack: packTar } = await import('tar-stream');
  const archive = packTar();
  for (const { name, data, mode = 0o644 } of files) {
    archive.entry({ name, mode, mtime: new Date(0) }, data);
  }
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** All files below a folder, sorted by name: {name, data}. */
function filesIn(folder, wanted = () => true) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => lstatSync(path.join(folder, name)).isFile())
    .map((name) => name.split(path.sep).join('/'))
    .filter(wanted)
    .sort()
    .map((name) => ({ name, data: readFileSync(path.join(folder, name)) }));
}

const below = (folder, files) => files.map(({ name, data }) => ({ name: `${folder}/${name}`, data }));

/** The list of what is inside of others, and their licences. @param lock the lock file with these places */
function contents(of, { packages }, places) {
  const components = componentsOf(packages, places);
  return [
    { name: 'THIRD-PARTY-LICENSES', data: Buffer.from(licencesOf(components)) },
    { name: 'sbom.cdx.json', data: Buffer.from(sbomOf(of, components, packages)) },
  ];
}

/** The built plugin, in a folder named after its id. @param dist the folder of the build */
export async function pluginArchive(dist) {
  const { id, info } = json(path.join(dist, 'plugin.json'));
  const lock = json(path.join(ROOT, 'package-lock.json'));
  const files = [...filesIn(dist), ...contents({ name: id, version: info.version }, lock, bundledPlaces(dist))];
  return { name: `${id}-${releaseOf(info.version)}.zip`, data: await zip(below(id, files)) };
}

/** Dependencies of the bridge that are not in its bundle. */
const installedWith = ({ dependencies: { 'better-sqlite3': range } }) => ({ 'better-sqlite3': range });

/** The published package.json and npm-shrinkwrap.json: only what is not in the bundle, and all versions pinned. */
export function bridgeManifest(manifest, lock) {
  const { private: _private, devDependencies: _dev, scripts: _scripts, ...rest } = manifest;
  const dependencies = installedWith(manifest);
  const places = [...reach(lock.packages, '', dependencies, new Set())].sort();
  const { devDependencies: _rootDev, ...root } = lock.packages[''];
  return {
    manifest: { ...rest, dependencies, files: ['bin', 'dist', 'sbom.cdx.json', 'THIRD-PARTY-LICENSES'] },
    shrinkwrap: {
      ...lock,
      packages: {
        '': { ...root, dependencies },
        ...Object.fromEntries(places.map((place) => [place, lock.packages[place]])),
      },
    },
  };
}

export async function bridgeTarball() {
  const lock = json(path.join(BRIDGE, 'package-lock.json'));
  const { manifest, shrinkwrap } = bridgeManifest(json(path.join(BRIDGE, 'package.json')), lock);
  const dist = path.join(BRIDGE, 'dist');
  const text = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const files = [
    { name: 'package.json', data: text(manifest) },
    { name: 'npm-shrinkwrap.json', data: text(shrinkwrap) },
    { name: 'bin/nodebell.mjs', data: readFileSync(path.join(BRIDGE, 'bin', 'nodebell.mjs')), mode: 0o755 },
    { name: 'README.md', data: readFileSync(path.join(BRIDGE, 'README.md')) },
    { name: 'LICENSE', data: readFileSync(path.join(ROOT, 'LICENSE')) },
    ...contents(manifest, lock, bridgePlaces(lock, manifest.dependencies, dist)),
    ...below('dist', filesIn(dist)),
  ];
  const packed = files.map((file) => ({ ...file, name: `package/${file.name}` }));
  return { name: `nodebell-bridge-${manifest.version}.tgz`, data: await tarGz(packed) };
}

/** Files that .dockerignore includes, the two files that Docker always sends, and the file lists of folders. */
export async function imageContext(folder = BRIDGE) {
  const ignore = readFileSync(path.join(folder, '.dockerignore'), 'utf8');
  const included = new Set(['Dockerfile', '.dockerignore', ...(ignore.match(/(?<=^!).+$/gm) ?? [])]);
  const wanted = (name) => included.has(name.split('/')[0]) && !/\.(test|testing)\.ts$/.test(name);
  const manifest = json(path.join(folder, 'package.json'));
  const lock = json(path.join(folder, 'package-lock.json'));
  const places = bridgePlaces(lock, installedWith(manifest), path.join(folder, 'dist'));
  const files = [...filesIn(folder, wanted), ...contents(manifest, lock, places)];
  return { name: `nodebell-bridge-image-${manifest.version}.tar.gz`, data: await tarGz(files) };
}

/** Seconds since 1970: what the plugin shows as its date, so that two builds of a commit are equal. Now, outside of a repository. */
function commitTime() {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : String(Math.floor(Date.now() / 1000));
}

/** Writes the archives and their checksums, for `sha256sum --check`. @returns {name, bytes} of each archive */
export async function writePackages(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const archives = await Promise.all([pluginArchive(path.join(ROOT, 'dist')), bridgeTarball(), imageContext()]);
  return archives.map(({ name, data }) => {
    const sum = createHash('sha256').update(data).digest('hex');
    writeFileSync(path.join(out, name), data);
    writeFileSync(path.join(out, `${name}.sha256`), `${sum}  ${name}\n`);
    return { name, bytes: data.length };
  });
}

/** Builds and packs. @param node what runs the build */
export async function pack(node) {
  process.env.SOURCE_DATE_EPOCH ??= commitTime();
  await build(node, { release: true });
  const out = path.join(ROOT, 'artifacts', 'package');
  for (const { name, bytes } of await writePackages(out)) {
    say(`${path.relative('', path.join(out, name))}  ${Math.ceil(bytes / 1000)} kB`);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => pack(await setup()));
}
