/**
 * `npm run screenshots`: the pictures in docs/img, taken of the running product: a real bridge, the built plugin, a real
 * browser. The bridge's clock is set back while it receives, so that the list is not one of a single moment.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { pino } from 'pino';
import { startBridge } from '../../backend-bridge/src/bridge.ts';
import { readConfig } from '../../backend-bridge/src/config.ts';
import { findChromium } from '../../scripts/chromium.mjs';
import { startConsole } from '../../standalone/server/console.ts';
import { startNodesScene } from './support/nodesScene.ts';
import { seedThresholds } from './support/thresholdsSeed.ts';
import { Inbox } from './views/inbox.ts';
import { Thresholds } from './views/thresholds.ts';

const IMAGES = path.join(import.meta.dirname, '..', '..', 'docs', 'img');
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const DISK = `Packages are stopped when less than **1 GB** is free.

The volume fills by about 1.2 GB an hour. What takes the space:

- \`geth.dnp.dappnode.eth\`: 812 GB of chain data
- \`lighthouse.dnp.dappnode.eth\`: 148 GB
- backups of last month: 21 GB

Old images can be removed without loss:

\`\`\`sh
docker image prune --all --filter "until=720h"
\`\`\``;

interface Sent {
  /** How long before now it arrived, in milliseconds. */
  ago: number;
  /** It has been read. */
  seen?: boolean;
  [member: string]: unknown;
}

const dms = { dnpName: 'dms.dnp.dappnode.eth', category: 'hardware' };
const geth = { dnpName: 'geth.dnp.dappnode.eth', category: 'ethereum' };
const lighthouse = { dnpName: 'lighthouse.dnp.dappnode.eth', category: 'ethereum' };
const gnosis = { dnpName: 'nethermind-xdai.dnp.dappnode.eth', category: 'gnosis' };
const core = { dnpName: 'core.dnp.dappnode.eth', category: 'system' };

const disk = {
  ...dms,
  correlationId: 'core-disk-usage',
  priority: 'critical',
  isBanner: true,
  callToAction: { title: 'Free up space', url: 'http://dappmanager.dappnode' },
};
const temperature = { ...dms, correlationId: 'dms-host-temperature', priority: 'high' };
const peers = { ...geth, correlationId: 'geth-peers', priority: 'medium' };
const attestations = { ...lighthouse, correlationId: 'lighthouse-attestations', priority: 'high' };
const sync = { ...gnosis, correlationId: 'gnosis-sync', priority: 'medium' };

/** Oldest first. */
const NOTIFICATIONS: Sent[] = [
  {
    ...core,
    ago: 52 * HOUR,
    seen: true,
    title: 'Update to 0.3.1 is installed',
    body: 'All packages are running again.',
  },
  {
    ...sync,
    ago: 30 * HOUR,
    seen: true,
    status: 'triggered',
    title: 'Gnosis node is behind',
    body: '1,204 blocks behind the chain.',
  },
  {
    ...sync,
    ago: 28 * HOUR,
    seen: true,
    status: 'resolved',
    title: 'Gnosis node has caught up',
    body: 'Synced at block 43,120,557.',
  },
  {
    ...temperature,
    ago: 26 * HOUR,
    seen: true,
    status: 'triggered',
    title: 'CPU at 91 °C',
    body: 'It alerts above 85 °C.',
  },
  {
    ...temperature,
    ago: 25 * HOUR,
    seen: true,
    status: 'resolved',
    title: 'CPU is cool again',
    body: '62 °C for ten minutes.',
  },
  {
    ...disk,
    ago: 5 * HOUR,
    seen: true,
    priority: 'high',
    status: 'triggered',
    title: 'Only 10 GB of disk space left',
    body: '10.1 GB of 1.9 TB are free.',
  },
  {
    ...attestations,
    ago: 4 * HOUR,
    status: 'triggered',
    title: '3 attestations missed',
    body: 'Validator 412,907 missed the slots of epoch 318,022.',
  },
  {
    ...attestations,
    ago: 3.5 * HOUR,
    status: 'resolved',
    title: 'Attestations are in time again',
    body: 'The last 32 were included.',
  },
  {
    ...disk,
    ago: 2 * HOUR,
    seen: true,
    priority: 'high',
    status: 'triggered',
    title: 'Only 7 GB of disk space left',
    body: '7.2 GB of 1.9 TB are free.',
  },
  {
    ...core,
    ago: 95 * MINUTE,
    title: 'A new version of Geth is out',
    body: 'Version 1.14.12 mends a leak of memory. It is installed tonight.',
  },
  {
    ...peers,
    ago: 50 * MINUTE,
    status: 'triggered',
    title: 'Geth has 2 peers',
    body: 'It alerts below 10 peers. Is port 30303 open?',
  },
  {
    dnpName: 'backup.public.dappnode.eth',
    category: 'backup',
    ago: 31 * MINUTE,
    title: 'Nightly backup is done',
    body: '14 packages, 1.8 GB in 4 min 12 s.',
  },
  {
    ...gnosis,
    correlationId: 'gnosis-proposal',
    priority: 'medium',
    ago: 18 * MINUTE,
    title: 'Block 43,127,300 proposed',
    body: 'Reward: 0.021 GNO.',
  },
  { ...disk, ago: 12 * MINUTE, status: 'triggered', title: 'Only 4.6 GB of disk space left', body: DISK },
];

