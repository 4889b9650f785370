/**
 * Prepares a fresh clone: installs the packages of the lock file, and the Node version of the project. `npm start` installs the
 * `dependencies` of package.json only: what is bundled, and what builds it. Everything else needs its `devDependencies` too.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, npm, Problem, ROOT, say } from './run.mjs';
import { isFresh, markFresh } from './stale.mjs';

const NEEDED = 24;
const LOCK = ['package-lock.json'];

function majorOf(node) {
  try {
    return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The current Node if it is new enough, otherwise the one from the package for this platform. */
function findNode() {
  const { platform, arch, versions, execPath } = process;
  if (Number(versions.node.split('.')[0]) >= NEEDED) {
    return execPath;
  }
  const file = platform === 'win32' ? 'node.exe' : 'node';
  const packages = [`node-${platform === 'win32' ? 'win' : platform}-${arch}`, `node-bin-${platform}-${arch}`];
  const found = packages
    .map((name) => path.join(ROOT, 'node_modules', name, 'bin', file))
    .find((node) => majorOf(node) >= NEEDED);
  if (!found) {
    throw new Problem(
      `Nodebell runs on Node ${NEEDED}. This is ${versions.node}, and no package contains a newer one for ` +
        `${platform}-${arch}: install Node ${NEEDED} and start again.`
    );
  }
  say(`Node ${versions.node} is too old: using Node ${majorOf(found)} from npm.`);
  return found;
}

const packagesOf = (...file) => JSON.parse(readFileSync(path.join(...file), 'utf8')).packages;

/** Packages that npm lists as installed, by place; undefined before the first installation. */
function installedIn(folder) {
  const list = path.join(folder, 'node_modules', '.package-lock.json');
  return existsSync(list) ? packagesOf(list) : undefined;
}

/**
 * The arguments of npm for what is missing.
 *
 * `npm ci` deletes what is installed. In a clone in use, other processes may run from there, and most of it is up to date:
 * there `npm install` only changes what differs, without the lock file. It also adds the devDependencies after `npm start`, and
 * `npm start` does not remove them.
 * @param dev whether devDependencies are needed
 */
export function installArguments(dev, folder = ROOT) {
  const installed = installedIn(folder);
  const clean = !existsSync(path.join(folder, 'node_modules')) || (process.env.CI && !isInstalled(false, folder));
  const omit = !dev && (clean || !Object.values(installed ?? {}).some((one) => one.dev));
  return [...(clean ? ['ci'] : ['install', '--no-save']), ...(omit ? ['--omit=dev'] : [])];
}

function install(dev) {
  // No package's install script is needed, so none may run.
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--prefer-offline',
    '--loglevel=error',
  ];
  return npm([...installArguments(dev), ...options]);
}

/**
 * Whether npm has installed the packages of the lock file, also without this script: by the list that npm keeps of what is installed.
 * Optional packages may be missing, as those of other platforms are.
 * @param dev whether devDependencies are needed
 */
export function isInstalled(dev, folder = ROOT) {
  const installed = installedIn(folder);
  return (
    installed !== undefined &&
    Object.entries(packagesOf(folder, LOCK[0]))
      .filter(([place, one]) => /(^|\/)node_modules\//.test(place) && !one.link && (dev || !one.dev))
      .every(([place, { version, optional, peer }]) =>
        installed[place] ? installed[place].version === version : optional || peer
      )
  );
}

/**
 * Installs what is missing. @param options `dev`: whether devDependencies are needed
 * @returns the path of the Node that runs everything else
 */
export async function setup({ dev = true } = {}) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Problem(`Nodebell needs Node 20 or newer; this is ${process.versions.node}.`);
  }
  const output = 'node_modules/typescript/package.json';
  const stamp = dev ? 'install' : 'install-start';
  if (!['install', stamp].some((name) => isFresh(name, LOCK, output)) && !isInstalled(dev)) {
    say(`Installing ${dev ? 'all' : 'the'} packages ${dev ? '' : 'to start '}(about a minute, the first time) …`);
    const code = await install(dev);
    if (code !== 0) {
      throw new Problem('npm could not install the packages; see its output above.');
    }
    markFresh(stamp, LOCK, output);
  }
  return findNode();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(() => setup());
}
