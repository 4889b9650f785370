import { expect, it } from 'vitest';
import { aNode } from '../../chains/testData';
import { DEFAULTS, judge, readOptions } from './options';

it.each([undefined, null, 'x', {}, { packages: 'geth', layout: 'round', warningFrom: '5', errorFrom: -1 }])(
  'reads %j as the defaults',
  (options) => expect(readOptions(options)).toEqual(DEFAULTS)
);

it('keeps what fits', () => {
  const options = { packages: ['a.eth'], layout: 'tiles', warningFrom: 10, errorFrom: 100 };
  expect(readOptions({ ...options, packages: ['a.eth', 3] })).toEqual(options);
});

it.each([
  ['synced', 9, 'success', false],
  ['synced', 10, 'warning', true],
  ['syncing', 99, 'warning', true],
  ['syncing', 100, 'error', true],
  // The bridge has said as much already.
  ['stalled', 10, 'warning', false],
  ['stalled', 100, 'error', true],
  ['unreachable', 100, 'error', false],
  ['synced', undefined, 'success', false],
] as const)('%s and %s behind is %s', (state, behind, tone, beyond) => {
  const options = { ...DEFAULTS, warningFrom: 10, errorFrom: 100 };
  expect(judge(aNode({ state, behind }), options)).toMatchObject({ tone, beyond });
});

it('without limits the state alone counts', () => {
  expect(judge(aNode({ behind: 1e6 }), DEFAULTS)).toMatchObject({ tone: 'success', beyond: false });
});
