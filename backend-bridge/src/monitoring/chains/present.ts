/** A node as in GET /chains and the event `chain`. */
import { compact } from '../../../contract/compact.ts';
import type { ChainEvent, ChainNode } from '../../../contract/chain.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { isoTime } from '../../../contract/text.ts';
import { DRIVERS } from './drivers/index.ts';
import { type ChainSource, shortName } from './sources.ts';
import { behindOf, type NodeState, ratioOf } from './nodeState.ts';

/** One decimal, three for small rates: Bitcoin has one block in ten minutes. */
const rounded = (rate: number): number => (rate < 10 ? Math.round(rate * 1000) / 1000 : Math.round(rate * 10) / 10);

export function present({ pkg, driver, limits, intervalMs }: ChainSource, nodeState: NodeState): ChainNode {
  const { current, target, rates, identity, ahead } = nodeState;
  const timeOf = (at: number): string => isoTime(at + ahead);
  const timeIf = (at: number | undefined) => (at === undefined ? undefined : timeOf(at));
  return compact<ChainNode>({
    dnpName: pkg.dnpName,
    name: shortName(pkg.dnpName),
    packageVersion: pkg.version,
    upstreamVersion: pkg.upstreamVersion,
    icon: pkg.icon,
    links: pkg.links,
    driver: pkg.chain.driver,
    title: titleOf(pkg.chain.driver, driver, nodeState),
    network: identity.network,
    state: nodeState.state,
    cause: nodeState.cause,
    sentence: nodeState.sentence,
    current,
    target,
    behind: behindOf(nodeState),
    ratio: ratioOf(nodeState),
    rate: rates.rate === undefined ? undefined : rounded(rates.rate),
    secondsLeft: nodeState.state === 'syncing' ? nodeState.secondsLeft : null,
    peers: nodeState.peers,
    version: identity.version,
    limits,
    interval: intervalMs / 1000,
    checkedAt: timeIf(nodeState.checkedAt),
    figuresAt: timeIf(nodeState.figuresAt),
    changedAt: timeOf(nodeState.changedAt),
  });
}

export function titleOf(named: string, driver: ChainSource['driver'], { identity }: NodeState): string {
  return identity.title ?? (driver === undefined ? named : DRIVERS[driver].title);
}

/** Name of a node in titles and logs: its chain, and its package unless both are the same. */
export function nodeName({ pkg, driver }: ChainSource, nodeState: NodeState): string {
  const title = titleOf(pkg.chain.driver, driver, nodeState);
  const name = shortName(pkg.dnpName);
  return title.toLowerCase() === name.toLowerCase() ? title : `${title} (${name})`;
}

export interface ChangeFeedDeps {
  publish: (event: ChainEvent) => void;
  /** Whether any client is connected. */
  listening: () => boolean;
  /** Shares the nodes with other replicas; undefined as a node: it was removed. */
  share?: ((changed: [dnpName: string, node: ChainNode | undefined][]) => void) | undefined;
  /** UTC milliseconds. */
  now: () => number;
}

const PUBLISH_MS = 1000;
const MAX_NODES = LIMITS.chainEventNodes.value;

/**
 * Collects changed nodes and passes them on once a second: to the clients, and to the other replicas.
 * @param node its current state; undefined: no longer monitored
 */
export function createChangeFeed(
  { publish, listening, share, now }: ChangeFeedDeps,
  node: (dnpName: string) => ChainNode | undefined
) {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const isListening = listening();
    const changed =
      isListening || share ? [...names].map((name): [string, ChainNode | undefined] => [name, node(name)]) : [];
    names.clear();
    share?.(changed);
    for (let first = 0; isListening && first < changed.length; first += MAX_NODES) {
      const some = changed.slice(first, first + MAX_NODES);
      publish({
        now: isoTime(now()),
        nodes: some.flatMap(([, one]) => one ?? []),
        removed: some.flatMap(([name, one]) => (one === undefined ? [name] : [])),
      });
    }
  };
  return {
    /** The node has changed or was removed. */
    add(dnpName: string): void {
      names.add(dnpName);
      timer ??= setTimeout(flush, PUBLISH_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}
