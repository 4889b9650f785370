/**
 * Every npm command of the docs in a copy of the repository without `node_modules`, up to the point where it installs packages: a script
 * that needs a package before ends earlier. `npm run reproducible` runs `npm run package` in a fresh clone to its end, `npm test` itself.
 * Commands of Docker are only parsed: their files and build contexts exist.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = path.join(import.meta.dirname, '..', '..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docker-compose.dev.yml',
  'backend-bridge/Dockerfile',
  'packaging/grafana/Dockerfile',
]
  .concat(readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`))
  .filter((name) => /(\.md|\.yml|Dockerfile)$/.test(name));
const texts = PAGES.map((page) => readFileSync(path.join(ROOT, page), 'utf8'));
/** Each different match of a pattern in the docs. */
const named = (pattern: RegExp): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found!))),
];

const scripts = named(/npm (?:run (?:--silent )?)?([a-z][\w:]*)/g).filter((name) =>
  Object.hasOwn(
    (JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
    name
  )
);

/** In place of npm: runs scripts of package.json, and ends where packages would be installed. */
const NPM = `
const { spawnSync } = require('node:child_process');
const [first, ...rest] = process.argv.slice(2).filter((one) => one !== '--silent');
if (first === 'ci') { console.log('npm ci'); process.exit(1); }
const { scripts } = JSON.parse(require('node:fs').readFileSync('package.json', 'utf8'));
process.exit(spawnSync('sh', ['-c', scripts[first === 'run' ? rest[0] : first]], { stdio: 'inherit' }).status ?? 1);
`;

const copy = mkdtempSync(path.join(tmpdir(), 'nodebell-fresh-'));
const bin = path.join(copy, 'bin');
beforeAll(() => {
  for (const name of [
    'package.json',
    'package-lock.json',
    'backend-bridge/build.ts',
    'backend-bridge/package.json',
    'scripts',
  ]) {
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  }
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'npm.cjs'), NPM);
  writeFileSync(path.join(bin, 'npm'), `#!/bin/sh\nexec node ${bin}/npm.cjs "$@"\n`);
  chmodSync(path.join(bin, 'npm'), 0o755);
});
afterAll(() => rmSync(copy, { recursive: true }));

test('the docs name npm scripts', () => {
  expect(scripts).toEqual(expect.arrayContaining(['start', 'test', 'build', 'package', 'bench', 'reproducible']));
});

test.each(scripts)('npm run %s installs packages before it needs one', (script) => {
  const { npm_execpath: _npm, GRAFANA_URL: _url, ...env } = process.env;
  const PATH = [bin, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
  const { stdout, stderr, status } = spawnSync('npm', ['run', script], {
    cwd: copy,
    env: { ...env, PATH },
    encoding: 'utf8',
  });
  expect(stderr).not.toMatch(/ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|not found/);
  // Without the address of a Grafana, or outside of a repository, a script may have nothing to do.
  expect(status === 0 || stdout.includes('npm ci'), `${stdout}${stderr}`).toBe(true);
});

test('docker compose finds its file, and the services that are named', () => {
  const commands = named(/(docker compose [^\n|`]*)/g).filter((command) => / up\b/.test(command));
  expect(commands.length).toBeGreaterThan(2);
  const file = ['compose.yaml', 'docker-compose.yaml'].find((name) => existsSync(path.join(ROOT, name)));
  expect(file).toBeDefined();
  for (const command of commands) {
    const given = /-f (\S+)/.exec(command)?.[1];
    expect(existsSync(path.join(ROOT, given ?? file!)), command).toBe(true);
    const { services } = parse(readFileSync(path.join(ROOT, 'docker-compose.dev.yml'), 'utf8')) as { services: object };
    const wanted = command
      .split(/ up\b/)[1]!
      .split('   ')[0]!
      .split(' ')
      .filter((word) => /^[a-z]/.test(word));
    expect(Object.keys(services)).toEqual(expect.arrayContaining(wanted));
  }
});

test('docker build gets a folder with a Dockerfile, or the archive of the package', () => {
  const contexts = named(/docker build ([^`\n]*)/g);
  expect(contexts.length).toBeGreaterThan(1);
  for (const words of contexts.map((text) => text.trim().split(/\s+/))) {
    const file = words.includes('-f') ? words[words.indexOf('-f') + 1]! : path.join(words.at(-1)!, 'Dockerfile');
    const isArchive = words.includes('<') && words.at(-1)!.startsWith('nodebell-bridge-image-');
    expect(isArchive || existsSync(path.join(ROOT, file)), words.join(' ')).toBe(true);
  }
});

test('docs/install.md: files of the repository exist, archives and Node have the current version', () => {
  const page = readFileSync(path.join(ROOT, 'docs', 'install.md'), 'utf8');
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const node = /^ARG NODE_VERSION=([\d.]+)/m.exec(texts[PAGES.indexOf('backend-bridge/Dockerfile')]!)![1]!;
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!).join('');
  const files = commands.match(/(?<=[ ./])(docs|packaging)\/\S+/g) ?? [];
  expect(files).toEqual(expect.arrayContaining(['docs/systemd/nodebell-bridge.service', 'packaging/dappnode']));
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const names = ['nodebell-bridge', 'nodebell-bridge-image', 'nodebell-notifications-app'];
  const archives = [...page.matchAll(/\b(nodebell-[a-z-]+)-(\d[\d.]*)\.(tgz|tar\.gz|zip)\b/g)];
  expect(archives.map(([, name, of]) => `${name} ${of}`).sort()).toEqual(names.map((name) => `${name} ${version}`));
  expect(page.match(/(?<=\/v)\d+\.\d+\.\d+(?=\/node-)|(?<=node-v)[\d.]+(?=-)/g)).toEqual([node, node]);
});
