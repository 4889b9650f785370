/**
 * An inbox that shows what there is to show, for pictures. The bridge's clock is set back while it receives, so that the list is
 * not one of a single moment.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startBridge } from '../../../backend-bridge/src/bridge.ts';
import { readConfig } from '../../../backend-bridge/src/config.ts';
import { seedThresholds } from './thresholdsSeed.ts';

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
  /** Age on arrival, in milliseconds. */
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

/** Added last, so nothing is sent to them. */
const CHANNELS = [
  {
    name: 'mail',
    type: 'email',
    host: 'mail.example.org',
    from: 'nodebell@example.org',
    to: ['ops@example.org'],
  },
  {
    name: 'phone',
    type: 'ntfy',
    topic: 'example-alerts',
    quietHours: [{ days: ['mon-fri'], from: '22:00', to: '07:00', zone: 'Europe/Berlin' }],
    passing: 'critical',
  },
  { name: 'team', type: 'telegram', token: '123456789:example', chatId: '-1001234567890' },
];
const ROUTES = [
  { channels: ['team'], priority: 'critical', unacknowledged: '15m', continue: true },
  { channels: ['phone'], priority: 'high', categories: ['hardware', 'ethereum'], continue: true },
  { channels: ['mail'], digest: 'daily 08:00 Europe/Berlin' },
];

/** A bridge of its own, with notifications, packages, thresholds and channels. */
export async function startInboxScene(): Promise<{
  url: string;
  token: string;
  diskId: number;
  close: () => Promise<void>;
}> {
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
    return (answer.status === 204 ? undefined : await answer.json()) as { id: number };
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
  for (const channel of CHANNELS) {
    await call('POST', '/channels', channel);
  }
  await call('PUT', '/routes', { routes: ROUTES });
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
