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
  const [node, chromium] = await timed('Setup', async () => {
    const found = await setup();
    return [found, await ensureChromium(found)];
  });
  REPORTS.forEach((file) => rmSync(file, { force: true }));
  const { failed, unit } = await check(node);
  say(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nTypes, lint and unit tests passed.');

  // Integration tests wait most of the time, so more of them than there are cores, and beside the build.
  const [integration, built] = await Promise.all([
    timed('Integration tests', () =>
      vitest(node, ['integration', 'postgres'], { workers: Math.ceil(1.5 * availableParallelism()) })
    ),
    step('Build', (options) => build(node, options).then(() => 0)),
  ]);

  heading('Browser tests');
  const env = { ...process.env, NODEBELL_REPORT: reportOf('browser'), ...(chromium && { CHROMIUM_PATH: chromium }) };
  const args = ['test', ...(process.env.NODEBELL_TEST_ALL === '1' ? ['--grep-invert', '@hosts'] : [])];
  const browser =
    built.code ||
    (await timed('Browser tests', () => run(node, ['node_modules/@playwright/test/cli.js', ...args], { env })));

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
