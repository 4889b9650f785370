/** Lists failed and flaky tests at the end of a log: `node scripts/failures.mjs <report> …`. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readReport } from './counts.mjs';
import { ROOT, say } from './run.mjs';

const MESSAGE_LINES = 12;
const MESSAGE_WIDTH = 300;
const COLOURS = /\u001B\[[\d;]*m/g;
const STACK_FRAME = /^at .+(:\d+:\d+|<anonymous>)\)?$/;

const named = (file, title) => `${path.relative(ROOT, file)} › ${title}`;

/** One failed test, with the beginning of its message. */
function failure(name, message = '', sign = '✗') {
  const lines = message.replaceAll(COLOURS, '').split('\n');
  const said = lines.map((line) => line.trim()).filter((line) => line && !STACK_FRAME.test(line));
  const beginning = said.slice(0, MESSAGE_LINES).map((line) => `    ${line.slice(0, MESSAGE_WIDTH)}`);
  return [`${sign} ${name}`, ...beginning].join('\n');
}

function ofVitest(report) {
  return report.testResults.flatMap((file) => {
    const wrong = file.assertionResults.filter((test) => test.failureMessages.length > 0);
    const name = (test) => named(file.name, test.fullName);
    const tests = wrong.map((test) =>
      test.status === 'passed'
        ? failure(`${name(test)} (passed on retry)`, test.failureMessages[0], '~')
        : failure(name(test), test.failureMessages[0])
    );
    // A file that does not load has a message, and no test.
    return file.status === 'failed' && !wrong.some((test) => test.status === 'failed')
      ? [...tests, failure(named(file.name, 'the whole file'), file.message)]
      : tests;
  });
}

function ofPlaywright(report) {
  const folder = report.config.rootDir;
  const ofSpec = (spec) => {
    const error = spec.tests.flatMap((test) => test.results).find((result) => result.error)?.error;
    const name = named(path.join(folder, spec.file), spec.title);
    if (spec.ok) {
      return error ? [failure(`${name} (passed on retry)`, error.message, '~')] : [];
    }
    return [failure(name, error?.message)];
  };
  const ofSuite = (suite) => [...suite.specs.flatMap(ofSpec), ...(suite.suites ?? []).flatMap(ofSuite)];
  return [
    ...report.suites.flatMap(ofSuite),
    // Errors outside of tests.
    ...report.errors.map((error) => failure('no test', error.message)),
  ];
}

/** Formats each failed or flaky test of a JSON report of vitest or Playwright. */
export function readFailures(file) {
  const report = readReport(file);
  if (!report) {
    return [];
  }
  return report.stats ? ofPlaywright(report) : ofVitest(report);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.argv.slice(2).flatMap(readFailures).forEach(say);
}
