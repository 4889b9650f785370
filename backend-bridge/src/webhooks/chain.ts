/** Which of the places that look like the name of a member are names: as many as can stand in the right order. */

/** A place that looks like a member's name. */
export interface Opener {
  /** Place of the member in the layout. */
  rank: number;
  /** Where the value before it ends, and where its own value begins. */
  start: number;
  end: number;
}

export interface Chain {
  chain: Opener[];
  /** In how many ways as many names can be found; 1 means that there is no doubt. Counted up to 2. */
  ways: number;
}

interface Best {
  length: number;
  ways: number;
  previous: number;
}

/**
 * The longest row of names with growing rank that do not overlap; of several, the one whose names come first.
 * When all members of the layout are there, the true row has the greatest length, so the only row of that length is true.
 * @param openers by `start`
 */
export function longestChain(openers: readonly Opener[]): Chain {
  const best: Best[] = [];
  openers.forEach((opener, index) => {
    const here: Best = { length: 1, ways: 1, previous: -1 };
    for (let before = 0; before < index; before += 1) {
      const candidate = openers[before] as Opener;
      if (candidate.rank >= opener.rank || candidate.end > opener.start) {
        continue;
      }
      const { length, ways } = best[before] as Best;
      if (length + 1 > here.length) {
        Object.assign(here, { length: length + 1, ways, previous: before });
      } else if (length + 1 === here.length) {
        here.ways = Math.min(2, here.ways + ways);
      }
    }
    best.push(here);
  });
  const longest = Math.max(0, ...best.map(({ length }) => length));
  const ends = best.flatMap(({ length }, index) => (length === longest ? [index] : []));
  const chain: Opener[] = [];
  for (let index = ends[0] ?? -1; index >= 0; index = (best[index] as Best).previous) {
    chain.unshift(openers[index] as Opener);
  }
  return {
    chain,
    ways: Math.min(
      2,
      ends.reduce((sum, index) => sum + (best[index] as Best).ways, 0)
    ),
  };
}
