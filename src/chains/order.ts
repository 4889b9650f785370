/** Filters and order of the node list. */
import type { ChainNode, ChainState } from '@nodebell/contract/chain.ts';
import { finder } from '../components/folded';

/** Worst first; states that need no action last. */
const ORDER: ChainState[] = [
  'unreachable',
  'error',
  'stopped',
  'stalled',
  'starting',
  'syncing',
  'waiting',
  'synced',
  'unconfigured',
  'unsupported',
];

export const TABS = ['all', 'attention', 'syncing', 'synced'] as const;
export type Tab = (typeof TABS)[number];

const STATES: Record<Exclude<Tab, 'all'>, readonly ChainState[]> = {
  attention: ['unreachable', 'error', 'stopped', 'stalled'],
  syncing: ['starting', 'syncing'],
  synced: ['synced'],
};

/** Sorts by state, then by name, so that changing values do not move rows. */
export const sortNodes = (nodes: readonly ChainNode[]): ChainNode[] =>
  nodes.toSorted(
    (a, b) =>
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
      a.title.localeCompare(b.title) ||
      a.dnpName.localeCompare(b.dnpName)
  );

export const isInTab = (tab: Tab, { state }: ChainNode): boolean => tab === 'all' || STATES[tab].includes(state);

export interface ChainFilter {
  tab: Tab;
  q: string;
}

export function readFilter(search: URLSearchParams): ChainFilter {
  const tab = TABS.find((one) => one === search.get('tab'));
  return { tab: tab ?? 'all', q: search.get('q')?.slice(0, 200) ?? '' };
}

/** The filter as URL search parameters; defaults are omitted. */
export const writeFilter = ({ tab, q }: ChainFilter): Record<string, string> => ({
  ...(tab !== 'all' && { tab }),
  ...(q && { q }),
});

/** Every search term must occur in the name of the chain, package or software. */
export function searchNodes(nodes: readonly ChainNode[], q: string): ChainNode[] {
  const isFound = finder(q);
  return nodes.filter(({ title, dnpName, driver, network = '', version = '', upstreamVersion = '' }) =>
    isFound([title, dnpName, driver, network, version, upstreamVersion])
  );
}
