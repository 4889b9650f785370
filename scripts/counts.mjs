import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Parses a JSON report of vitest or Playwright; undefined if it is missing or incomplete. */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Counts passed and failed tests in a JSON report of vitest or Playwright. A missing or broken report counts as one failure. */
export function readCounts(file) {
  const report = readReport(file);
  const { expected, flaky, unexpected } = report?.stats ?? {};
  const passed = report?.stats ? expected + flaky : report?.numPassedTests;
  const failed = report?.stats ? unexpected : report?.numFailedTests;
  return Number.isInteger(passed) && Number.isInteger(failed) ? { passed, failed } : { passed: 0, failed: 1 };
}

/** A failed run without a failed test (a file that does not load, a server that does not start) counts as one. */
export function settle({ passed, failed }, exitCode) {
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

/** Adds up counts. @param steps names of failed steps without tests: each counts as one failure */
export function totalOf(counts, steps = []) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  return { passed: sum('passed'), failed: sum('failed') + steps.length };
}

// For .ci/run: node scripts/counts.mjs <report> <exit code>
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed } = settle(readCounts(process.argv[2]), Number(process.argv[3]));
  console.log(`${passed} ${failed}`);
}
