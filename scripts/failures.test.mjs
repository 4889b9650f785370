import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFailures } from './failures.mjs';
import { ROOT } from './run.mjs';

// Inside the project, where the runners find their own libraries.
mkdirSync(path.join(ROOT, 'node_modules/.cache'), { recursive: true });
const folders = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Runs a real runner over one file, which fails unless a code says otherwise, and gives its report and how its tests are called in it. */
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

test('a test that failed in vitest: file, name, the beginning of its message, no stack', () => {
  const imports = `import { describe, expect, test } from 'vitest';\ntest.describe = describe;`;
  const { report, called } = runOver('vitest', 'a.test.mjs', body(imports));
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toMatch(`✗ ${called} › group is broken\n    AssertionError: expected 'found' to be 'wanted'`);
  expect(failures[0]).not.toMatch(/\n\s*at /);
});

test('a file that does not load has no tests, and is named', () => {
  const { report, called } = runOver('vitest', 'a.test.mjs', `import 'there-is-no-such-module';`);
  expect(readFailures(report)).toEqual([
    expect.stringMatching(`✗ ${called} › the whole file\n.*there-is-no-such-module`),
  ]);
});

test('a test that failed in Playwright', () => {
  const imports = `import { expect, test } from '@playwright/test';`;
  const { report, called } = runOver('playwright', 'b.spec.mjs', body(imports));
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(`✗ ${called} › is broken\n    Error: `);
  expect(failures[0]).toContain('Expected: "wanted"');
});

test('a test that passed at the second try does not go unsaid', () => {
  const source = `import { expect, test } from '@playwright/test';
test.describe.configure({ retries: 1 });
test('holds', () => undefined);
test('is unsure', ({}, { retry }) => expect(retry).toBe(1));
`;
  const { report, called } = runOver('playwright', 'b.spec.mjs', source, 0);
  const failures = readFailures(report);
  expect(failures).toHaveLength(1);
  expect(failures[0]).toContain(`~ ${called} › is unsure (passed at the second try)\n    Error: `);
});

test('a file that Playwright cannot load', () => {
  const { report, called } = runOver('playwright', 'b.spec.mjs', `import 'there-is-no-such-module';`);
  expect(readFailures(report)[0]).toMatch(/✗ no test\n.*Cannot find package 'there-is-no-such-module'/);
  expect(readFailures(report)[0]).toContain(called);
});

test('no report: nothing is said of it', () => {
  expect(readFailures(path.join(ROOT, 'artifacts', 'absent.json'))).toEqual([]);
});
