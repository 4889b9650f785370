/** Values from a manifest in sentences. */

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
export function found(value: unknown): string {
  if (typeof value === 'string') {
    return value === '' ? 'empty text' : `“${plain(value)}”`;
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last = 'and'): string {
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
