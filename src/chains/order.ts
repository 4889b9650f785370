/** Which nodes are shown, and in which order. Pure. */
import type { ChainNode, ChainState } from '@nodebell/contract/chain.ts';

/** Worst first. What asks for nothing stands last. */
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

/** By state, then by name: a figure that changes moves no row. */
export const sortNodes = (nodes: readonly ChainNode[]): ChainNode[] =>
  nodes.toSorted(
    (a, b) =>
      ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
      a.title.localeCompare(b.title) ||
      a.dnpName.localeCompare(b.dnpName)
  );

export const isIn = (tab: Tab, { state }: ChainNode): boolean => tab === 'all' || STATES[tab].includes(state);

export interface ChainFilter {
  tab: Tab;
  q: string;
}

export function readFilter(search: URLSearchParams): ChainFilter {
  const tab = TABS.find((one) => one === search.get('tab'));
  return { tab: tab ?? 'all', q: search.get('q')?.slice(0, 200) ?? '' };
}

/** The filter as it stands in the URL; what is not set is left out. */
export const writeFilter = ({ tab, q }: ChainFilter): Record<string, string> => ({
  ...(tab !== 'all' && { tab }),
  ...(q && { q }),
});

const folded = (text: string) => text.normalize('NFKC').toLowerCase();

/** Every word must stand in the name of the chain, the package or the software. */
export function searchNodes(nodes: readonly ChainNode[], q: string): ChainNode[] {
  const words = folded(q).split(/\s+/).filter(Boolean);
  return nodes.filter(({ title, dnpName, driver, network, version, upstreamVersion }) => {
    const text = folded([title, dnpName, driver, network ?? '', version ?? '', upstreamVersion ?? ''].join('\n'));
    return words.every((word) => text.includes(word));
  });
}
