import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFailures } from './failures.mjs';
import { ROOT } from './run.mjs';

// Inside the project, so that the test runners find their libraries.
mkdirSync(path.join(ROOT, 'node_modules/.cache'), { recursive: true });
const folders = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Runs a test runner on one file that fails unless it is changed, and returns its report and the names of its tests. */
function runOver(runner, name, source, code = 1) {
  const folder = mkdtempSync(path.join(ROOT, 'node_modules/.cache/failures-'));
  folders.push(folder);
  const file = path.join(folder, name);
  const report = path.join(folder, `${runner}.json`);
  writeFileSync(file, source);
  const [cli, args, env] =
    runner === 'vitest'
      ? ['vitest/vitest.mjs', ['run', '--root', folder, '--reporter=json', `--outputFile.json=${report}`], {}]
      : [
          '@playwright/test/cli.js',
          ['test', '--config', folder, '--reporter=json'],
          { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
        ];
  const { status } = spawnSync(process.execPath, [path.join(ROOT, 'node_modules', cli), ...args], {
    cwd: folder,
    env: { ...process.env, ...env, NODE_ENV: '', VITEST: '' },
  });
  expect(status).toBe(code);
  return { report, called: path.relative(ROOT, file) };
}

const body = (imports) => `${imports}
test('holds', () => expect(1).toBe(1));
test.describe('group', () => {
  test('is broken', () => expect('found').toBe('wanted'));
});
`;

test('a failed vitest test: file, name, the beginning of its message, no stack', () => {
  const imports = `import { describe, expect, test } from 'vitest';\ntest.describe = describe;`;
  const { report, called } = runOver('vitest', 'a.test.mjs', body(imports));
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatch(`✗ ${called} › group is broken\n    AssertionError: expected 'found' to be 'wanted'`);
  expect(failures[0]).not.toMatch(/\n\s*at /);
});

test('a file that does not load is named without tests', () => {
  const { report, called } = runOver('vitest', 'a.test.mjs', `import 'there-is-no-such-module';`);
  expect(readFailures(report)).toEqual([
    expect.stringMatching(`✗ ${called} › the whole file\n.*there-is-no-such-module`),
  ]);
});

test('a failed Playwright test', () => {
  const imports = `import { expect, test } from '@playwright/test';`;
  const { report, called } = runOver('playwright', 'b.spec.mjs', body(imports));
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(`✗ ${called} › is broken\n    Error: `);
  expect(failures[0]).toContain('Expected: "wanted"');
});

test('a vitest test that passed on retry is listed', () => {
  const source = `import { expect, test } from 'vitest';
let tries = 0;
test('is unsure', { retry: 1 }, () => expect((tries += 1)).toBe(2));
`;
  const { report, called } = runOver('vitest', 'a.test.mjs', source, 0);
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(`~ ${called} › is unsure (passed on retry)\n    AssertionError: `);
});

test('a Playwright test that passed on retry is listed', () => {
  const source = `import { expect, test } from '@playwright/test';
test.describe.configure({ retries: 1 });
test('holds', () => undefined);
test('is unsure', ({}, { retry }) => expect(retry).toBe(1));
`;
  const { report, called } = runOver('playwright', 'b.spec.mjs', source, 0);
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(`~ ${called} › is unsure (passed on retry)\n    Error: `);
});

test('a file that Playwright cannot load', () => {
  const { report, called } = runOver('playwright', 'b.spec.mjs', `import 'there-is-no-such-module';`);
  expect(readFailures(report)[0]).toMatch(/✗ no test\n.*Cannot find package 'there-is-no-such-module'/);
  expect(readFailures(report)[0]).toContain(called);
});

test('no report: no output', () => {
  expect(readFailures(path.join(ROOT, 'artifacts', 'absent.json'))).toEqual([]);
});
