/**
 * From navigation to the first row of the inbox, with an empty browser cache, in the stand-in or in the Grafana at GRAFANA_URL: time, and
 * what is loaded for it.
 */
import { gzipSync } from 'node:zlib';
import type { Browser } from '@playwright/test';
import plugin from '../../plugin.json' with { type: 'json' };
import { type Host, openHost } from '../e2e/support/hosts.ts';
import { ADMIN_TOKEN, runBridge } from './bridge.ts';
import { launchBrowser } from './browser.ts';
import { median, table } from './table.ts';

const STORED = 1000;
const ROUNDS = 3;

interface Loaded {
  ms: number;
  /** From the first request for a file of the plugin, in ms. */
  ownMs: number;
  /** Each request with its gzipped size in bytes. */
  files: [path: string, size: number][];
}

/** Opens the inbox in a new browser context. */
async function open(browser: Browser, { url, storageState }: Host): Promise<Loaded> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(storageState && { storageState }),
  });
  const page = await context.newPage();
  const bodies: [path: string, body: Promise<Buffer | undefined>][] = [];
  let ownStart = 0;
  page.on('request', (request) => {
    ownStart ||= ofPlugin(new URL(request.url()).pathname) ? performance.now() : 0;
  });
  page.on('response', (response) => {
    const isStream = response.headers()['content-type']?.includes('event-stream');
    const body = isStream ? Promise.resolve(undefined) : response.body().catch(() => undefined);
    bodies.push([new URL(response.url()).pathname, body]);
  });
  const started = performance.now();
  await page.goto(`${url}/a/${plugin.id}/inbox`, { waitUntil: 'commit' });
  await page.locator('[role=row][data-type=row]').first().waitFor();
  const ended = performance.now();
  const loaded = bodies.map(async ([path, body]): Promise<[string, number]> => {
    const bytes = await body;
    return [path, bytes?.length ? gzipSync(bytes).length : 0];
  });
  const files = await Promise.all(loaded);
  await context.close();
  return { ms: ended - started, ownMs: ended - ownStart, files };
}

const ofPlugin = (path: string): boolean => path.startsWith('/public/plugins/nodebell-');
const ofApi = (path: string): boolean => path.startsWith(`/api/plugin-proxy/${plugin.id}/`);

export async function page(): Promise<void> {
  const bridge = await runBridge();
  const host = await openHost({ url: bridge.url, token: ADMIN_TOKEN });
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
    rounds.push(await open(browser, host));
  }
  await browser.close();
  await host.close();
  await bridge.stop();

  const { files } = rounds.at(-1)!;
  const sum = (part: (path: string) => boolean): string[] => {
    const chosen = files.filter(([path]) => part(path));
    return [String(chosen.length), (chosen.reduce((bytes, [, size]) => bytes + size, 0) / 1000).toFixed(1)];
  };
  const time = median(rounds.map(({ ms }) => ms)).toFixed(0);
  const own = median(rounds.map(({ ownMs }) => ownMs)).toFixed(0);
  console.log(
    `\n## First row of the inbox with ${STORED} stored: ${time} ms, of them ${own} ms since the first request for the plugin ` +
      `(medians of ${ROUNDS})\n`
  );
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
