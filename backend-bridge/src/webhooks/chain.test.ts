import { describe, expect, it } from 'vitest';
import { longestChain, type Opener } from './chain.ts';

/** One name after another, each of ten characters. */
const at = (...ranks: number[]): Opener[] =>
  ranks.map((rank, index) => ({ rank, start: 10 * index, end: 10 * index + 5 }));
const ranksOf = (openers: Opener[]) => longestChain(openers).chain.map(({ rank }) => rank);

describe('the longest row of names', () => {
  it('is all of them when they are in order', () => {
    expect(longestChain(at(0, 1, 2))).toEqual({ chain: at(0, 1, 2), ways: 1 });
  });

  it('leaves out what is out of order', () => {
    expect(ranksOf(at(0, 3, 1, 2))).toEqual([0, 1, 2]);
    expect(longestChain(at(0, 3, 1, 2)).ways).toBe(1);
  });

  it('holds a name once: the first of several, of which it cannot be certain', () => {
    const { chain, ways } = longestChain(at(0, 1, 1, 2));
    expect([chain[1]?.start, ways]).toEqual([10, 2]);
    expect(longestChain(at(0, 1, 1)).ways).toBe(2);
  });

  it('holds no two that overlap', () => {
    const overlapping: Opener[] = [
      { rank: 0, start: 0, end: 10 },
      { rank: 1, start: 9, end: 15 },
      { rank: 2, start: 15, end: 20 },
    ];
    expect(longestChain(overlapping)).toEqual({ chain: [overlapping[0], overlapping[2]], ways: 2 });
  });

  it('of nothing is nothing', () => {
    expect(longestChain([])).toEqual({ chain: [], ways: 0 });
  });
});
