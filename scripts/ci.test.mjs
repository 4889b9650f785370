/** `.ci/run` with programs of this test in place of npm and apt-get. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './run.mjs';

/** Part of PostgreSQL's tests run again on version 15 where Debian's package is installed. */
const POSTGRES_RUNS = existsSync('/usr/lib/postgresql/15/bin/postgres') ? 1 : 0;
/** Writes the report that the last argument names. */
const REPORT = `echo '{"numPassedTests":1,"numFailedTests":0}' >`;

const GREEN = {
  test: 'echo "5 passed, 0 failed"',
  compat: 'echo "3 passed, 0 failed"',
  'e2e:grafana': 'true',
  real: `echo '{"numPassedTests":2,"numFailedTests":0}' > artifacts/real.json`,
  'integration:postgres': `for last in "$@"; do :; done; ${REPORT} "\${last#*=}"`,
  reproducible: 'echo "1 passed, 0 failed"',
  'hostile:parallel': `for last in "$@"; do :; done; ${REPORT} "\${last#*=}"`,
  'hostile:alone': `for last in "$@"; do :; done; ${REPORT} "\${last#*=}"`,
};

/** The exit code and the lines of the output. @param steps shell commands by npm script, `aptGet` for apt-get */
function runCi({ aptGet = 'true', ...steps }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'nodebell-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['.ci/run', ...['counts', 'failures', 'run'].map((script) => `scripts/${script}.mjs`)]) {
    cpSync(path.join(ROOT, name), path.join(folder, name));
  }
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const program = (name, lines) => writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  const cases = Object.entries({ ...GREEN, ...steps }).map(([name, command]) => `*" ${name} "*) ${command} ;;`);
  program('npm', `case " $* " in\n${cases.join('\n')}\nesac`);
  program('apt-get', aptGet);
  program('dpkg', 'exit 1');
  program('id', 'echo 0');
  program('gatus', 'true');
  program('helm', 'true');
  const env = { ...process.env, PATH: `${bin}:${path.dirname(process.execPath)}:${process.env.PATH}` };
  const { status, stdout } = spawnSync(path.join(folder, '.ci', 'run'), { env, encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test.each([
  ['nothing fails', {}, [0, 13, 0]],
  ['a test fails', { test: 'echo "5 passed, 2 failed"; exit 1' }, [1, 13, 2]],
  ['npm test fails without a failed test', { test: 'echo "5 passed, 0 failed"; exit 1' }, [1, 13, 1]],
  ['apt-get fails', { aptGet: 'exit 100' }, [1, 13, 1]],
  ['compat fails without a failed test', { compat: 'echo "3 passed, 0 failed"; exit 1' }, [1, 13, 1]],
  ['compat ends without a result', { compat: 'exit 1' }, [1, 10, 1]],
  ['e2e:grafana fails', { 'e2e:grafana': 'exit 1' }, [1, 13, 1]],
  ['a suite fails without a report', { real: 'exit 1' }, [1, 11, 1]],
  ['a suite ends without a report', { 'hostile:alone': 'true' }, [1, 12, 1]],
  ['several steps fail', { aptGet: 'exit 100', 'e2e:grafana': 'exit 1', real: 'exit 1' }, [1, 11, 3]],
])('%s', (_, steps, [code, passed, failed]) => {
  const { status, lines } = runCi(steps);
  expect([status, lines.at(-1)]).toEqual([code, `${passed + POSTGRES_RUNS} passed, ${failed} failed`]);
});

test('before the last line: the seconds of each step, also of those within npm scripts', () => {
  const { lines } = runCi({ test: `echo '     7    Lint' >>"$NODEBELL_SECONDS"; echo "5 passed, 0 failed"` });
  const table = lines.slice(lines.indexOf('Seconds of each step') + 1, -1);
  expect(table[0]).toBe('     7    Lint');
  expect(table.map((line) => line.replace(/^ *\d+ +/, ''))).toEqual(
    expect.arrayContaining(['npm test', 'Versions of Grafana', 'Reproducible build', 'Hostile, alone'])
  );
  expect(table.at(-1)).toMatch(/^ *\d+ {2}in all$/);
});

test('after the failed tests: the checks and steps that failed, whether or not a test did', () => {
  const { lines } = runCi({ test: 'echo "Failed: Lint"; echo "5 passed, 1 failed"; exit 1', 'e2e:grafana': 'exit 1' });
  const failed = lines.slice(0, lines.indexOf('Seconds of each step')).filter((line) => line.startsWith('Failed: '));
  expect(failed.slice(-3)).toEqual(['Failed: Lint', 'Failed: npm test', 'Failed: A real Grafana']);
});
