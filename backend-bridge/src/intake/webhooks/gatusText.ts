/** Parses the text that Gatus sends, which may not be JSON. */
import { GATUS_LAYOUT } from '../../../contract/gatusWebhook.ts';

export interface GatusText {
  /** Result of JSON.parse. */
  value: unknown;
  /** Error of JSON.parse, if the text was no JSON. */
  broken?: unknown;
  /** Values that were or may have been lost: for the reader of the notification. */
  lost: string[];
  /** Shown in the response. */
  notes: string[];
}

/**
 * Text of the recommended template is read by its layout even when it happens to be JSON: Gatus put the values in as they
 * were, so `\n` in a condition is a backslash and an n. Any other text is JSON if it can be.
 */
export function readGatusText(text: string): GatusText {
  let parsed: { value: unknown } | undefined;
  let broken: unknown;
  try {
    parsed = { value: JSON.parse(text) as unknown };
  } catch (error) {
    broken = error;
  }
  const scanned = parsed && !isMarked(text) ? undefined : scanGatusBody(text);
  if (!scanned) {
    return { value: parsed?.value, broken, lost: [], notes: [] };
  }
  const value = toObject(scanned.members);
  if (!parsed) {
    return { value, broken, lost: scanned.lost, notes: notesOf(scanned) };
  }
  // JSON of which members were left out on purpose is whole; JSON in which a value holds a member's name is not what it seems.
  const lost = scanned.ambiguous ? scanned.lost : [];
  return { value: scanned.exact ? value : parsed.value, lost, notes: lost };
}

function notesOf({ exact, lost }: ScannedBody): string[] {
  const why = 'the body is not JSON, because Gatus puts values in without escaping them';
  return exact ? [`${why}; nothing was lost`] : [`${why}; it was parsed by the names of its members`, ...lost];
}

/** `gatus.url` becomes the member `url` of the member `gatus`. */
function toObject(members: ReadonlyMap<string, string>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [member, text] of members) {
    const [first = '', second] = member.split('.');
    if (second === undefined) {
      root[first] = text;
    } else {
      root[first] = { ...(root[first] as object | undefined), [second]: text };
    }
  }
  return root;
}

/**
 * The members of a body that is not JSON stand in a known order, so a value is all the text between its own name and the next:
 * `gatusBody` of the contract defines the order.
 *
 * Before a name: the end of a text (and of an object), or of a word such as true; then a comma. Linear in white space.
 */
const COMMA = String.raw`(?:"(?:\s*\})?\s*|(?=,)(?<=:\s*(?:true|false|null)\s*)),\s*`;
const named = (name: string) => String.raw`${COMMA}"${name}"\s*:\s*(?=")`;

/** Members in the order of the layout, with the text before their value. */
const OPENERS: readonly (readonly [member: string, opener: string])[] = [
  ['title', String.raw`^\s*\{\s*"title"\s*:\s*(?=")`],
  ['body', named('body')],
  ['category', named('category')],
  ['dnpName', named('dnpName')],
  ['correlationId', named('correlationId')],
  ['priority', named('priority')],
  ['status', named('status')],
  ['isBanner', String.raw`${COMMA}"isBanner"\s*:\s*(?="|true|false|null)`],
  ['callToAction.url', String.raw`${COMMA}"callToAction"\s*:\s*\{\s*"url"\s*:\s*(?=")`],
  ['callToAction.title', named('title')],
  ['gatus.layout', String.raw`${COMMA}"gatus"\s*:\s*\{\s*"layout"\s*:\s*(?=")`],
  ['gatus.endpoint', named('endpoint')],
  ['gatus.group', named('group')],
  ['gatus.url', named('url')],
  ['gatus.errors', named('errors')],
  ['gatus.conditions', named('conditions')],
];
const MEMBERS = OPENERS.map(([member]) => member);
const OPTIONAL = new Set(['callToAction.url', 'callToAction.title']);
const ANY_OPENER = new RegExp(OPENERS.map(([, opener]) => `(${opener})`).join('|'), 'g');

/** More names than these in one body are no accident; nothing is read then. */
const MAX_OPENERS = 500;

export interface ScannedBody {
  /** Text by member, such as `title` and `gatus.url`; a member that was not found is absent. */
  members: Map<string, string>;
  /** It is the recommended template, found whole, and can be read in one way only: the values are the originals. */
  exact: boolean;
  /** It can be read in several ways. */
  ambiguous: boolean;
  /** Values that were or may have been lost. */
  lost: string[];
}

