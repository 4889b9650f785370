/**
 * The archives of `npm run package` work without the clone: the bridge is installed into an empty folder from its tarball and
 * runs there; the steps of its Dockerfile run on the image context. npm installs dependencies from its cache or a registry;
 * without either these tests fail. No image is built, because that requires a Docker engine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { writePackages } from '../../scripts/package.mjs';
import { freeAddress, startChild } from './support/child.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const NPM = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
const INSTALL = 300_000;
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'backend-bridge', 'package.json'), 'utf8')) as {
  version: string;
};
const out = temporaryFolder(afterAll);
let names: string[];

beforeAll(async () => {
  names = (await writePackages(out)).map(({ name }) => name);
});

function emptyFolder(name: string): string {
  const folder = path.join(out, name);
  mkdirSync(folder);
  return folder;
}

/** Runs npm in a folder, without variables of an outer npm. */
function npmIn(folder: string, command: string, args: string[]): void {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^npm_(config_local_prefix|package_)/.test(key))
  );
  execFileSync(command, args, { cwd: folder, env });
}

/** Starts the bridge of a folder, sends a notification with the command line of the same folder, and lists it. */
async function sendsAndReads(folder: string, main: string, nodebell: string): Promise<void> {
  const address = await freeAddress();
  const url = `http://${address}`;
  const data = path.join(folder, 'data');
  const env = { NODEBELL_PORT: address.split(':')[1]!, NODEBELL_DATA_DIR: data, NODEBELL_LOG_LEVEL: 'warn' };
  const child = await startChild({ command: process.execPath, args: [main], env, url, readyPath: '/readyz' });
  try {
    const args = [nodebell, 'send', '--url', url, '--title', 'Installed', '--body', 'From nothing but its tarball'];
    const sent = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect([sent.status, sent.stderr]).toEqual([0, '']);
    const token = readFileSync(path.join(data, 'admin-token'), 'utf8').trim();
    const answer = await fetch(`${url}/api/v1/notifications`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject([{ title: 'Installed' }]);
  } finally {
    await child.stop();
  }
}

test('each archive has a checksum file', () => {
  expect(names).toEqual([
    `nodebell-notifications-app-${version}.zip`,
    `nodebell-bridge-${version}.tgz`,
    `nodebell-bridge-image-${version}.tar.gz`,
  ]);
  for (const name of names) {
    const sum = createHash('sha256')
      .update(readFileSync(path.join(out, name)))
      .digest('hex');
    expect(readFileSync(path.join(out, `${name}.sha256`), 'utf8')).toBe(`${sum}  ${name}\n`);
  }
});

describe('the npm package', () => {
  test(
    'is installed from its tarball alone, with the pinned versions, and runs',
    async () => {
      const folder = emptyFolder('npm');
      writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
      npmIn(folder, 'npm', ['install', ...NPM, path.join(out, `nodebell-bridge-${version}.tgz`)]);
      const own = path.join(folder, 'node_modules', '@nodebell', 'bridge');
      const installed = path.join(own, 'node_modules', 'better-sqlite3', 'package.json');
      const hoisted = path.join(folder, 'node_modules', 'better-sqlite3', 'package.json');
      const sqlite = JSON.parse(readFileSync(existsSync(installed) ? installed : hoisted, 'utf8')) as object;
      const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { version: string }>;
      };
      expect(sqlite).toMatchObject({ version: lock.packages['node_modules/better-sqlite3']!.version });
      const nodebell = path.join(folder, 'node_modules', '.bin', 'nodebell');
      expect(execFileSync(process.execPath, [nodebell, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
      await sendsAndReads(folder, path.join(own, 'dist', 'src', 'main.js'), nodebell);
    },
    INSTALL
  );
});

describe('the image context', () => {
  test(
    'the steps of the Dockerfile produce a bridge that runs',
    async () => {
      const folder = emptyFolder('image');
      execFileSync('tar', ['-xzf', path.join(out, `nodebell-bridge-image-${version}.tar.gz`), '-C', folder]);
      const dockerfile = readFileSync(path.join(folder, 'Dockerfile'), 'utf8');
      const steps = [...dockerfile.replaceAll(/^ *#.*\n/gm, '').matchAll(/^RUN ((?:.*\\\n)*.*)$/gm)].map(
        ([, step]) => step!
      );
      const [install, build] = steps as [string, string];
      expect(install).toMatch(/^npm ci --ignore-scripts /);
      for (const step of [`${install} --prefer-offline`, build]) {
        npmIn(folder, 'sh', ['-ec', step.replaceAll('\\\n', ' ')]);
      }
      expect(existsSync(path.join(folder, 'node_modules', 'typescript'))).toBe(false);
      // The image contains no sources.
      rmSync(path.join(folder, 'src'), { recursive: true });
      rmSync(path.join(folder, 'bin', 'nodebell.ts'));
      const start = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)![1]!) as string[];
      expect(start[0]).toBe('node');
      await sendsAndReads(folder, path.join(folder, start.at(-1)!), path.join(folder, 'bin', 'nodebell.mjs'));
    },
    INSTALL
  );
});
