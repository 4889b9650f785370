/** The time from the acknowledgement of a send to its row on the page, with ten pages of one browser open. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { startConsole } from '../../standalone/server/console.ts';
import { ADMIN_TOKEN, runBridge } from './bridge.ts';
import { launchBrowser } from './browser.ts';
import { percentile, table } from './table.ts';

const PAGES = 10;
const SENDS = 100;
const GAP_MS = 150;
/** Records in each page when a row whose title starts with "live" first appears. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = new Map<string, number>();
    Object.assign(window, { liveSeen: seen });
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('[role=row][data-type=row] [title^="live "]')) {
        const title = element.getAttribute('title') ?? '';
        if (!seen.has(title)) {
          seen.set(title, Date.now());
        }
      }
    }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
  });
}

const readSeen = (page: Page): Promise<[string, number][]> =>
  page.evaluate(() => [...(window as unknown as { liveSeen: Map<string, number> }).liveSeen]);

export async function live(): Promise<void> {
  const bridge = await runBridge();
  const running = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: ADMIN_TOKEN });
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const send = (title: string): Promise<Response> =>
    fetch(`${bridge.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title, body: 'A line of text.', category: 'other', dnpName: 'live.dnp.dappnode.eth' }),
    });
  await send('before');
  const pages = await Promise.all(Array.from({ length: PAGES }, () => context.newPage()));
  for (const page of pages) {
    await page.goto(`${running.url}/a/nodebell-notifications-app/inbox`);
    await page.locator('[role=row][data-type=row]').first().waitFor();
    await watch(page);
  }
  await new Promise((resolve) => setTimeout(resolve, 3000));

  const acknowledged = new Map<string, number>();
  for (let count = 0; count < SENDS; count += 1) {
    const title = `live ${count}`;
    await (await send(title)).arrayBuffer();
    acknowledged.set(title, Date.now());
    await new Promise((resolve) => setTimeout(resolve, GAP_MS));
  }
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const delays = (await Promise.all(pages.map(readSeen))).map((seen) =>
    seen.map(([title, at]) => at - acknowledged.get(title)!)
  );
  await browser.close();
  await running.close();
  await bridge.stop();

  const all = delays.flat();
  console.log(
    `\n## From acknowledged to visible (milliseconds, ${SENDS} sends, ${PAGES} pages of one browser open, limit 150 at p95)\n`
  );
  console.log(
    table(
      ['pages', 'rows seen', 'p50', 'p95', 'max'],
      [
        ['the page in front', String(delays.at(-1)!.length), ...summary(delays.at(-1)!)],
        [`all ${PAGES}`, String(all.length), ...summary(all)],
      ]
    )
  );
}

const summary = (values: number[]): string[] =>
  [percentile(values, 50), percentile(values, 95), Math.max(...values)].map((value) => value.toFixed(0));

/** Files that a browser loads before any page of the plugin is opened. */
export function size(): void {
  const file = join(import.meta.dirname, '../../dist/module.js');
  if (!existsSync(file)) {
    throw new Error('build the plugin first: npm run build');
  }
  const bytes = gzipSync(readFileSync(file)).length;
  console.log(
    `\n## Size\n\nFirst download of the plugin (module.js, gzipped): ${(bytes / 1000).toFixed(1)} kB (limit 60)`
  );
}
