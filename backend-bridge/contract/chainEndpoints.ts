/**
 * The bridge's own alerts about a package that is a blockchain node: endpoints like those of a package's notifications file, so
 * that they have sliders and switches. An endpoint of the package with the same correlationId takes precedence.
 */
import type { Priority } from './notification.ts';

/** Kinds of nodes that the bridge can poll. `ethereum-beacon-chain` and its Prysm spelling use the same beacon API. */
export const CHAIN_DRIVERS = ['ethereum', 'bitcoin', 'monero', 'ethereum-beacon-chain'] as const;
export type ChainDriver = (typeof CHAIN_DRIVERS)[number];

/** The category of the bridge's own notifications about nodes. */
export const CHAIN_CATEGORY = 'chain';

/** correlationId of each alert; together with the package it identifies a thread. */
export const CHAIN_ENDPOINT_IDS = {
  behind: 'chain-behind',
  stalledMinutes: 'chain-stalled',
  unreachableMinutes: 'chain-unreachable',
  peers: 'chain-peers',
} as const;

/** Each alert has one limit, which is its threshold. */
export type ChainLimit = keyof typeof CHAIN_ENDPOINT_IDS;

/** An alert on a node: its endpoint on the Thresholds page. */
export interface ChainEndpoint {
  limit: ChainLimit;
  correlationId: string;
  title: string;
  /** Markdown. */
  description: string;
  category: typeof CHAIN_CATEGORY;
  priority: Priority;
  isBanner: boolean;
  enabled: boolean;
  /** The default. */
  threshold: number;
  metric: { min: number; max: number; unit: string };
}

/** Alerts common to all drivers. */
export const CHAIN_ALERTS: Record<
  ChainLimit,
  Pick<ChainEndpoint, 'title' | 'description' | 'priority' | 'isBanner'>
> = {
  behind: {
    title: 'Fell behind',
    description:
      'A node that was in sync is further behind than this, or not ready, for ten minutes. ' +
      'Up to this value it counts as in sync.',
    priority: 'medium',
    isBanner: false,
  },
  stalledMinutes: {
    title: 'No sync progress',
    description: 'A node that is behind or not ready has had no new block for this many minutes.',
    priority: 'high',
    isBanner: false,
  },
  unreachableMinutes: {
    title: 'Unreachable',
    description: 'No usable response from a node for this many minutes.',
    priority: 'high',
    isBanner: false,
  },
  peers: {
    title: 'Few peers',
    description: 'A node that reports its peers has had fewer than this for ten minutes.',
    priority: 'low',
    isBanner: false,
  },
};

/**
 * Blocks that a node may be behind and still count as in sync: the values that DAppNode uses for Ethereum (60), Bitcoin (3) and
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

/** @returns undefined for a chain that the bridge cannot poll */
export function driverOf(named: string): ChainDriver | undefined {
  return Object.hasOwn(SPELLINGS, named) ? SPELLINGS[named] : undefined;
}

/**
 * @param pkg the chain as in a package's summary
 * @returns empty for a package that is not a node, or of a chain that the bridge cannot poll
 */
export function chainEndpoints({ chain }: { chain?: { driver: string } | undefined }): ChainEndpoint[] {
  const driver = chain && driverOf(chain.driver);
  if (driver === undefined) {
    return [];
  }
  const { threshold, max, unit } = BEHIND[driver];
  return [
    endpoint('behind', threshold, { min: 0, max, unit }),
    endpoint('stalledMinutes', 10, { min: 1, max: 240, unit: 'min' }),
    endpoint('unreachableMinutes', 10, { min: 1, max: 240, unit: 'min' }),
    endpoint('peers', 5, { min: 0, max: 100, unit: 'peers' }),
  ];
}

function endpoint(limit: ChainLimit, threshold: number, metric: ChainEndpoint['metric']): ChainEndpoint {
  const correlationId = CHAIN_ENDPOINT_IDS[limit];
  return { limit, correlationId, category: CHAIN_CATEGORY, ...CHAIN_ALERTS[limit], enabled: true, threshold, metric };
}

/**
 * When an endpoint alerts, as the text next to its slider.
 * @param unit of its metric
 */
export function chainSentence(correlationId: string, value: number, unit?: string): string | undefined {
  const plural = value === 1 ? '' : 's';
  const sentences: Record<string, string> = {
    'chain-behind': `alerts above ${value} ${unit === 'slots' ? 'slot' : 'block'}${plural} behind`,
    'chain-stalled': `alerts after ${value} minute${plural} without progress`,
    'chain-unreachable': `alerts after ${value} minute${plural} without a response`,
    'chain-peers': `alerts below ${value} peer${plural}`,
  };
  return sentences[correlationId];
}
