import { expect, it } from 'vitest';
import { aNode } from '../../chains/chains.testing';
import { DEFAULTS, toNodeStatus, readOptions } from './options';

it.each([undefined, null, 'x', {}, { packages: 'geth', layout: 'round', warningFrom: '5', errorFrom: -1 }])(
  'reads %j as the defaults',
  (options) => expect(readOptions(options)).toEqual(DEFAULTS)
);

it('keeps valid values', () => {
  const options = { packages: ['a.eth'], layout: 'tiles', warningFrom: 10, errorFrom: 100 };
  expect(readOptions({ ...options, packages: ['a.eth', 3] })).toEqual(options);
});

it.each([
  ['synced', 9, 'success', false],
  ['synced', 10, 'warning', true],
  ['syncing', 99, 'warning', true],
  ['syncing', 100, 'error', true],
  // The state has this severity already.
  ['stalled', 10, 'warning', false],
  ['stalled', 100, 'error', true],
  ['unreachable', 100, 'error', false],
  ['synced', undefined, 'success', false],
] as const)('a %s node that is %s behind is shown as %s', (state, behind, tone, exceedsLimit) => {
  const options = { ...DEFAULTS, warningFrom: 10, errorFrom: 100 };
  expect(toNodeStatus(aNode({ state, behind }), options)).toMatchObject({ tone, exceedsLimit });
});

it('without limits only the state counts', () => {
  expect(toNodeStatus(aNode({ behind: 1e6 }), DEFAULTS)).toMatchObject({ tone: 'success', exceedsLimit: false });
});
