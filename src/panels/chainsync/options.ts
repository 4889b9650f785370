/** What an editor of a dashboard chooses for the chain sync panel; dashboards keep it as JSON. */
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { isSilent, signOf, type Sign } from '../../chains/words';

export interface ChainsPanelOptions {
  /** Names of packages; none means all. */
  packages: string[];
  /** `list`: a line each. `tiles`: a block each, with its figure large. */
  layout: 'list' | 'tiles';
  /** From so many blocks behind a node is shown as a warning; undefined: as the bridge judges it. */
  warningFrom: number | undefined;
  /** From so many blocks behind a node is shown as an error. */
  errorFrom: number | undefined;
}

export const DEFAULTS: ChainsPanelOptions = {
  packages: [],
  layout: 'list',
  warningFrom: undefined,
  errorFrom: undefined,
};

/** Options as they stand in a dashboard, which anybody may have written by hand. */
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

export interface Judged extends Sign {
  /** The editor's limits say more than the state: how many blocks are lacking has to be told. */
  beyond: boolean;
}

/** The sign of a node under the editor's limits. They make it worse, never better than the bridge says. */
export function judge(node: ChainNode, { warningFrom, errorFrom }: ChainsPanelOptions): Judged {
  const sign = signOf(node);
  const { behind } = node;
  if (behind !== undefined && !isSilent(node) && sign.tone !== 'error') {
    if (errorFrom !== undefined && behind >= errorFrom) {
      return { icon: 'exclamation-circle', tone: 'error', beyond: true };
    }
    if (warningFrom !== undefined && behind >= warningFrom && sign.tone !== 'warning') {
      return { icon: 'exclamation-triangle', tone: 'warning', beyond: true };
    }
  }
  return { ...sign, beyond: false };
}
