/**
 * What the bridge itself notifies of for a package that is a node of a chain: endpoints like those of the package's own file,
 * so that they have sliders and switches. A package's own endpoint of the same correlationId comes first.
 */
import type { ChainDriver, ChainLimits } from './chain.ts';
import type { Priority } from './notification.ts';

/** The category of the bridge's own notifications about nodes. */
export const CHAIN_CATEGORY = 'chain';

/** correlationId of each kind; a thread is this and the package. */
export const CHAIN_ENDPOINT_IDS = {
  behind: 'chain-behind',
  stalledMinutes: 'chain-stalled',
  unreachableMinutes: 'chain-unreachable',
  peers: 'chain-peers',
} as const satisfies Record<keyof ChainLimits, string>;

export interface ChainEndpoint {
  /** Which limit of {@link ChainLimits} its threshold is. */
  limit: keyof ChainLimits;
  correlationId: string;
  title: string;
  /** Markdown. */
  description: string;
  category: typeof CHAIN_CATEGORY;
  priority: Priority;
  isBanner: boolean;
  enabled: boolean;
  /** As it is shipped. */
  threshold: number;
  metric: { min: number; max: number; unit: string };
}

/**
 * Blocks that a node may lack and still count as in sync: what the real system allows for Ethereum (60), Bitcoin (3) and
 * Monero (15); beacon chains count slots.
 */
const BEHIND: Record<ChainDriver, { threshold: number; max: number; unit: string }> = {
  ethereum: { threshold: 60, max: 1000, unit: 'blocks' },
  'ethereum-beacon-chain': { threshold: 60, max: 1000, unit: 'slots' },
  bitcoin: { threshold: 3, max: 100, unit: 'blocks' },
  monero: { threshold: 15, max: 500, unit: 'blocks' },
};

/** Other spellings of a driver in manifests. */
const SPELLINGS: Record<string, ChainDriver> = {
  ethereum: 'ethereum',
  bitcoin: 'bitcoin',
  monero: 'monero',
  'ethereum-beacon-chain': 'ethereum-beacon-chain',
  'ethereum2-beacon-chain-prysm': 'ethereum-beacon-chain',
};

/** @returns undefined for a chain that the bridge cannot ask */
export function driverOf(named: string): ChainDriver | undefined {
  return Object.hasOwn(SPELLINGS, named) ? SPELLINGS[named] : undefined;
}

/**
 * @param pkg the chain as a package's summary tells it
 * @returns empty for a package that is no node, or of a chain that the bridge cannot ask
 */
export function chainEndpoints({ chain }: { chain?: { driver: string } | undefined }): ChainEndpoint[] {
  const driver = chain && driverOf(chain.driver);
  if (driver === undefined) {
    return [];
  }
  const { threshold, max, unit } = BEHIND[driver];
  return [
    endpoint('behind', 'Fell behind', threshold, { min: 0, max, unit }, 'medium', FELL_BEHIND),
    endpoint('stalledMinutes', 'No progress', 10, { min: 1, max: 240, unit: 'min' }, 'high', NO_PROGRESS),
    endpoint('unreachableMinutes', 'No answer', 10, { min: 1, max: 240, unit: 'min' }, 'high', NO_ANSWER),
    endpoint('peers', 'Few peers', 5, { min: 0, max: 100, unit: 'peers' }, 'low', FEW_PEERS),
  ];
}

const FELL_BEHIND =
  'For ten minutes, a node that was in sync lacks more blocks than this, or says that it is not ready. ' +
  'Up to this many it counts as in sync.';
const NO_PROGRESS = 'A node that is behind or says that it is not ready gets no new block for so many minutes.';
const NO_ANSWER = 'A node gives no usable answer for so many minutes.';
const FEW_PEERS = 'A node has fewer peers than this for ten minutes, where it tells how many it has.';

function endpoint(
  limit: keyof ChainLimits,
  title: string,
  threshold: number,
  metric: ChainEndpoint['metric'],
  priority: Priority,
  description: string
): ChainEndpoint {
  const correlationId = CHAIN_ENDPOINT_IDS[limit];
  return {
    limit,
    correlationId,
    title,
    description,
    category: CHAIN_CATEGORY,
    priority,
    isBanner: false,
    enabled: true,
    threshold,
    metric,
  };
}

/** When an endpoint alerts, for the words beside its slider. */
export function chainSentence(correlationId: string, value: number): string | undefined {
  const unit = value === 1 ? '' : 's';
  const sentences: Record<string, string> = {
    'chain-behind': `alerts above ${value} behind`,
    'chain-stalled': `alerts after ${value} minute${unit} without progress`,
    'chain-unreachable': `alerts after ${value} minute${unit} without an answer`,
    'chain-peers': `alerts below ${value} peer${unit}`,
  };
  return sentences[correlationId];
}
