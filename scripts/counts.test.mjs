import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCounts, settle, totalOf } from './counts.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-counts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function report(content) {
  const file = path.join(folder, 'report.json');
  writeFileSync(file, content);
  return file;
}

test.each([
  ['vitest', { numPassedTests: 7, numFailedTests: 2 }, { passed: 7, failed: 2 }],
  ['Playwright', { stats: { expected: 5, unexpected: 1, flaky: 2, skipped: 9 } }, { passed: 7, failed: 1 }],
])('a report of %s is counted', (_, content, counts) => {
  expect(readCounts(report(JSON.stringify(content)))).toEqual(counts);
});

test.each(['{"stats":', '{}', '{"stats":{}}', 'null'])('a missing or broken report is a failure: %s', (content) => {
  expect(readCounts(path.join(folder, 'absent.json'))).toEqual({ passed: 0, failed: 1 });
  expect(readCounts(report(content))).toEqual({ passed: 0, failed: 1 });
});

test('a failed run always has failures', () => {
  expect(settle({ passed: 3, failed: 0 }, 1)).toEqual({ passed: 3, failed: 1 });
  expect(settle({ passed: 3, failed: 2 }, 1)).toEqual({ passed: 3, failed: 2 });
  expect(settle({ passed: 3, failed: 0 }, 0)).toEqual({ passed: 3, failed: 0 });
});

test('a failed step without tests is a failure', () => {
  const counts = [
    { passed: 3, failed: 0 },
    { passed: 2, failed: 1 },
  ];
  expect(totalOf(counts, ['Types', 'Lint'])).toEqual({ passed: 5, failed: 3 });
  expect(totalOf(counts, [])).toEqual({ passed: 5, failed: 1 });
});
