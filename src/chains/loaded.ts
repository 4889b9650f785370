/** Node data as cached by the page, and how stream events update it. */
import type { ChainEvent, ChainNode, Chains } from '@nodebell/contract/chain.ts';

export interface LoadedChains {
  nodes: ChainNode[];
  /** Whether the bridge can serve the history of blocks behind. */
  history: boolean;
  /** Clock of the bridge minus clock of the browser, in milliseconds; ages use the bridge's clock. */
  clockOffset: number;
}

export const toLoaded = ({ now, nodes, history = false }: Chains, browserNow: number): LoadedChains => ({
  nodes,
  history,
  clockOffset: Date.parse(now) - browserNow,
});

/** Whether the first was checked no earlier than the second. */
const isNewer = (one: ChainNode, other: ChainNode) => (one.checkedAt ?? '') >= (other.checkedAt ?? '');

/** Applies an event: updates changed nodes, adds new ones and drops those that are no longer monitored. */
export function withEvent(loaded: LoadedChains, event: ChainEvent, browserNow: number): LoadedChains {
  const updated = new Map(event.nodes.map((node) => [node.dnpName, node]));
  const removed = new Set(event.removed);
  const kept = loaded.nodes
    .filter(({ dnpName }) => !removed.has(dnpName))
    .map((node) => {
      const next = updated.get(node.dnpName);
      updated.delete(node.dnpName);
      // A list requested before the event can arrive after it with newer data.
      return next && isNewer(next, node) ? next : node;
    });
  return { ...loaded, nodes: [...kept, ...updated.values()], clockOffset: Date.parse(event.now) - browserNow };
}

/** Nodes whose state changes with this event; announced to screen readers. */
export function changesOf(before: LoadedChains, event: ChainEvent): ChainNode[] {
  const states = new Map(before.nodes.map(({ dnpName, state }) => [dnpName, state]));
  return event.nodes.filter(({ dnpName, state }) => states.has(dnpName) && states.get(dnpName) !== state);
}
