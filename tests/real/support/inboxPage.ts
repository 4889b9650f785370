/** The Inbox in a real browser: the built plugin in the standalone host, in front of the bridge. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { findChromium } from '../../../scripts/chromium.mjs';
import { type RunningConsole, startConsole } from '../../../standalone/server/console.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');

export class InboxPage {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #console: RunningConsole;
  /** Errors that the page threw. */
  readonly errors: string[] = [];

  private constructor(browser: Browser, page: Page, running: RunningConsole) {
    this.#browser = browser;
    this.#console = running;
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(error.stack ?? error.message));
  }

  /** @throws when the plugin is not built */
  static async open(bridge: { url: string; token: string }): Promise<InboxPage> {
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
    const inbox = new InboxPage(browser, page, running);
    await page.goto(`${running.url}/a/nodebell-notifications-app/inbox`);
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    return inbox;
  }

  /** The row of a thread, by its newest title. */
  row(title: string): Locator {
    return this.page.getByRole('row').filter({ hasText: title });
  }

  banner(title: string): Locator {
    return this.page.getByRole('region', { name: 'Banners' }).getByRole('status').filter({ hasText: title });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#console.close();
  }
}
