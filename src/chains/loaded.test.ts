import { expect, it } from 'vitest';
import { changesOf, toLoaded, withEvent } from './loaded';
import { aNode } from './chains.testing';

const NOW = '2026-09-02T12:00:00.000Z';
const later = { checkedAt: '2026-09-02T12:00:15.000Z' };
const loaded = toLoaded(
  { now: NOW, nodes: [aNode(), aNode({ dnpName: 'monero', title: 'Monero' })] },
  Date.parse(NOW) - 5000
);
const event = { now: NOW, nodes: [], removed: [] };

it('calculates ages by the clock of the bridge', () => {
  expect(loaded.clockOffset).toBe(5000);
  expect(withEvent(loaded, event, Date.parse(NOW)).clockOffset).toBe(0);
});

it('updates changed nodes and keeps the identity of the others', () => {
  const next = withEvent(loaded, { ...event, nodes: [aNode({ ...later, peers: 3 })] }, 0);
  expect(next.nodes.map(({ dnpName, peers }) => [dnpName, peers])).toEqual([
    ['geth.dnp.dappnode.eth', 3],
    ['monero', 48],
  ]);
  expect(next.nodes[1]).toBe(loaded.nodes[1]);
});

it('adds and removes nodes', () => {
  const next = withEvent(loaded, { ...event, nodes: [aNode({ dnpName: 'new' })], removed: ['monero', 'never'] }, 0);
  expect(next.nodes.map(({ dnpName }) => dnpName)).toEqual(['geth.dnp.dappnode.eth', 'new']);
});

it('ignores data older than what is loaded', () => {
  const old = aNode({ checkedAt: '2026-09-02T11:59:00.000Z', peers: 1 });
  expect(withEvent(loaded, { ...event, nodes: [old] }, 0).nodes[0]?.peers).toBe(48);
});

it('a change is a new state of a known node', () => {
  const nodes = [aNode({ peers: 1 }), aNode({ dnpName: 'monero', state: 'stalled' }), aNode({ dnpName: 'new' })];
  expect(changesOf(loaded, { ...event, nodes }).map(({ dnpName }) => dnpName)).toEqual(['monero']);
});
