/** Building blocks of finding messages. */

// They would steer a terminal.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
const LONGEST = 80;

/** Text of others for one line of ours: without control characters, at most 80 characters. */
export function plain(text: string): string {
  const line = text
    .slice(0, LONGEST * 4)
    .replace(CONTROLS, ' ')
    .toWellFormed();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}

/** A value as it is named in a sentence. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') {
    return value === '' ? 'empty text' : `“${plain(value)}”`;
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** `a`, `a and b`, `a, b and c`. */
export function joinList(words: readonly string[], last = 'and'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** A member in a title: `backup path` for /backup/1/path. */
export function label(path: readonly (string | number)[]): string {
  const words = path.filter((step) => typeof step === 'string').map(plain);
  return words.length === 0 ? 'The manifest' : words.join(' ');
}

/** What to do about a name that is none of the name service. */
export function nameAdvice(name: string): string {
  if (!name.endsWith('.eth')) {
    return 'It ends in .eth, for example my-node.public.dappnode.eth.';
  }
  if (name !== name.toLowerCase()) {
    return 'Write it in lower case.';
  }
  return name.length > 253 || name.split('.').some((part) => part.length > 63)
    ? 'It has at most 253 characters, and at most 63 between two dots.'
    : 'Between dots stand a–z, 0–9 and hyphens, and a hyphen neither first nor last.';
}

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
