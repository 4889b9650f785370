import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

const folder = vi.hoisted(() => ({ path: '' }));
const check = vi.hoisted(() => vi.fn());
const say = vi.hoisted(() => vi.fn());
const run = vi.hoisted(() => vi.fn());
const report = (name) => path.join(folder.path, `${name}.json`);
const write = (name) => writeFileSync(report(name), '{"numPassedTests":4,"numFailedTests":0,"testResults":[]}');

vi.mock('./setup.mjs', () => ({ setup: () => 'node' }));
vi.mock('./chromium.mjs', () => ({ ensureChromium: () => undefined }));
vi.mock('./build.mjs', () => ({ build: () => Promise.resolve() }));
vi.mock(import('./check.mjs'), async (original) => ({
  ...(await original()),
  check,
  reportOf: report,
  step: async (_, work) => ({ code: await work({}) }),
  vitest: (_, [name]) => Promise.resolve(write(name)).then(() => 0),
}));
vi.mock(import('./run.mjs'), async (original) => ({
  ...(await original()),
  heading: vi.fn(),
  run,
  say,
  timed: (_, work) => work(),
}));

test.each([
  [[], 0, '12 passed, 0 failed', 0],
  [['Types', 'Lint'], 0, '12 passed, 2 failed', 1],
  // Failed unit tests are in the report, or count as one.
  [['Types', 'Unit tests'], 1, '12 passed, 2 failed', 1],
])('failed steps %j: %i, %s', async (failed, unit, last, exitCode) => {
  folder.path = mkdtempSync(path.join(tmpdir(), 'nodebell-test-'));
  const { exitCode: before } = process;
  onTestFinished(() => {
    process.exitCode = before;
    rmSync(folder.path, { recursive: true });
  });
  const browser = Promise.withResolvers();
  run.mockImplementation(() => {
    write('browser');
    browser.resolve();
    return Promise.resolve(0);
  });
  // The browser tests do not wait for the other steps.
  check.mockImplementation(async () => {
    await browser.promise;
    write('unit');
    return { failed, unit };
  });
  vi.resetModules();
  await import('./test.mjs');
  expect([say.mock.lastCall, process.exitCode]).toEqual([[last], exitCode]);
});
