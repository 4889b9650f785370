/** Whether a node is in sync, by its figures. Pure. */
import type { ChainLimits } from '../../../contract/chain.ts';
import { MINUTE_MS } from '../../../contract/time.ts';
import type { Figures } from './drivers/reading.ts';
import type { NodeRecord } from './nodeState.ts';

/**
 * A node that reports in sync is stalled after this many block times without a block. Where blocks come at random, as Bitcoin's,
 * e^-18 of the gaps are longer: one in a thousand years.
 */
const MISSING_BLOCKS = 18;

export interface Assessment extends Pick<NodeRecord, 'cause' | 'sentence'> {
  state: 'synced' | 'syncing' | 'stalled';
}

/**
 * @param allowed blocks behind that still count as in sync
 * @param recovering it was stalled, and too few steps forward have followed
 */
export function assess(
  node: NodeRecord,
  reading: Figures,
  now: number,
  limits: ChainLimits,
  allowed: number,
  recovering: boolean
): Assessment {
  const { current, target, unfinished } = reading;
  if (target !== undefined && target - current <= allowed && unfinished === undefined) {
    return blocksStopped(node, reading, now, limits)
      ? {
          state: 'stalled',
          cause: 'no-new-blocks',
          sentence: 'The node reports in sync, but has had no new block for longer than expected.',
        }
      : { state: 'synced', cause: undefined, sentence: 'In sync.' };
  }
  const still = now - node.progress.at >= limits.stalledMinutes * MINUTE_MS;
  if ((still || recovering) && unfinished !== 'state-download') {
    return { state: 'stalled', cause: undefined, sentence: 'Behind, with no sync progress.' };
  }
  return { state: 'syncing', ...SYNCING[unfinished ?? (target === undefined ? 'no-target' : 'blocks')] };
}

const SYNCING: Record<NonNullable<Figures['unfinished']> | 'blocks' | 'no-target', Omit<Assessment, 'state'>> = {
  blocks: { cause: undefined, sentence: 'Syncing.' },
  'no-target': { cause: 'no-target', sentence: 'Syncing. The node does not report the newest block of the chain.' },
  'initial-download': { cause: undefined, sentence: 'Downloading the chain.' },
  'state-download': { cause: 'state-download', sentence: 'Blocks are downloaded, the state download is in progress.' },
  unverified: {
    cause: 'unverified',
    sentence: 'Blocks are downloaded, but not verified by the execution client yet.',
  },
};

/** A node without peers, or without its consensus client, may still report in sync. Only for chains with a known block time. */
function blocksStopped(
  { identity, progress, ahead }: NodeRecord,
  { tipTime }: Figures,
  now: number,
  limits: ChainLimits
): boolean {
  if (identity.blockSeconds === undefined) {
    return false;
  }
  const longest = Math.max(limits.stalledMinutes * MINUTE_MS, MISSING_BLOCKS * identity.blockSeconds * 1000);
  return now - progress.at >= longest || (tipTime !== undefined && now + ahead - tipTime * 1000 >= longest);
}
