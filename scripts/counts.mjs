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

/** Counts passed and failed tests in a JSON report of vitest or Playwright; zeros without a report. */
export function readCounts(file) {
  const report = readReport(file);
  if (!report) {
    return { passed: 0, failed: 0 };
  }
  if (report.stats) {
    return { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected };
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}

/** A failed run without a failed test (a file that does not load, a server that does not start) counts as one. */
export function settle({ passed, failed }, exitCode) {
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

// For .ci/run: node scripts/counts.mjs <report> <exit code>
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed } = settle(readCounts(process.argv[2]), Number(process.argv[3]));
  console.log(`${passed} ${failed}`);
}
