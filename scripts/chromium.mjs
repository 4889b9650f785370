import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Problem, run, say } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELL = 'chromium-headless-shell';

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installed(names) {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)];
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

/** The browser in CHROMIUM_PATH, or an installed one; undefined: Playwright's own. */
export function findChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (!isExecutable(CHROMIUM_PATH)) {
      throw new Problem(`CHROMIUM_PATH is ${CHROMIUM_PATH}, which is not an executable file.`);
    }
    return CHROMIUM_PATH;
  }
  return installed(NAMES);
}

/** Debian's Chromium without a user interface: a third less CPU time, and no notifications. Undefined: not installed, or CHROMIUM_PATH is set. */
export const findShell = () => (process.env.CHROMIUM_PATH ? undefined : installed([SHELL]));

function playwrightHasOne() {
  const { chromium } = createRequire(import.meta.url)('@playwright/test');
  return existsSync(chromium.executablePath());
}

async function aptInstall() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  say('No Chromium found: installing the Debian package …');
  await run('apt-get', ['update', '-qq'], { env });
  const install = (...names) => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
  await install('chromium', 'fonts-liberation');
  // Not in each distribution.
  await install(SHELL);
}

/** Finds a browser for the tests, or installs one. Undefined: Playwright has its own. */
export async function ensureChromium(node) {
  const found = findChromium();
  if (found) {
    return found;
  }
  if (playwrightHasOne()) {
    return undefined;
  }
  if (process.getuid?.() === 0 && isExecutable('/usr/bin/apt-get')) {
    await aptInstall();
    const debian = findChromium();
    if (debian) {
      return debian;
    }
  }
  say('No Chromium found: downloading the one of Playwright …');
  await run(node, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  if (!playwrightHasOne()) {
    throw new Problem('The browser tests need a Chromium. Install one, or set CHROMIUM_PATH.');
  }
  return undefined;
}
