/** A page of the built plugin in a real browser, in the standalone host, with the bridge. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { findChromium } from '../../../scripts/chromium.mjs';
import { type RunningConsole, startConsole } from '../../../standalone/server/console.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
/** Only to detect hanging: monitors and nodes need seconds, and a busy machine more. */
const WAIT_MS = 90_000;

export class PluginPage {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #console: RunningConsole;
  /** Errors thrown by the page. */
  readonly errors: string[] = [];

  private constructor(browser: Browser, page: Page, running: RunningConsole) {
    this.#browser = browser;
    this.#console = running;
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(error.stack ?? error.message));
  }

  /**
   * @param name the heading of the page
   * @throws if the plugin is not built
   */
  static async open(bridge: { url: string; token: string }, name: 'Inbox' | 'Chains'): Promise<PluginPage> {
    if (!existsSync(path.join(ROOT, 'dist', 'module.js'))) {
      throw new Error(
        'The plugin is not built, so there is no page to look at: run `npm test` or `npm run build` first.'
      );
    }
    const running = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: bridge.token });
    const executablePath = findChromium();
    const browser = await chromium.launch({
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(WAIT_MS);
    const opened = new PluginPage(browser, page, running);
    await page.goto(`${running.url}/a/nodebell-notifications-app/${name.toLowerCase()}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    return opened;
  }

  /** The row of a thread, by its newest title; of a node, by its name. */
  row(text: string): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  banner(title: string): Locator {
    return this.page.getByRole('region', { name: 'Banners' }).getByRole('status').filter({ hasText: title });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#console.close();
  }
}
