/** SIGKILL under load of two bridges, of which the lower one sends what it receives to the upper one (docs/channels.md). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelList } from '../../backend-bridge/contract/channel.ts';
import { anotherMoment, killable, type KillableBridge, progressOf, SENDERS, until } from './kills.ts';
import { startSenders } from './senders.ts';
import { compare, recount, storedTitles } from './stored.ts';

const TOKEN = 'the-token-of-the-lower-bridge';
/** Pause of each sender: the moment of the kill matters, not the load. */
const PAUSE_MS = 20;
/** The link is down until so many wait at least: more than one request takes. */
const WAITING = 250;

export interface Link {
  /** Kills of the lower and the upper bridge, in turn. */
  kills: number;
  onKill?: (done: number, acknowledged: number) => void;
  /** Ends it before that, with the result so far. */
  isOver?: () => boolean;
  /** The bridges do not get the signals of the terminal. Default: false */
  detached?: boolean;
}

export interface LinkResult {
  kills: { lower: number; upper: number };
  acknowledged: number;
  mistakes: string[];
}

export async function proveLink({ kills, onKill, isOver = () => false, detached = false }: Link): Promise<LinkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'nodebell-link-'));
  const make = (name: 'lower' | 'upper', file: string): Promise<KillableBridge> => {
    const files = join(folder, `${name}-files`);
    mkdirSync(files);
    writeFileSync(join(files, 'link.yaml'), `apiVersion: 1\n${file}`);
    const settings = { NODEBELL_PROVISIONING_DIR: files, NODEBELL_LOG_LEVEL: 'silent' };
    return killable({ name, dataDir: join(folder, name), settings, detached });
  };
  const upper = await make('upper', `senders: [{ name: lower, token: ${TOKEN}, node: lower }]\n`);
  const channel = `{ name: up, type: nodebell, url: '${upper.url}', token: ${TOKEN}, node: lower }`;
  const lower = await make('lower', `channels: [${channel}]\nroutes: [{ channels: [up] }]\n`);
  const killed = { lower: 0, upper: 0 };
  try {
    await upper.start();
    await lower.start();
    const senders = startSenders({ urls: [lower.url], senders: SENDERS, pauseMs: PAUSE_MS });
    for (let round = 0; round < kills && !isOver(); round += 1) {
      await progressOf(senders);
      await anotherMoment(round);
      if (round % 2 === 0) {
        await lower.kill();
        await lower.start();
        killed.lower += 1;
      } else {
        await upper.kill();
        const stuck = (): string => 'nothing waits at the lower bridge, though the upper one is down';
        await until(async () => (await stateOf(lower)).waiting >= WAITING, stuck);
        await upper.start();
        killed.upper += 1;
      }
      onKill?.(round + 1, senders.acknowledged.length);
    }
    await progressOf(senders);
    await senders.end();
    await until(
      async () => (await stateOf(lower)).waiting === 0,
      () => 'what waits at the lower bridge is not sent'
    );
    const { failed } = await stateOf(lower);
    const mistakes: string[] = failed === 0 ? [] : [`${failed} undelivered`];
    for (const bridge of [lower, upper]) {
      const found = await compare((path) => bridge.get(path), senders.acknowledged);
      mistakes.push(...found.map((mistake) => `${bridge.name}: ${mistake}`));
    }
    mistakes.push(...outOfOrder(await storedTitles((path) => upper.get(path))));
    await Promise.all([lower.stop(), upper.stop()]);
    for (const { name } of [lower, upper]) {
      const found = await recount(join(folder, name, 'nodebell.db'));
      mistakes.push(...found.map((mistake) => `${name}: ${mistake}`));
    }
    return { kills: killed, acknowledged: senders.acknowledged.length, mistakes };
  } finally {
    await Promise.all([lower.stop(), upper.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stateOf(lower: KillableBridge): Promise<{ waiting: number; failed: number }> {
  const { channels } = (await (await lower.get('/api/v1/channels')).json()) as ChannelList;
  const { waiting, undelivered } = channels[0]!;
  return { waiting, failed: undelivered };
}

/** Each sender counts its notifications. @param titles newest first */
function outOfOrder(titles: readonly string[]): string[] {
  const next = new Map<string, number>();
  const wrong = titles.filter((title) => {
    const [sender = '', count = ''] = title.split('/');
    const later = next.get(sender);
    next.set(sender, Number(count));
    return later !== undefined && later !== Number(count) + 1;
  });
  return wrong.length === 0 ? [] : [`upper: ${wrong.length} out of order, such as ${wrong[0]}`];
}
