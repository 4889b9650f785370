import { defineConfig } from '@playwright/test';
import { findChromium, findShell } from './scripts/chromium.mjs';

/** Needs notifications. */
const PUSH = '**/push.spec.ts';

const launch = (executablePath: string | undefined) => ({
  launchOptions: {
    ...(executablePath && { executablePath }),
    // Root, no display, and silent on the network: tests talk to this machine only.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Tests must not depend on other machines. A route for that would hold up every request, and turn off the cache.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  },
});
const whole = launch(findChromium());
const shell = findShell();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  // Each worker runs a bridge and a browser; the small machines that this must run on have two cores.
  workers: 2,
  // Limits only against hanging: a busy machine is no failure.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  reporter: process.env['NODEBELL_REPORT']
    ? [['list'], ['json', { outputFile: process.env['NODEBELL_REPORT'] }]]
    : [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
  },
  projects:
    shell === undefined
      ? [{ name: 'chromium', use: whole }]
      : [
          { name: 'shell', testIgnore: PUSH, use: launch(shell) },
          { name: 'chromium', testMatch: PUSH, use: whole },
        ],
});
