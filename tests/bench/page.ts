/** From navigation to the first row of the inbox, in the stand-in, with an empty browser cache: time, and what is loaded for it. */
import { gzipSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import { startConsole } from '../../standalone/server/console.ts';
import { ADMIN_TOKEN, runBridge } from './bridge.ts';
import { launchBrowser } from './browser.ts';
import { percentile, table } from './table.ts';

const STORED = 1000;
const ROUNDS = 3;

interface Loaded {
  ms: number;
  /** Gzipped size by path, in bytes. */
  files: Map<string, number>;
}

/** Opens the inbox in a new browser context. */
async function open(browser: Browser, url: string): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const files = new Map<string, number>();
  const bodies: Promise<void>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.headers()['content-type']?.includes('event-stream')) {
      files.set(pathname, 0);
      return;
    }
    bodies.push(
      response.body().then(
        (body) => void files.set(pathname, (files.get(pathname) ?? 0) + gzipSync(body).length),
        () => undefined
      )
    );
  });
  const started = performance.now();
  await page.goto(`${url}/a/nodebell-notifications-app/inbox`, { waitUntil: 'commit' });
  await page.locator('[role=row][data-type=row]').first().waitFor();
  const ms = performance.now() - started;
  await Promise.all([...bodies]);
  await context.close();
  return { ms, files };
}

export async function page(): Promise<void> {
  const bridge = await runBridge();
  const running = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: ADMIN_TOKEN });
  for (let index = 0; index < STORED; index += 1) {
    const response = await fetch(`${bridge.url}/api/v1/notifications`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        title: `Notification ${index}`,
        body: 'A line of text.',
        category: 'other',
        dnpName: `package-${index % 20}.dnp.dappnode.eth`,
      }),
    });
    await response.arrayBuffer();
  }
  const browser = await launchBrowser();
  const rounds: Loaded[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await open(browser, running.url));
  }
  await browser.close();
  await running.close();
  await bridge.stop();

  const files = [...rounds.at(-1)!.files];
  const sum = (part: (path: string) => boolean): string[] => {
    const chosen = files.filter(([path]) => part(path));
    return [String(chosen.length), (chosen.reduce((bytes, [, size]) => bytes + size, 0) / 1000).toFixed(1)];
  };
  const ofPlugin = (path: string): boolean => path.startsWith('/public/plugins/');
  const ofApi = (path: string): boolean => path.startsWith('/api/');
  const time = percentile(
    rounds.map(({ ms }) => ms),
    50
  );
  console.log(`\n## First row of the inbox with ${STORED} stored: ${time.toFixed(0)} ms (median of ${ROUNDS})\n`);
  console.log(
    table(
      ['loaded until then', 'requests', 'kB gzipped'],
      [
        ['the plugin', ...sum(ofPlugin)],
        ['API', ...sum(ofApi)],
        ['the page around it', ...sum((path) => !ofPlugin(path) && !ofApi(path))],
      ]
    )
  );
}
