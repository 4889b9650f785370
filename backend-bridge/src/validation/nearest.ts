/** Which word somebody may have meant. Pure. */

/**
 * @param allowed in their order: of two that are equally near the first is taken
 * @returns the allowed word that is at most a third of its letters away, without regard to case; undefined when none is
 */
export function nearest(word: string, allowed: readonly string[]): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const candidate of allowed) {
    const limit = Math.max(1, Math.floor(candidate.length / 3));
    if (Math.abs(candidate.length - word.length) <= limit) {
      const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
      if (distance <= limit && (best === undefined || distance < best.distance)) {
        best = { word: candidate, distance };
      }
    }
  }
  return best?.word;
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
