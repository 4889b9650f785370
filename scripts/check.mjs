/** `npm run check`, before a commit and first in `npm test`: types, lint and unit tests, at the same time. */
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readCounts } from './counts.mjs';
import { readFailures } from './failures.mjs';
import { heading, main, npm, Problem, ROOT, run, say, timed } from './run.mjs';
import { setup } from './setup.mjs';

const REPORTS = path.join(ROOT, 'artifacts');
/** The name of the step that runs the unit tests. */
export const UNIT = 'Unit tests';
export const reportOf = (name) => path.join(REPORTS, `${name}.json`);

/**
 * Runs projects of vitest.config.ts; the JSON report is named after the first.
 * @param options of `spawn`, and `workers`: how many files at a time. Default: as many as there are cores
 */
export function vitest(node, projects, { workers, ...options }) {
  const report = reportOf(projects[0]);
  rmSync(report, { force: true });
  const args = [...projects.map((name) => `--project=${name}`), '--reporter=default', '--reporter=json'];
  if (workers) {
    args.push(`--maxWorkers=${workers}`);
  }
  return run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args, `--outputFile.json=${report}`], options);
}

/** Runs a step with its output kept until its end, so that steps at the same time stay readable. */
export async function step(name, work) {
  mkdirSync(REPORTS, { recursive: true });
  const log = path.join(REPORTS, `${name.toLowerCase().replaceAll(' ', '-')}.log`);
  const output = openSync(log, 'w');
  let problem = '';
  const code = await timed(name, () => work({ stdio: ['ignore', output, output] })).catch((error) => {
    problem = error instanceof Problem ? error.message : error.stack;
    return 1;
  });
  heading(name);
  say(`${readFileSync(log, 'utf8')}${problem}`.trim());
  return { name, code };
}

/** The names of the steps that failed, and the exit code of the unit tests. */
export async function check(node) {
  const steps = await Promise.all([
    step('Types', (options) => npm(['run', '--silent', 'typecheck'], options)),
    step('Lint', (options) => npm(['run', '--silent', 'lint:code'], options)),
    step('Format and imports', (options) => npm(['run', '--silent', 'lint:files'], options)),
    step(UNIT, (options) => vitest(node, ['unit', 'bridge', 'component'], options)),
  ]);
  const failed = steps.filter(({ code }) => code !== 0).map(({ name }) => name);
  return { failed, unit: steps.at(-1).code };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { failed } = await check(await setup());
    heading('Result');
    readFailures(reportOf('unit')).forEach(say);
    failed.forEach((name) => say(`Failed: ${name}`));
    say(`${readCounts(reportOf('unit')).passed} unit tests passed`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  });
}
