import { describe, expect, it } from 'vitest';
import { CHAIN_STATES } from '@nodebell/contract/chain.ts';
import { aNode } from './chains.testing';
import {
  announcement,
  causeMessage,
  checkedMessage,
  fewPeers,
  heightLabel,
  subtitleMessage,
  timeLeftLabel,
  formatPercent,
  progressLabel,
  formatRate,
  signOf,
  stateLabel,
  versionOf,
  behindMessage,
} from './messages';

const NOW = Date.parse('2026-09-02T12:00:08.000Z');

describe('node state', () => {
  it('has an icon and a unique label for each state', () => {
    const labels = CHAIN_STATES.map((state) => stateLabel(aNode({ state }), NOW));
    expect(new Set(labels).size).toBe(CHAIN_STATES.length);
    expect(CHAIN_STATES.map((state) => signOf({ state }).icon)).not.toContain(undefined);
  });

  it('includes the duration where it matters', () => {
    expect(stateLabel(aNode({ state: 'stalled', changedAt: '2026-09-02T11:18:00.000Z' }), NOW)).toBe(
      'Stalled for 42 min'
    );
    expect(stateLabel(aNode(), NOW)).toBe('Synced');
  });

  it.each(CHAIN_STATES.filter((state) => state !== 'syncing' && state !== 'synced' && state !== 'waiting'))(
    '%s has another icon than synced',
    (state) => expect(signOf({ state }).icon).not.toBe(signOf({ state: 'synced' }).icon)
  );

  it('shows the message of the bridge, unless the state is enough', () => {
    expect(causeMessage(aNode())).toBeUndefined();
    expect(causeMessage(aNode({ state: 'syncing', sentence: 'It is catching up.' }))).toBeUndefined();
    const downloading = { state: 'syncing', cause: 'state-download', sentence: 'It completes its state.' } as const;
    expect(causeMessage(aNode(downloading))).toBe('It completes its state.');
    expect(causeMessage(aNode({ state: 'unreachable', sentence: 'Refused.' }))).toBe('Refused.');
  });

  it('shows the age of the data by the clock of the bridge', () => {
    expect(checkedMessage(aNode(), NOW)).toBe('Checked 8 s ago');
    expect(checkedMessage(aNode({ checkedAt: undefined }), NOW)).toBeUndefined();
  });
});

describe('values', () => {
  it('shows only the latest block of a synced node', () => {
    expect(heightLabel(aNode(), NOW)).toBe('26,458,112');
    expect(heightLabel(aNode({ state: 'syncing', current: 7_794_310, target: 12_332_770 }), NOW)).toBe(
      '7,794,310 / 12,332,770'
    );
    expect(heightLabel(aNode({ current: 10, target: 12 }), NOW)).toBe('10 / 12');
    expect(heightLabel(aNode({ current: undefined }), NOW)).toBeUndefined();
  });

  it.each(['unreachable', 'error', 'stopped'] as const)(
    'shows the last known block and its age while a node is %s',
    (state) => {
      const old = { state, checkedAt: '2026-09-02T12:00:00.000Z', figuresAt: '2026-09-02T11:45:58.000Z' };
      expect(heightLabel(aNode({ ...old, current: 3_811_046, target: 3_811_046 }), NOW)).toBe(
        'Last seen at block 3,811,046, 14 min ago'
      );
      expect(
        heightLabel(aNode({ ...old, driver: 'ethereum-beacon-chain', current: 9, figuresAt: undefined }), NOW)
      ).toBe('Last seen at slot 9');
    }
  );

  it.each([
    [1, '100 %'],
    [0.9999999, '99.9 %'],
    [0.632, '63.2 %'],
    [0, '0.0 %'],
  ])('rounds %d down to %s', (ratio, expected) => expect(formatPercent(ratio)).toBe(expected));

  it('describes the progress bar to screen readers', () => {
    expect(progressLabel(aNode({ ratio: 0.632, current: 632, target: 1000 }))).toBe('63.2 %, block 632 of 1,000');
    expect(progressLabel(aNode({ ratio: undefined, current: undefined, target: undefined }))).toBe('block unknown');
  });

  it.each([
    [undefined, undefined],
    [0, '0 blocks/min'],
    [0.14, '0.1 blocks/min'],
    [5240.4, '5,240 blocks/min'],
  ])('formats a rate of %s as %s', (rate, expected) => expect(formatRate(aNode({ rate }))).toBe(expected));

  it.each([
    ['synced', null, undefined],
    ['unreachable', null, undefined],
    ['stalled', null, 'Unknown'],
    ['syncing', null, 'Unknown'],
    ['syncing', 12, 'Less than 1 min'],
    ['syncing', 89 * 60, 'About 89 min'],
    ['syncing', 14.2 * 3600, 'About 14 h'],
    ['syncing', 72 * 3600, 'About 3 d'],
  ] as const)('formats the time left of a %s node, %s seconds, as %s', (state, secondsLeft, expected) => {
    expect(timeLeftLabel(aNode({ state, secondsLeft }))).toBe(expected);
  });

  it('peers are too few below the limit, but not if unknown', () => {
    expect([4, 5, undefined].map((peers) => fewPeers(aNode({ peers })))).toEqual([true, false, false]);
  });
});

it.each([
  ['Geth/v1.17.4-stable-abc/linux-amd64/go1.25', 'v1.17.4-stable-abc'],
  ['/Satoshi:26.2.0/', '26.2.0'],
  ['monerod', 'monerod'],
  [undefined, 'v1.17.4'],
])('shortens the version %s to %s', (version, expected) => {
  expect(versionOf(aNode({ version }))).toBe(expected);
});

it('shows the poll interval', () => {
  const what = 'Sync status of each node';
  expect(subtitleMessage([aNode({ interval: 0 })])).toBe(`${what}.`);
  expect(subtitleMessage([aNode(), aNode({ interval: 0 })])).toBe(`${what}, polled every 15 seconds.`);
  expect(subtitleMessage([aNode(), aNode({ interval: 60 })])).toBe(`${what}, polled every 15 to 60 seconds.`);
});

it('announces changed nodes, or how many changed', () => {
  const stalled = aNode({ state: 'stalled', changedAt: '2026-09-02T12:00:00.000Z' });
  expect(announcement([stalled], NOW)).toBe('Ethereum, geth: Stalled for 8 s');
  expect(announcement([stalled, stalled, stalled], NOW)).toBe('3 nodes changed state');
});

it('describes the history of blocks behind', () => {
  expect(behindMessage([])).toBe('No data in the last 24 hours.');
  expect(behindMessage([0, 0])).toBe('Last 24 hours: never behind.');
  expect(behindMessage([0, 1200, 3])).toBe('Last 24 hours: up to 1,200 behind.');
});
