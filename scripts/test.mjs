/** `npm test`: sets up what is missing, then `npm run check`, integration and browser tests, all of them in any case. */
import { rmSync } from 'node:fs';
import { build } from './build.mjs';
import { check, reportOf, step, UNIT, vitest } from './check.mjs';
import { ensureChromium } from './chromium.mjs';
import { readCounts, settle, totalOf } from './counts.mjs';
import { readFailures } from './failures.mjs';
import { heading, main, run, say } from './run.mjs';
import { setup } from './setup.mjs';

const REPORTS = ['unit', 'integration', 'browser'].map(reportOf);

await main(async () => {
  const node = await setup();
  const chromium = await ensureChromium(node);
  REPORTS.forEach((file) => rmSync(file, { force: true }));
  const { failed, unit } = await check(node);
  say(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nTypes, lint and unit tests passed.');

  // Integration tests wait for a bridge most of the time.
  const [integration, built] = await Promise.all([
    vitest(node, ['integration', 'postgres'], {}),
    step('Build', (options) => build(node, options).then(() => 0)),
  ]);

  heading('Browser tests');
  const env = { ...process.env, NODEBELL_REPORT: reportOf('browser'), ...(chromium && { CHROMIUM_PATH: chromium }) };
  const browser = built.code || (await run(node, ['node_modules/@playwright/test/cli.js', 'test'], { env }));

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
