import { type Page, test as base } from '@playwright/test';
import path from 'node:path';
import { type RunningConsole, startConsole } from '../../../standalone/server/console.ts';
import { buildExampleApp } from '../../fixtures/exampleApp/build.ts';
import { TestBridge } from './bridge.ts';
import { Frame } from './views/frame.ts';

export { expect } from '@playwright/test';

interface TestFixtures {
  /** The standalone host around the pages. */
  frame: Frame;
  /** Console errors and warnings that the page may log; any other fails the test. Failed requests are not errors here. */
  allowedErrors: RegExp[];
  clean: void;
  /** A bridge of the test's own, which the page then uses: what it counts and its channels are not cleared. */
  ownBridge: TestBridge;
}

interface WorkerFixtures {
  /** Whether tests/fixtures/exampleApp runs beside the plugin. */
  withExampleApp: boolean;
  bridge: TestBridge;
  console: RunningConsole;
}

/** Another version of Grafana's libraries, and the host that was built on them (see ../../hosts). */
const folder = process.env['NODEBELL_LIBRARIES'];
const otherHost = folder && { hostDir: path.join(folder, 'host'), libraries: folder };

/** Advances a page with `page.clock` installed, and waits until the requests that this caused have been sent. */
export async function advance(page: Page, ms: number): Promise<void> {
  await page.clock.runFor(ms);
  await page.evaluate(() => fetch('/api/login/ping').then((response) => response.text()));
}

/** The built plugin in the standalone host, in front of a real bridge. One of each per worker, cleared before each test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  bridge: [
    async ({}, use) => {
      const bridge = await TestBridge.start();
      await use(bridge);
      await bridge.dispose();
    },
    { scope: 'worker' },
  ],

  withExampleApp: [false, { option: true, scope: 'worker' }],

  console: [
    async ({ bridge, withExampleApp }, use, { workerIndex }) => {
      const app = path.join(import.meta.dirname, '../../../test-results', `example-oncall-app-${workerIndex}`);
      const otherApps = withExampleApp ? [await buildExampleApp(app)] : [];
      const options = { port: 0, bridgeUrl: bridge.url, bridgeToken: bridge.token, otherApps };
      const running = await startConsole({ ...options, ...otherHost });
      await use(running);
      await running.close();
    },
    { scope: 'worker' },
  ],

  clean: [
    async ({ bridge, console: { settings } }, use) => {
      if (!bridge.running) {
        await bridge.start();
      }
      await bridge.clear();
      settings.enabled = true;
      settings.jsonData = { bridgeUrl: bridge.url };
      settings.secureJsonData = { bridgeToken: bridge.token };
      await use();
    },
    { auto: true },
  ],

  ownBridge: async ({ clean: _, console: { settings } }, use) => {
    const bridge = await TestBridge.start();
    settings.jsonData = { bridgeUrl: bridge.url };
    settings.secureJsonData = { bridgeToken: bridge.token };
    await use(bridge);
    await bridge.dispose();
  },

  baseURL: async ({ console: { url } }, use) => use(url),

  allowedErrors: [[], { option: true }],

  context: async ({ context }, use) => {
    await use(context);
    // Responses that are still being rewritten no longer matter.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },

  page: async ({ page, allowedErrors }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (/^(error|warning)$/.test(message.type()) && !message.text().startsWith('Failed to load resource')) {
        errors.push(message.text());
      }
    });
    await use(page);
    if (!page.isClosed()) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    base.expect(errors.filter((error) => !allowedErrors.some((allowed) => allowed.test(error)))).toEqual([]);
  },

  frame: async ({ page }, use) => use(new Frame(page)),
});
