/** Options of the chain sync panel, stored in the dashboard's JSON. */
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { isStale, signOf, type Sign } from '../../chains/messages';

export interface ChainsPanelOptions {
  /** Package names; empty means all. */
  packages: string[];
  /** `list`: one row per node. `tiles`: one tile per node with a large value. */
  layout: 'list' | 'tiles';
  /** Blocks behind from which a node is shown as a warning; undefined: by its state only. */
  warningFrom: number | undefined;
  /** Blocks behind from which a node is shown as an error; undefined: by its state only. */
  errorFrom: number | undefined;
}

export const DEFAULTS: ChainsPanelOptions = {
  packages: [],
  layout: 'list',
  warningFrom: undefined,
  errorFrom: undefined,
};

/** Reads the options of a dashboard, which can be edited by hand; invalid values become defaults. */
export function readOptions(options: unknown): ChainsPanelOptions {
  const given: Partial<Record<keyof ChainsPanelOptions, unknown>> =
    typeof options === 'object' && options !== null ? options : {};
  return {
    packages: Array.isArray(given.packages) ? given.packages.filter((name) => typeof name === 'string') : [],
    layout: given.layout === 'tiles' ? 'tiles' : 'list',
    warningFrom: readCount(given.warningFrom),
    errorFrom: readCount(given.errorFrom),
  };
}

const readCount = (value: unknown) => (typeof value === 'number' && value > 0 ? value : undefined);

export interface NodeStatus extends Sign {
  /** A limit of the panel raised the severity above that of the state, so the blocks behind are shown. */
  exceedsLimit: boolean;
}

/** Icon and tone of a node under the panel's limits, which only ever raise the severity. */
export function toNodeStatus(node: ChainNode, { warningFrom, errorFrom }: ChainsPanelOptions): NodeStatus {
  const sign = signOf(node);
  const { behind } = node;
  if (behind !== undefined && !isStale(node) && sign.tone !== 'error') {
    if (errorFrom !== undefined && behind >= errorFrom) {
      return { icon: 'exclamation-circle', tone: 'error', exceedsLimit: true };
    }
    if (warningFrom !== undefined && behind >= warningFrom && sign.tone !== 'warning') {
      return { icon: 'exclamation-triangle', tone: 'warning', exceedsLimit: true };
    }
  }
  return { ...sign, exceedsLimit: false };
}
