import { expect, it } from 'vitest';
import { changesOf, toLoaded, withEvent } from './loaded';
import { aNode } from './testData';

const NOW = '2026-09-02T12:00:00.000Z';
const later = { checkedAt: '2026-09-02T12:00:15.000Z' };
const loaded = toLoaded(
  { now: NOW, nodes: [aNode(), aNode({ dnpName: 'monero', title: 'Monero' })] },
  Date.parse(NOW) - 5000
);
const event = { now: NOW, nodes: [], removed: [] };

it('tells ages by the clock of the bridge', () => {
  expect(loaded.ahead).toBe(5000);
  expect(withEvent(loaded, event, Date.parse(NOW)).ahead).toBe(0);
});

it('lays news upon what is there, and leaves the rest the same objects', () => {
  const next = withEvent(loaded, { ...event, nodes: [aNode({ ...later, peers: 3 })] }, 0);
  expect(next.nodes.map(({ dnpName, peers }) => [dnpName, peers])).toEqual([
    ['geth.dnp.dappnode.eth', 3],
    ['monero', 48],
  ]);
  expect(next.nodes[1]).toBe(loaded.nodes[1]);
});

it('lets nodes join and go', () => {
  const next = withEvent(loaded, { ...event, nodes: [aNode({ dnpName: 'new' })], removed: ['monero', 'never'] }, 0);
  expect(next.nodes.map(({ dnpName }) => dnpName)).toEqual(['geth.dnp.dappnode.eth', 'new']);
});

it('does not take older figures for news', () => {
  const old = aNode({ checkedAt: '2026-09-02T11:59:00.000Z', peers: 1 });
  expect(withEvent(loaded, { ...event, nodes: [old] }, 0).nodes[0]?.peers).toBe(48);
});

it('a change is another state of a node that was there', () => {
  const nodes = [aNode({ peers: 1 }), aNode({ dnpName: 'monero', state: 'stalled' }), aNode({ dnpName: 'new' })];
  expect(changesOf(loaded, { ...event, nodes }).map(({ dnpName }) => dnpName)).toEqual(['monero']);
});
