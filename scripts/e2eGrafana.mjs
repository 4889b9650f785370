/** `npm run e2e:grafana`: tests with the real Grafana at GRAFANA_URL. Without it, it prints a message and runs nothing. */
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { main, run, say } from './run.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  if (!process.env.GRAFANA_URL) {
    say(
      'The tests against a real Grafana (tests/e2e-grafana) were not run: GRAFANA_URL is not set. ' +
        'CONTRIBUTING.md describes how to start one with docker-compose.dev.yml.'
    );
    return;
  }
  const node = await setup();
  const chromium = await ensureChromium(node);
  await build(node);
  const env = { ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }) };
  const args = ['test', '--config', 'tests/e2e-grafana/playwright.config.ts', ...process.argv.slice(2)];
  process.exitCode = await run(node, ['node_modules/@playwright/test/cli.js', ...args], { env });
});
