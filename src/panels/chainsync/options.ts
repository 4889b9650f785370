/** Options of the chain sync panel, stored in the dashboard's JSON. */
import { z } from 'zod';
import type { ChainNode } from '@nodebell/contract/chain.ts';
import { isStale, signOf, type Sign } from '../../chains/messages';
import { reading, strings } from '../../components/panelOptions';

const blocks = z.number().positive().optional().catch(undefined);

const optionsSchema = z.object({
  /** Package names; empty means all. */
  packages: strings,
  /** `list`: one row per node. `tiles`: one tile per node with a large value. */
  layout: z.enum(['list', 'tiles']).catch('list'),
  /** Blocks behind from which a node is shown as a warning; undefined: by its state only. */
  warningFrom: blocks,
  /** Blocks behind from which a node is shown as an error; undefined: by its state only. */
  errorFrom: blocks,
});
export type ChainsPanelOptions = z.output<typeof optionsSchema>;
export const readOptions = reading(optionsSchema);
export const DEFAULTS = readOptions({});

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