async function seed(): Promise<{ url: string; token: string; diskId: number; close: () => Promise<void> }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'nodebell-screenshots-'));
  const config = readConfig({
    NODEBELL_PORT: '0',
    NODEBELL_DATA_DIR: dataDir,
    NODEBELL_LOG_LEVEL: 'warn',
    NODEBELL_GATUS_CONFIG: path.join(dataDir, 'gatus.yaml'),
  });
  let ago = 0;
  const bridge = await startBridge(config, pino({ level: 'warn' }), () => Date.now() - ago);
  const token = readFileSync(path.join(dataDir, 'admin-token'), 'utf8').trim();
  const call = async (method: string, where: string, body: unknown): Promise<{ id: number }> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const answer = await fetch(`${bridge.url}/api/v1${where}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) {
      throw new Error(`${method} ${where} was answered ${answer.status}: ${await answer.text()}`);
    }
    return (await answer.json()) as { id: number };
  };
  const read: number[] = [];
  let diskId = 0;
  for (const { ago: before, seen, ...payload } of NOTIFICATIONS) {
    ago = before;
    const { id } = await call('POST', '/notifications', payload);
    diskId = id;
    if (seen) {
      read.push(id);
    }
  }
  ago = 0;
  await call('PUT', '/notifications/seen', { ids: read, seen: true });
  await seedThresholds(call);
  return {
    url: bridge.url,
    token,
    diskId,
    async close() {
      await bridge.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

mkdirSync(IMAGES, { recursive: true });
const executablePath = findChromium();
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  ...(executablePath && { executablePath }),
});
const nodes = await startNodesScene();
try {
  for (const theme of ['dark', 'light'] as const) {
    // A bridge of its own for each: what is shown for a second has been read.
    const bridge = await seed();
    const console = await startConsole({ port: 0, bridgeUrl: bridge.url, bridgeToken: bridge.token });
    const shoot = async (
      name: string,
      viewport: { width: number; height: number },
      open: (page: Page) => Promise<void>
    ) => {
      const context = await browser.newContext({ viewport, baseURL: console.url, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await open(page);
      // Icons are files of their own.
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: path.join(IMAGES, `${name}-${theme}.png`), animations: 'disabled' });
      await context.close();
    };
    const inbox = (query: string) => async (page: Page) => {
      const view = new Inbox(page);
      await view.open(query, { theme });
      await view.row('Geth has 2 peers').first().waitFor();
      await view.rest();
    };
    const thresholds = async (page: Page) => {
      const view = new Thresholds(page);
      await view.open('', { theme });
      await view.endpoint('dms-cpu').getByText('Gatus applied').waitFor();
    };
    await shoot('inbox-phone', PHONE, inbox(''));
    await shoot('inbox', DESKTOP, inbox(`id=${bridge.diskId}`));
    await shoot('thresholds-phone', PHONE, thresholds);
    await shoot('thresholds', DESKTOP, thresholds);
    const there = (where: string, ready: string) => async (page: Page) => {
      await page.goto(`${nodes.url}/a/nodebell-notifications-app/${where}?theme=${theme}`);
      await page.locator(ready).first().waitFor();
    };
    for (const [suffix, size] of [
      ['', DESKTOP],
      ['-phone', PHONE],
    ] as const) {
      await shoot(`packages${suffix}`, size, there('packages', '[role=progressbar]'));
      await shoot(`chains${suffix}`, size, there('chains', '[role=progressbar]'));
    }
    await console.close();
    await bridge.close();
  }
} finally {
  await nodes.close();
  await browser.close();
}
