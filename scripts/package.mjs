/**
 * `npm run package`: what is handed out, each with its SHA-256 beside it, in artifacts/package:
 *   nodebell-notifications-app-<version>.zip   the plugin, unsigned, as Grafana unpacks it into its plugin folder
 *   nodebell-bridge-<version>.tgz              the bridge and the command line, for npm
 *   nodebell-bridge-image-<version>.tar.gz     what an image of the bridge is built from: docker build - < this file
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from './build.mjs';
import { main, Problem, ROOT, say } from './run.mjs';
import { setup } from './setup.mjs';
import { tar } from './tar.mjs';
import { zip } from './zip.mjs';

const BRIDGE = path.join(ROOT, 'backend-bridge');
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** All files below a folder, by name: {name, data}. */
function filesIn(folder, wanted = () => true) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter(wanted)
    .sort()
    .map((name) => ({ name, data: readFileSync(path.join(folder, name)) }));
}

const below = (folder, files) => files.map(({ name, data }) => ({ name: `${folder}/${name}`, data }));

/** The plugin as it was built, below a folder that is named by its id. @param dist the folder of the build */
export function pluginArchive(dist) {
  const { id, info } = json(path.join(dist, 'plugin.json'));
  return { name: `${id}-${info.version}.zip`, data: zip(below(id, filesIn(dist))) };
}

/** What is published: no sources, no tools to build with, and versions that are pinned by npm's own means. */
export function bridgeManifest(manifest, lock) {
  const { private: _private, devDependencies: _dev, scripts: _scripts, ...rest } = manifest;
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const { devDependencies: _rootDev, ...root } = lock.packages[''];
  return {
    manifest: { ...rest, files: ['bin', 'dist'] },
    shrinkwrap: { ...lock, packages: { ...Object.fromEntries(packages), '': root } },
  };
}

/** Not its map, not what only tests use, and nothing that is left of a file that was deleted. */
function isOfASource(name) {
  return /(?<!\.testing)\.js$/.test(name) && existsSync(path.join(BRIDGE, name.replace(/\.js$/, '.ts')));
}

export function bridgeTarball() {
  const { manifest, shrinkwrap } = bridgeManifest(
    json(path.join(BRIDGE, 'package.json')),
    json(path.join(BRIDGE, 'package-lock.json'))
  );
  const text = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const files = [
    { name: 'package.json', data: text(manifest) },
    { name: 'npm-shrinkwrap.json', data: text(shrinkwrap) },
    { name: 'bin/nodebell.mjs', data: readFileSync(path.join(BRIDGE, 'bin', 'nodebell.mjs')), mode: 0o755 },
    { name: 'README.md', data: readFileSync(path.join(BRIDGE, 'README.md')) },
    { name: 'LICENSE', data: readFileSync(path.join(ROOT, 'LICENSE')) },
    ...below('dist', filesIn(path.join(BRIDGE, 'dist'), isOfASource)),
  ];
  const packed = files.map((file) => ({ ...file, name: `package/${file.name}` }));
  return { name: `nodebell-bridge-${manifest.version}.tgz`, data: gzipSync(tar(packed)) };
}

/** The folder of the bridge, without what .dockerignore leaves out. */
export function imageContext() {
  const wanted = (name) => !/^(node_modules|dist)\/|\.(test|testing)\.ts$/.test(name);
  const { version } = json(path.join(BRIDGE, 'package.json'));
  return { name: `nodebell-bridge-image-${version}.tar.gz`, data: gzipSync(tar(filesIn(BRIDGE, wanted))) };
}

/** Writes the archives and their checksums, for `sha256sum --check`. @returns the names of the archives */
export function writePackages(out) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  return [pluginArchive(path.join(ROOT, 'dist')), bridgeTarball(), imageContext()].map(({ name, data }) => {
    const sum = createHash('sha256').update(data).digest('hex');
    writeFileSync(path.join(out, name), data);
    writeFileSync(path.join(out, `${name}.sha256`), `${sum}  ${name}\n`);
    return { name, bytes: data.length };
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const [major, minor] = process.versions.node.split('.').map(Number);
    if (major === 20 && minor < 15) {
      throw new Problem(`Packing needs Node 20.15 or newer; this is ${process.versions.node}.`);
    }
    await build(await setup());
    const out = path.join(ROOT, 'artifacts', 'package');
    for (const { name, bytes } of writePackages(out)) {
      say(`${path.relative('', path.join(out, name))}  ${Math.ceil(bytes / 1000)} kB`);
    }
  });
}
