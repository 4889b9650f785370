import { expect, it } from 'vitest';
import { CHAIN_STATES } from '@nodebell/contract/chain.ts';
import { isInTab, readFilter, searchNodes, sortNodes, writeFilter } from './order';
import { aNode } from './chains.testing';

const all = CHAIN_STATES.map((state) => aNode({ state, dnpName: state }));

it('sorts the worst state first, then by name', () => {
  expect(sortNodes(all).map(({ state }) => state)).toEqual([
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
  ]);
  const named = [aNode({ title: 'Monero' }), aNode({ title: 'Bitcoin', behind: 9 })];
  expect(sortNodes(named).map(({ title }) => title)).toEqual(['Bitcoin', 'Monero']);
});

it.each([
  ['all', CHAIN_STATES],
  ['attention', ['stalled', 'unreachable', 'stopped', 'error']],
  ['syncing', ['syncing', 'starting']],
  ['synced', ['synced']],
] as const)('the tab %s lists %j', (tab, states) => {
  expect(all.filter((node) => isInTab(tab, node)).map(({ state }) => state)).toEqual(states);
});

it('searches chain, package and software for each term', () => {
  const nodes = [
    aNode({ version: 'Geth/v1.17.4' }),
    aNode({ dnpName: 'monero.dnp', title: 'Monero', driver: 'monero', upstreamVersion: 'v0.18' }),
  ];
  const found = (q: string) => searchNodes(nodes, q).map(({ title }) => title);
  expect(found('')).toEqual(['Ethereum', 'Monero']);
  expect(found('ETHEREUM 1.17')).toEqual(['Ethereum']);
  expect(found('dnp mon')).toEqual(['Monero']);
  expect(found('bitcoin')).toEqual([]);
});

it.each(['', 'tab=attention', 'q=geth', 'tab=synced&q=a+b'])('round-trips %j through the URL', (search) => {
  expect(new URLSearchParams(writeFilter(readFilter(new URLSearchParams(search)))).toString()).toBe(search);
});

it('falls back to all nodes for an unknown tab', () => {
  expect(readFilter(new URLSearchParams('tab=broken'))).toEqual({ tab: 'all', q: '' });
});
