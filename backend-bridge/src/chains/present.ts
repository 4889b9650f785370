/** A node as GET /chains tells it. Pure. */
import type { ChainNode } from '../../contract/chain.ts';
import { compact } from './answers.ts';
import { DRIVERS } from './drivers/index.ts';
import { type ChainSource, shortName } from './sources.ts';
import type { NodeMemory } from './state.ts';

const iso = (ts: number): string => new Date(ts).toISOString();
const isoIf = (ts: number | undefined): string | undefined => (ts === undefined ? undefined : iso(ts));

/** Rates to a tenth, and more where they are small: Bitcoin has a block in ten minutes. */
const rounded = (rate: number): number => (rate < 10 ? Math.round(rate * 1000) / 1000 : Math.round(rate * 10) / 10);

export function present({ pkg, driver, limits, intervalMs }: ChainSource, memory: NodeMemory): ChainNode {
  const { current, target, rates, identity } = memory;
  const behind = current === undefined || target === undefined ? undefined : target - current;
  return compact<ChainNode>({
    dnpName: pkg.dnpName,
    name: shortName(pkg.dnpName),
    packageVersion: pkg.version,
    upstreamVersion: pkg.upstreamVersion,
    icon: pkg.icon,
    links: pkg.links,
    driver: pkg.chain.driver,
    title: titleOf(pkg.chain.driver, driver, memory),
    network: identity.network,
    state: memory.state,
    cause: memory.cause,
    sentence: memory.sentence,
    current,
    target,
    behind,
    ratio: ratioOf(current, target),
    rate: rates.rate === undefined ? undefined : rounded(rates.rate),
    secondsLeft: memory.secondsLeft,
    peers: memory.peers,
    version: identity.version,
    limits,
    interval: intervalMs / 1000,
    checkedAt: isoIf(memory.checkedAt),
    figuresAt: isoIf(memory.figuresAt),
    changedAt: iso(memory.changedAt),
  });
}

export function titleOf(named: string, driver: ChainSource['driver'], { identity }: NodeMemory): string {
  return identity.title ?? (driver === undefined ? named : DRIVERS[driver].title);
}

/** How a node is called in a sentence of its own: its chain, and which package it is where that does not say it. */
export function nodeName({ pkg, driver }: ChainSource, memory: NodeMemory): string {
  const title = titleOf(pkg.chain.driver, driver, memory);
  const name = shortName(pkg.dnpName);
  return title.toLowerCase() === name.toLowerCase() ? title : `${title} (${name})`;
}

function ratioOf(current: number | undefined, target: number | undefined): number | undefined {
  if (current === undefined || target === undefined) {
    return undefined;
  }
  return current >= target ? 1 : current / target;
}
