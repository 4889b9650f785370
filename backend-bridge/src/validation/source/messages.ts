/** Building blocks of finding messages. */

// Control characters could manipulate a terminal.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
const LONGEST = 80;

/** User-supplied text for a one-line message: without control characters, at most 80 characters. */
export function plain(text: string): string {
  const line = text
    .slice(0, LONGEST * 4)
    .replace(CONTROLS, ' ')
    .toWellFormed();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}

/** A value, quoted for a message. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') {
    return value === '' ? 'an empty string' : `“${plain(value)}”`;
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** `a`, `a and b`, `a, b and c`. */
export function joinList(words: readonly string[], last = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** A member for a title: `backup path` for /backup/1/path. */
export function label(path: readonly (string | number)[]): string {
  const words = path.filter((step) => typeof step === 'string').map(plain);
  return words.length === 0 ? 'The manifest' : words.join(' ');
}

/** Advice on fixing an invalid package name. */
export function nameAdvice(name: string): string {
  if (!name.endsWith('.eth')) {
    return 'Package names end in .eth, for example my-node.public.dappnode.eth.';
  }
  if (name !== name.toLowerCase()) {
    return 'Package names are lowercase.';
  }
  return name.length > 253 || name.split('.').some((part) => part.length > 63)
    ? 'Package names have at most 253 characters, and at most 63 per label.'
    : 'Labels consist of a–z, 0–9 and hyphens, and do not start or end with a hyphen.';
}

/**
 * @param allowed of two equally similar words the first one wins
 * @returns the most similar allowed word, with at most a third of its letters different, ignoring case; undefined if there is none
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

/** Optimal string alignment distance: insertions, deletions, substitutions and transpositions. */
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
