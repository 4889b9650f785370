/** The nodes as the page keeps them, and what events do to them. Pure. */
import type { ChainEvent, ChainNode, Chains } from '@nodebell/contract/chain.ts';

export interface LoadedChains {
  nodes: ChainNode[];
  /** It can be asked how far each has been behind. */
  history: boolean;
  /** The clock of the bridge less that of the browser, in milliseconds: ages are told by the bridge's. */
  ahead: number;
}

export const toLoaded = ({ now, nodes, history = false }: Chains, browserNow: number): LoadedChains => ({
  nodes,
  history,
  ahead: Date.parse(now) - browserNow,
});

/** Whether the figures of the first are at least as new as those of the second. */
const isNewer = (one: ChainNode, other: ChainNode) => (one.checkedAt ?? '') >= (other.checkedAt ?? '');

/** Nodes with news take their place, new ones join, those that are not watched any more go. */
export function withEvent(loaded: LoadedChains, event: ChainEvent, browserNow: number): LoadedChains {
  const news = new Map(event.nodes.map((node) => [node.dnpName, node]));
  const removed = new Set(event.removed);
  const kept = loaded.nodes
    .filter(({ dnpName }) => !removed.has(dnpName))
    .map((node) => {
      const next = news.get(node.dnpName);
      news.delete(node.dnpName);
      // The list may have been asked for before the event and answered after it.
      return next && isNewer(next, node) ? next : node;
    });
  return { ...loaded, nodes: [...kept, ...news.values()], ahead: Date.parse(event.now) - browserNow };
}

/** What has become of nodes, for those who do not see the list: only changes of state are worth a word. */
export function changesOf(before: LoadedChains, event: ChainEvent): ChainNode[] {
  const states = new Map(before.nodes.map(({ dnpName, state }) => [dnpName, state]));
  return event.nodes.filter(({ dnpName, state }) => states.has(dnpName) && states.get(dnpName) !== state);
}
