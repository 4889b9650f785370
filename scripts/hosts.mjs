/**
 * Grafana's libraries in other versions, and the standalone host built with them. Stored in a folder that git and linters
 * ignore.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { npm, Problem, ROOT, run, say } from './run.mjs';
import { isFresh, markFresh } from './stale.mjs';

const DEFINITIONS = path.join(ROOT, 'tests', 'hosts');
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'hosts');

const readJson = (...parts) => JSON.parse(readFileSync(path.join(...parts), 'utf8'));

/** The version that the plugin is built with; its libraries are the repository's own. */
export const ownVersion = () => readJson(ROOT, 'node_modules', '@grafana', 'ui', 'package.json').version;

/** All supported versions. */
export function allVersions() {
  const others = readdirSync(DEFINITIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...others.map(({ name }) => name), ownVersion()].sort();
}

export const folderOf = (version) => path.join(CACHE, version);

/** Installs the lock file of tests/hosts/<version>; nothing for the version of the plugin. */
export async function installLibraries(version) {
  const folder = folderOf(version);
  mkdirSync(folder, { recursive: true });
  if (version === ownVersion()) {
    return;
  }
  const files = ['package.json', 'package-lock.json'];
  const inputs = files.map((file) => `tests/hosts/${version}/${file}`);
  const stamp = `libraries-${version}`;
  const output = path.relative(ROOT, path.join(folder, 'node_modules', '@grafana', 'ui', 'package.json'));
  if (isFresh(stamp, inputs, output)) {
    return;
  }
  say(`Installing the libraries of Grafana ${version} …`);
  files.forEach((file) => copyFileSync(path.join(DEFINITIONS, version, file), path.join(folder, file)));
  // Peer dependencies in use are listed in package.json. npm would add many others, and React 18 in addition to 19.
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  if ((await npm(['ci', '--prefix', folder, ...options])) !== 0) {
    throw new Problem(
      `The libraries of Grafana ${version} could not be installed; see the output of npm above. ` +
        'Without them nobody knows whether the plugin works there.'
    );
  }
  markFresh(stamp, inputs, output);
}

/** A development build of the host, with all warnings of React. */
export async function buildHostOn(node, version) {
  const folder = folderOf(version);
  rmSync(path.join(folder, 'host'), { recursive: true, force: true });
  const args = ['--libraries', folder, '--outdir', path.join(folder, 'host'), '--development'];
  if ((await run(node, ['standalone/build.ts', ...args])) !== 0) {
    throw new Problem(`The host could not be built with the libraries of Grafana ${version}.`);
  }
}

/** Type-checks the plugin with this version: unknown members, props and icons are errors. */
export async function checkTypes(node, version) {
  const folder = folderOf(version);
  const own = readJson(folder, 'package.json').dependencies;
  const grafana = Object.keys(own).filter((name) => name.startsWith('@grafana/'));
  const config = path.join(folder, 'tsconfig.json');
  const at = (name) => [path.join(folder, 'node_modules', name)];
  const paths = {
    '@nodebell/contract': [path.join(ROOT, 'backend-bridge/contract/index.ts')],
    '@nodebell/contract/*': [path.join(ROOT, 'backend-bridge/contract/*')],
    ...Object.fromEntries(grafana.map((name) => [name, at(name)])),
    // The types of React stay ours: only Grafana's are checked.
    react: [path.join(ROOT, 'node_modules/@types/react')],
    'react/*': [path.join(ROOT, 'node_modules/@types/react/*')],
  };
  const options = { incremental: false, tsBuildInfoFile: null, paths };
  const content = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: options,
    include: [path.join(ROOT, 'src')],
  };
  writeFileSync(config, JSON.stringify(content, null, 2));
  return run(node, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', config]);
}

/** Checks with Grafana's own rule that this version exports all imports of the plugin. */
export function checkImports(node, version) {
  // The rule installs the libraries in the system's temporary folder, unless they exist there with this name.
  const temporary = path.join(CACHE, 'tmp');
  const link = path.join(temporary, `gf-eslint-plugin-compatible-${version}`);
  mkdirSync(temporary, { recursive: true });
  if (!existsSync(link)) {
    symlinkSync(folderOf(version), link, 'junction');
  }
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, NODEBELL_GRAFANA_VERSION: version };
  return run(
    node,
    [
      'node_modules/eslint/bin/eslint.js',
      '-c',
      'tests/hosts/eslint.config.mjs',
      '--quiet',
      '--pass-on-unpruned-suppressions',
      'src',
    ],
    {
      env,
    }
  );
}
