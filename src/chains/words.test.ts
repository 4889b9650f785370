import { describe, expect, it } from 'vitest';
import { CHAIN_STATES } from '@nodebell/contract/chain.ts';
import { aNode } from './testData';
import {
  announcement,
  causeWords,
  checkedWords,
  fewPeers,
  figureWords,
  subtitleWords,
  leftWords,
  percentWords,
  progressWords,
  rateWords,
  signOf,
  stateWords,
  versionOf,
  behindWords,
} from './words';

const NOW = Date.parse('2026-09-02T12:00:08.000Z');

describe('the state', () => {
  it('each has a sign and a word of its own', () => {
    const words = CHAIN_STATES.map((state) => stateWords(aNode({ state }), NOW));
    expect(new Set(words).size).toBe(CHAIN_STATES.length);
    expect(CHAIN_STATES.map((state) => signOf({ state }).icon)).not.toContain(undefined);
  });

  it('says for how long where that matters', () => {
    expect(stateWords(aNode({ state: 'stalled', changedAt: '2026-09-02T11:18:00.000Z' }), NOW)).toBe(
      'Stalled for 42 min'
    );
    expect(stateWords(aNode(), NOW)).toBe('Synced');
  });

  it.each(CHAIN_STATES.filter((state) => state !== 'syncing' && state !== 'synced' && state !== 'waiting'))(
    '%s does not look like one that is well',
    (state) => expect(signOf({ state }).icon).not.toBe(signOf({ state: 'synced' }).icon)
  );

  it('gives the cause in the words of the bridge, unless the state says it all', () => {
    expect(causeWords(aNode())).toBeUndefined();
    expect(causeWords(aNode({ state: 'syncing', sentence: 'It is catching up.' }))).toBeUndefined();
    const downloading = { state: 'syncing', cause: 'state-download', sentence: 'It completes its state.' } as const;
    expect(causeWords(aNode(downloading))).toBe('It completes its state.');
    expect(causeWords(aNode({ state: 'unreachable', sentence: 'Refused.' }))).toBe('Refused.');
  });

  it('says how old the figures are, by the clock of the bridge', () => {
    expect(checkedWords(aNode(), NOW)).toBe('Checked 8 s ago');
    expect(checkedWords(aNode({ checkedAt: undefined }), NOW)).toBeUndefined();
  });
});

describe('figures', () => {
  it('shows the newest block alone when nothing is lacking', () => {
    expect(figureWords(aNode(), NOW)).toBe('26,458,112');
    expect(figureWords(aNode({ state: 'syncing', current: 7_794_310, target: 12_332_770 }), NOW)).toBe(
      '7,794,310 / 12,332,770'
    );
    expect(figureWords(aNode({ current: 10, target: 12 }), NOW)).toBe('10 / 12');
    expect(figureWords(aNode({ current: undefined }), NOW)).toBeUndefined();
  });

  it.each(['unreachable', 'error', 'stopped'] as const)(
    'of a node that is %s they are the last ones, with their age',
    (state) => {
      const old = { state, checkedAt: '2026-09-02T12:00:00.000Z', figuresAt: '2026-09-02T11:45:58.000Z' };
      expect(figureWords(aNode({ ...old, current: 3_811_046, target: 3_811_046 }), NOW)).toBe(
        'Last seen at block 3,811,046, 14 min ago'
      );
      expect(
        figureWords(aNode({ ...old, driver: 'ethereum-beacon-chain', current: 9, figuresAt: undefined }), NOW)
      ).toBe('Last seen at slot 9');
    }
  );

  it.each([
    [1, '100 %'],
    [0.9999999, '99.9 %'],
    [0.632, '63.2 %'],
    [0, '0.0 %'],
  ])('rounds %d down to %s', (ratio, expected) => expect(percentWords(ratio)).toBe(expected));

  it('says the bar in words', () => {
    expect(progressWords(aNode({ ratio: 0.632, current: 632, target: 1000 }))).toBe('63.2 %, block 632 of 1,000');
    expect(progressWords(aNode({ ratio: undefined, current: undefined, target: undefined }))).toBe('block unknown');
  });

  it.each([
    [undefined, undefined],
    [0, '0 blocks/min'],
    [0.14, '0.1 blocks/min'],
    [5240.4, '5,240 blocks/min'],
  ])('a rate of %s reads %s', (rate, expected) => expect(rateWords(aNode({ rate }))).toBe(expected));

  it.each([
    ['synced', null, undefined],
    ['unreachable', null, undefined],
    ['stalled', null, 'Unknown'],
    ['syncing', null, 'Unknown'],
    ['syncing', 12, 'Less than 1 min'],
    ['syncing', 89 * 60, 'About 89 min'],
    ['syncing', 14.2 * 3600, 'About 14 h'],
    ['syncing', 72 * 3600, 'About 3 d'],
  ] as const)('the time left of a node that is %s, %s seconds, reads %s', (state, secondsLeft, expected) => {
    expect(leftWords(aNode({ state, secondsLeft }))).toBe(expected);
  });

  it('peers are few below the limit, and unknown ones are not', () => {
    expect([4, 5, undefined].map((peers) => fewPeers(aNode({ peers })))).toEqual([true, false, false]);
  });
});

it.each([
  ['Geth/v1.17.4-stable-abc/linux-amd64/go1.25', 'v1.17.4-stable-abc'],
  ['/Satoshi:26.2.0/', '26.2.0'],
  ['monerod', 'monerod'],
  [undefined, 'v1.17.4'],
])('the version of a node that calls itself %s is %s', (version, expected) => {
  expect(versionOf(aNode({ version }))).toBe(expected);
});

it('says how often nodes are asked', () => {
  const what = 'Sync status of each node';
  expect(subtitleWords([aNode({ interval: 0 })])).toBe(`${what}.`);
  expect(subtitleWords([aNode(), aNode({ interval: 0 })])).toBe(`${what}, polled every 15 seconds.`);
  expect(subtitleWords([aNode(), aNode({ interval: 60 })])).toBe(`${what}, polled every 15 to 60 seconds.`);
});

it('announces who has changed, or how many', () => {
  const stalled = aNode({ state: 'stalled', changedAt: '2026-09-02T12:00:00.000Z' });
  expect(announcement([stalled], NOW)).toBe('Ethereum, geth: Stalled for 8 s');
  expect(announcement([stalled, stalled, stalled], NOW)).toBe('3 nodes changed state');
});

it('tells how far a node has been behind', () => {
  expect(behindWords([])).toBe('No data in the last 24 hours.');
  expect(behindWords([0, 0])).toBe('Last 24 hours: never behind.');
  expect(behindWords([0, 1200, 3])).toBe('Last 24 hours: up to 1,200 behind.');
});
