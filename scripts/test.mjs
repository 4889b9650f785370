/**
 * `npm test`: sets up what is missing, then `npm run check`, integration and browser tests, all of them in any case. With NODEBELL_TEST_ALL=1
 * (.ci/run): all integration tests on PostgreSQL as well, and without the browser tests that `npm run compat` runs on the same libraries.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { build } from './build.mjs';
import { check, reportOf, step, UNIT, vitest } from './check.mjs';
import { ensureChromium } from './chromium.mjs';
import { readCounts, settle, totalOf } from './counts.mjs';
import { readFailures } from './failures.mjs';
import { heading, main, run, say, timed } from './run.mjs';
import { setup } from './setup.mjs';

const REPORTS = ['unit', 'integration', 'browser'].map(reportOf);

await main(async () => {
  const node = await timed('Setup', async () => {
    const found = await setup();
    await ensureChromium(found);
    return found;
  });
  REPORTS.forEach((file) => rmSync(file, { force: true }));
  const env = { ...process.env, NODEBELL_REPORT: reportOf('browser') };
  const args = ['test', ...(process.env.NODEBELL_TEST_ALL === '1' ? ['--grep-invert', '@hosts'] : [])];
  const browserTests = (options) => run(node, ['node_modules/@playwright/test/cli.js', ...args], { env, ...options });
  // Integration tests wait most of the time, so more of them than there are cores.
  const workers = Math.ceil(1.5 * availableParallelism());

  // Checks use the CPU while browser and integration tests mostly wait. No test has a limit of time, so none fails because of the others.
  const checked = check(node);
  const [{ failed, unit }, integration, browser] = await Promise.all([
    checked,
    checked.then((result) => {
      say(result.failed.length > 0 ? `\nFailed: ${result.failed.join(', ')}` : '\nTypes, lint and unit tests passed.');
      return timed('Integration tests', () => vitest(node, ['integration', 'mocks', 'postgres'], { workers }));
    }),
    step('Build', (options) => build(node, options).then(() => 0)).then(
      async ({ code }) => code || (await step('Browser tests', browserTests)).code
    ),
  ]);

  heading('Result');
  REPORTS.flatMap(readFailures).forEach(say);
  const codes = [unit, integration, browser];
  const suites = ['Integration tests', 'Browser tests'].filter((_, index) => codes[index + 1] !== 0);
  [...failed, ...suites].forEach((name) => say(`Failed: ${name}`));
  const counts = REPORTS.map((report, index) => settle(readCounts(report), codes[index]));
  const total = totalOf(
    counts,
    failed.filter((name) => name !== UNIT)
  );
  say(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});
