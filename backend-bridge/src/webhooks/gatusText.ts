/**
 * Reads a Gatus body that is not JSON, because a value held a quote, a backslash or a line break. The members stand in a
 * known order, so a value is all the text between its own name and the next: `gatusBody` of the contract says which order.
 */
import { GATUS_LAYOUT } from '../../contract/gatusWebhook.ts';
import { longestChain, type Opener } from './chain.ts';

/** Before a name: the end of a text (and of an object), or of a word such as true; then a comma. Linear in white space. */
const COMMA = String.raw`(?:"(?:\s*\})?\s*|(?=,)(?<=:\s*(?:true|false|null)\s*)),\s*`;
const named = (name: string) => String.raw`${COMMA}"${name}"\s*:\s*(?=")`;

/** Members in the order of the layout, and the text that stands before their value. */
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
  /** What was lost, or may have been. */
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