/** @returns undefined when no member was found */
export function scanGatusBody(text: string): ScannedBody | undefined {
  const openers = findOpeners(text);
  if (openers.length === 0 || openers.length > MAX_OPENERS) {
    return undefined;
  }
  const marked = isMarked(text);
  // Another template may have another order; while each name occurs once, there is no doubt.
  const once = new Set(openers.map(({ rank }) => rank)).size === openers.length;
  const { chain, ways } = once && !marked ? { chain: openers, ways: 1 } : longestChain(openers);
  const lost: string[] = [];
  if (ways > 1) {
    lost.push('a value holds what looks like the name of another member, so values may be cut at the wrong place');
  }
  const { raw, whole } = cut(text, chain);
  if (!whole) {
    lost.push('the end of the body is missing');
  }
  const missing = marked ? MEMBERS.filter((member) => !raw.has(member) && !OPTIONAL.has(member)) : [];
  if (missing.length > 0) {
    lost.push(`not found: ${missing.join(', ')}`);
  }
  const members = marked ? readMarked(raw, lost) : readForeign(raw, lost);
  return { members, exact: marked && lost.length === 0, ambiguous: ways > 1, lost };
}

/** It says of itself that it was written by the recommended template. */
export function isMarked(text: string): boolean {
  return text.includes(`"${GATUS_LAYOUT}"`);
}

function findOpeners(text: string): Opener[] {
  const openers: Opener[] = [];
  ANY_OPENER.lastIndex = 0;
  for (let match = ANY_OPENER.exec(text); match && openers.length <= MAX_OPENERS; match = ANY_OPENER.exec(text)) {
    const after = match.index + match[0].length;
    const rank = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    openers.push({ rank, start: match.index, end: text[after] === '"' ? after + 1 : after });
  }
  return openers;
}

/** The values between the names; the last ends before the quote and the braces that close the body. */
function cut(text: string, chain: readonly Opener[]): { raw: Map<string, string>; whole: boolean } {
  let tail = text.length;
  while (tail > 0 && /[\s}]/.test(text[tail - 1] as string)) {
    tail -= 1;
  }
  const closed = tail < text.length && text.slice(tail).includes('}');
  const quoted = closed && text[tail - 1] === '"';
  const end = closed ? tail - (quoted ? 1 : 0) : text.length;
  const raw = new Map<string, string>();
  chain.forEach((opener, position) => {
    const until = chain[position + 1]?.start ?? Math.max(opener.end, end);
    raw.set(MEMBERS[opener.rank] as string, text.slice(opener.end, until));
  });
  const last = chain.at(-1) as Opener;
  return { raw, whole: closed && end >= last.end && (quoted || text[last.end - 1] !== '"') };
}

/**
 * Text of the recommended template. What Gatus put in is taken as it stands: everything inside `gatus`, the description,
 * the status, and members that are an endpoint's name and group. What the template itself says is JSON.
 */
function readMarked(raw: ReadonlyMap<string, string>, lost: string[]): Map<string, string> {
  const endpoint = raw.get('gatus.endpoint') ?? '';
  const group = raw.get('gatus.group') ?? '';
  const put = new Set([endpoint, group, `${group}_${endpoint}`]);
  return new Map(
    [...raw].map(([member, text]) => {
      if (member === 'gatus.errors') {
        return [member, unquote(text)];
      }
      const asItStands = member === 'body' || member === 'status' || member.startsWith('gatus.') || put.has(text);
      return [member, asItStands ? text : decode(member, text, lost)];
    })
  );
}

/** Text of some other template: what can be read as JSON is, the rest is taken as it stands. */
function readForeign(raw: ReadonlyMap<string, string>, lost: string[]): Map<string, string> {
  return new Map([...raw].map(([member, text]) => [member, decode(member, text, lost)]));
}

/** Gatus puts a backslash before each quote in errors, and before nothing else. */
function unquote(text: string): string {
  return text.replaceAll('\\"', '"');
}

function decode(member: string, text: string, lost: string[]): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    if (text.includes('\\')) {
      lost.push(`${member} is no JSON text; it is shown as it came, with its backslashes`);
    }
    return text;
  }
}

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
