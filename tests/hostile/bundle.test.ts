/** The built bridge: its deferred modules can be loaded, and an empty bridge loads none. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bridgeCommand, freePort } from '../bench/bridge.ts';

const SRC = path.join(import.meta.dirname, '..', '..', 'backend-bridge', 'dist', 'src');
/** Deferred modules of a thread, such as `main-nodemailer.js`. */
const DEFERRED = readdirSync(SRC).filter((name) => /^(main|\w+Thread)-.+\.js$/.test(name));

test('there are deferred modules of the main thread and of the writer', () => {
  expect(DEFERRED).toEqual(expect.arrayContaining(['main-nodemailer.js', 'main-yaml.js', 'writerThread-pg.js']));
});

test.each(DEFERRED)('%s loads, with the exports that the stubs of its importers name', (name) => {
  const loaded = createRequire(import.meta.url)(path.join(SRC, name)) as Record<string, unknown> & { default?: object };
  const stubs = readdirSync(SRC)
    .filter((one) => one.endsWith('.js'))
    .map((one) => readFileSync(path.join(SRC, one), 'utf8'))
    .flatMap((text) => text.split('load=()=>loaded??=requireFile("./').slice(1))
    .filter((stub) => stub.startsWith(`${name}")`));
  expect(stubs).not.toEqual([]);
  for (const stub of stubs) {
    const isCommonJs = stub.startsWith(`${name}").default`);
    const names = [...stub.slice(0, stub.indexOf('}})')).matchAll(/get (?:"([^"]+)"|(\w+))\(\)/g)].map(
      ([, a, b]) => a ?? b
    );
    const exported = isCommonJs ? loaded.default! : loaded;
    expect(names).not.toEqual([]);
    expect(names.filter((one) => !(one! in exported))).toEqual([]);
  }
});

/** V8 keeps a source with other characters as UTF-16: twice the size. */
test('what each bridge loads is ASCII', () => {
  const others = readdirSync(SRC).filter((name) => name.endsWith('.js') && !DEFERRED.includes(name));
  expect(others).toContain('main.js');
  expect(others.filter((name) => /[^\0-\x7f]/.test(readFileSync(path.join(SRC, name), 'latin1')))).toEqual([]);
});

test('an empty bridge loads none of them', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'nodebell-bundle-'));
  const port = await freePort();
  const { file, args, env } = bridgeCommand();
  const settings = { NODEBELL_PORT: String(port), NODEBELL_DATA_DIR: dir, NODEBELL_LOG_LEVEL: 'error' };
  // Node's log of modules loaded by `require`, which is how deferred ones are.
  const child = spawn(file, args, { env: { ...process.env, ...env, ...settings, NODE_DEBUG: 'module' } });
  onTestFinished(() => rmSync(dir, { recursive: true }));
  let log = '';
  child.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const isReady = async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await vi.waitFor(isReady, { timeout: 60_000 });
  child.kill();
  await once(child, 'exit');
  expect(log).toContain('better-sqlite3');
  expect(DEFERRED.filter((name) => log.includes(name))).toEqual([]);
});

test('the command line runs from the bundle', () => {
  const launcher = path.join(SRC, '..', 'bin', 'nodebell.js');
  expect(execFileSync(process.execPath, [launcher, 'schema', 'problem'], { encoding: 'utf8' })).toContain('"$schema"');
});
