/** Test data: nodes. */
import type { ChainNode } from '@nodebell/contract/chain.ts';

export function aNode(change: Partial<ChainNode> = {}): ChainNode {
  return {
    dnpName: 'geth.dnp.dappnode.eth',
    name: 'geth',
    packageVersion: '0.1.51',
    upstreamVersion: 'v1.17.4',
    links: [],
    driver: 'ethereum',
    title: 'Ethereum',
    state: 'synced',
    sentence: 'It is in sync.',
    current: 26_458_112,
    target: 26_458_112,
    behind: 0,
    ratio: 1,
    rate: 5,
    secondsLeft: null,
    peers: 48,
    limits: { behind: 5, stalledMinutes: 10, unreachableMinutes: 5, peers: 5 },
    interval: 15,
    checkedAt: '2026-09-02T12:00:00.000Z',
    figuresAt: '2026-09-02T12:00:00.000Z',
    changedAt: '2026-09-02T11:00:00.000Z',
    ...change,
  };
}
