/**
 * `npm test`: sets up what is missing, then runs lint, types, unit, integration and browser tests, even if one of them fails.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { readCounts, settle } from './counts.mjs';
import { readFailures } from './failures.mjs';
import { heading, main, npm, ROOT, run, say } from './run.mjs';
import { setup } from './setup.mjs';

const REPORTS = path.join(ROOT, 'artifacts');
const UNIT_REPORT = path.join(REPORTS, 'unit.json');
const BROWSER_REPORT = path.join(REPORTS, 'browser.json');

await main(async () => {
  const node = await setup();
  const chromium = await ensureChromium(node);
  mkdirSync(REPORTS, { recursive: true });
  [UNIT_REPORT, BROWSER_REPORT].forEach((file) => rmSync(file, { force: true }));

  const failed = [];
  const step = async (name, work) => {
    heading(name);
    const code = await work();
    if (code !== 0) {
      failed.push(name);
    }
    return code;
  };

  await step('Lint', () => npm('run', '--silent', 'lint'));
  await step('Types', () => npm('run', '--silent', 'typecheck'));
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${UNIT_REPORT}`];
  const unit = await step('Unit and integration tests', () =>
    run(node, ['node_modules/vitest/vitest.mjs', 'run', ...reporters])
  );
  await step('Build', () => build(node).then(() => 0));
  const env = { ...process.env, NODEBELL_REPORT: BROWSER_REPORT, ...(chromium && { CHROMIUM_PATH: chromium }) };
  const browser = await step('Browser tests', () =>
    run(node, ['node_modules/@playwright/test/cli.js', 'test'], { env })
  );

  heading('Result');
  [UNIT_REPORT, BROWSER_REPORT].flatMap(readFailures).forEach(say);
  failed.forEach((name) => say(`Failed: ${name}`));
  const counts = [settle(readCounts(UNIT_REPORT), unit), settle(readCounts(BROWSER_REPORT), browser)];
  const total = (key) => counts.reduce((sum, count) => sum + count[key], 0);
  say(`${total('passed')} passed, ${total('failed')} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
});
