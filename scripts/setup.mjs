/** Prepares a fresh clone: installs the packages of the lock file, and the Node version of the project. */
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

/**
 * `npm ci` deletes what is installed. In a clone in use, other processes may run from there, and most of it is up to date:
 * there `npm install` only changes what differs, without the lock file.
 */
function install() {
  const how = process.env.CI || !existsSync(path.join(ROOT, 'node_modules')) ? ['ci'] : ['install', '--no-save'];
  // No package's install script is needed, so none may run.
  return npm([...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * Whether npm has installed the packages of the lock file, also without this script: by the list that npm keeps of what is installed.
 * Optional packages may be missing, as those of other platforms are.
 */
export function isInstalled(folder = ROOT) {
  const list = path.join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) {
    return false;
  }
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesOf(list);
  return Object.entries(packagesOf(path.join(folder, LOCK[0])))
    .filter(([place, { link }]) => /(^|\/)node_modules\//.test(place) && !link)
    .every(([place, { version, optional, peer }]) =>
      installed[place] ? installed[place].version === version : optional || peer
    );
}

/** Returns the path of the Node that runs everything else. */
export async function setup() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Problem(`Nodebell needs Node 20 or newer; this is ${process.versions.node}.`);
  }
  const output = 'node_modules/typescript/package.json';
  if (!isFresh('install', LOCK, output) && !isInstalled()) {
    say('Installing the packages of package-lock.json (a minute or two, the first time) …');
    const code = await install();
    if (code !== 0) {
      throw new Problem('npm could not install the packages; see its output above.');
    }
    markFresh('install', LOCK, output);
  }
  return findNode();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(setup);
}
