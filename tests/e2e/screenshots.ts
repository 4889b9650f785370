/**
 * `npm run screenshots`: the pictures in docs/img, taken of the running product: a real bridge, the built plugin, a real
 * browser. Each page and each panel, dark and light, on a wide screen and on a phone (docs/use-the-inbox.md). With GRAFANA_URL in that
 * Grafana, whose app uses the bridges of this script meanwhile; otherwise in the stand-in.
 * `npm run screenshots -- dark` takes those of one theme.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.mjs';
import { type Host, openHost } from './support/hosts.ts';
import { startInboxScene } from './support/inboxScene.ts';
import { startNodesScene } from './support/nodesScene.ts';
import { ConfigPage } from './views/config.ts';
import { Inbox } from './views/inbox.ts';
import { Thresholds } from './views/thresholds.ts';

const IMAGES = path.join(import.meta.dirname, '..', '..', 'docs', 'img');
const APP = 'nodebell-notifications-app';
/** A cell of a dashboard on a wide screen, and all of a phone. */
const SIZES = [
  { suffix: '', viewport: { width: 1440, height: 900 }, columns: 11 },
  { suffix: '-phone', viewport: { width: 390, height: 844 }, columns: 24 },
] as const;
type Size = (typeof SIZES)[number];

interface Shot {
  name: string;
  open: (page: Page, size: Size, host: Host) => Promise<unknown>;
  /** Only the panel; otherwise the whole page. */
  panel?: boolean;
}

const THEMES = ['dark', 'light'] as const;
type Theme = (typeof THEMES)[number];

/** Pages and panels that live of notifications and thresholds. */
function inboxShots(theme: Theme, diskId: number): Shot[] {
  const inbox = async (page: Page, { suffix }: Size) => {
    // A notification shown for a second is marked as read, which hides its banner.
    await page.addInitScript(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
    const view = new Inbox(page);
    await view.open(suffix ? '' : `id=${diskId}`, { theme });
    await view.row('Geth has 2 peers').first().waitFor();
    await view.rest();
  };
  const thresholds = async (page: Page) => {
    const view = new Thresholds(page);
    await view.open('', { theme });
    await view.endpoint('dms-cpu').getByText('Gatus applied').waitFor();
  };
  const report = async (page: Page) => {
    await page.goto(`/a/${APP}/report?weeks=4&theme=${theme}`);
    await page.getByRole('table', { name: 'Noisiest alerts' }).waitFor();
  };
  const channels = async (page: Page) => {
    await page.goto(`/a/${APP}/channels?theme=${theme}`);
    await page.getByRole('listitem', { name: 'team' }).waitFor();
  };
  const config = async (page: Page) => {
    const view = new ConfigPage(page);
    await view.open({ theme });
    await view.result.getByText('Connected').waitFor();
  };
  return [
    { name: 'inbox', open: inbox },
    { name: 'thresholds', open: thresholds },
    { name: 'report', open: report },
    { name: 'channels', open: channels },
    { name: 'config', open: config },
    { name: 'panel-inbox', ...panel(theme, 'nodebell-inbox-panel', 'Inbox', 'li') },
    {
      name: 'panel-thresholds',
      ...panel(theme, 'nodebell-thresholds-panel', 'Thresholds', 'input[type=range], [role=slider]'),
    },
  ];
}

/** Pages and panels that live of packages and nodes. */
function nodesShots(theme: Theme): Shot[] {
  const there = (where: string, ready: string) => async (page: Page) => {
    await page.goto(`/a/${APP}/${where}?theme=${theme}`);
    await page.locator(ready).first().waitFor();
  };
  const step = async (page: Page) => {
    await page.goto(`/a/${APP}/packages/add?theme=${theme}`);
    await page.getByRole('textbox').first().waitFor();
  };
  return [
    { name: 'packages', open: there('packages', '[role=progressbar]') },
    { name: 'package', open: there('packages/dms.dnp.dappnode.eth', 'h2, h3') },
    { name: 'package-add', open: step },
    { name: 'chains', open: there('chains', '[role=progressbar]') },
    { name: 'panel-packages', ...panel(theme, 'nodebell-packages-panel', 'Packages', 'a') },
    { name: 'panel-chains', ...panel(theme, 'nodebell-chainsync-panel', 'Chain sync', '[role=progressbar]') },
  ];
}

function panel(theme: Theme, id: string, title: string, ready: string): Omit<Shot, 'name'> {
  const open = async (page: Page, { columns }: Size, host: Host) => {
    await page.goto(await host.openPanel({ id, title, columns, theme }));
    await page.locator(host.panelPart).locator(ready).first().waitFor();
  };
  return { open, panel: true };
}

async function shoot(browser: Browser, host: Host, theme: Theme, shots: Shot[]): Promise<void> {
  const { url: baseURL, storageState, panelPart } = host;
  for (const { name, open, panel } of shots) {
    for (const size of SIZES) {
      const context = await browser.newContext({
        ...{ viewport: size.viewport, baseURL, reducedMotion: 'reduce' },
        ...(storageState && { storageState }),
      });
      const page = await context.newPage();
      await open(page, size, host);
      // Icons are files of their own.
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
      await page.evaluate(() => document.fonts.ready);
      const file = path.join(IMAGES, `${name}${size.suffix}-${theme}.png`);
      const options = { path: file, animations: 'disabled' } as const;
      await (panel ? page.locator(panelPart).first().screenshot(options) : page.screenshot(options));
      await context.close();
    }
  }
}

mkdirSync(IMAGES, { recursive: true });
const executablePath = findChromium();
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  ...(executablePath && { executablePath }),
});
const nodes = await startNodesScene();
try {
  for (const theme of THEMES.filter((one) => process.argv.length < 3 || process.argv.includes(one))) {
    // A bridge of its own for each: what is shown for a second has been read.
    const inbox = await startInboxScene();
    const first = await openHost(inbox);
    await shoot(browser, first, theme, inboxShots(theme, inbox.diskId));
    await first.close();
    await inbox.close();
    const second = await openHost(nodes);
    await shoot(browser, second, theme, nodesShots(theme));
    await second.close();
  }
} finally {
  await nodes.close();
  await browser.close();
}
