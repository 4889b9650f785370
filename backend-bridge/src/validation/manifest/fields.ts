/** Parsers for single values of a manifest: dependency ranges, timeouts, links, people, CSS. */
import { type CssNode, lexer, parse, walk } from 'css-tree';
import { CID } from 'multiformats/cid';
import semver from 'semver';
import timestring from 'timestring';
import { LINK_KINDS, type PackageLink, type PackageStyle, type Person } from '../../../contract/package.ts';
import { safeLink } from '../../../contract/text.ts';
import type { ManifestDependency } from './manifest.ts';

/** Longest range that is read; semver itself reads versions of at most 256 characters. */
const MAX_RANGE = 256;

/** Whether text is an identifier of content, in a form of IPFS. */
export function isContentId(text: string): boolean {
  try {
    CID.parse(text);
    return text.length <= MAX_RANGE;
  } catch {
    return false;
  }
}

/** The identifier of a path `/ipfs/<identifier>[/…]`; undefined when it is no such path. */
export const contentIdOf = (path: string): string | undefined => /^\/ipfs\/([^/]*)/.exec(path)?.[1];

/** Whether a range of semantic versions can be read; empty text, which semver takes for any version, is none. */
export const isRange = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_RANGE && semver.validRange(text) !== null;

/** Which of the five forms of the specification a value has. */
export function kindOf(range: string): ManifestDependency['kind'] {
  if (range === '*' || range === 'latest') {
    return range === '*' ? 'any' : 'latest';
  }
  if (contentIdOf(range) !== undefined) {
    return 'ipfs';
  }
  if (semver.valid(range) !== null) {
    return 'version';
  }
  return isRange(range) ? 'range' : 'unreadable';
}

/** Default container timeout (specification, Limits), in seconds. */
export const DEFAULT_TIMEOUT = 10;
/** What a timeout applies to (specification, Limits). */
export const TIMEOUT_OPERATIONS: readonly string[] = [
  'package updates',
  'removals',
  'container restarts',
  'start and stop',
  'config environment updates',
  'port mapping updates',
];
/** The package manager's first version that knows it (specification, Versioning). */
export const TIMEOUT_SINCE = '0.2.36';

/** Numbers with units, in any order, with spaces or commas between: what timestring reads without leaving anything out. */
const DURATION = /^(?:[+]?(?:\d+(?:\.\d*)?|\.\d+)\s*[a-z]+[\s,]*)+$/i;

/** A `dockerTimeout` in seconds; undefined when it cannot be read. */
export function readTimeout(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 100) {
    return undefined;
  }
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) {
    return Number(trimmed);
  }
  if (!DURATION.test(trimmed)) {
    return undefined;
  }
  try {
    const seconds = timestring(trimmed);
    return Number.isFinite(seconds) ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/** By key in lower case. Keys of real packages stand beside those of the specification. */
const KINDS: Record<string, PackageLink['kind']> = {
  homepage: 'homepage',
  ui: 'ui',
  webui: 'ui',
  api: 'api',
  queryingapi: 'api',
  endpoint: 'api',
  engineapi: 'engine',
  apiengine: 'engine',
  gateway: 'gateway',
  report: 'report',
};

/** An address of the web that a page may offer. */
export function webLink(address: unknown): string | undefined {
  const safe = typeof address === 'string' && address.length <= 2_000 ? safeLink(address) : undefined;
  return safe?.startsWith('http') ? safe : undefined;
}

export const kindOfLink = (key: string): PackageLink['kind'] =>
  (Object.hasOwn(KINDS, key.toLowerCase()) ? KINDS[key.toLowerCase()] : undefined) ?? 'other';

/** Links that are safe, the predefined first; the issue tracker as `report`. */
export function readLinks(links: Record<string, string>, bugs: string | undefined): PackageLink[] {
  const all = Object.entries(links).flatMap(([key, address]) => {
    const url = address.length <= 2_000 ? safeLink(address) : undefined;
    return url === undefined ? [] : [{ key, kind: kindOfLink(key), url }];
  });
  const report = webLink(bugs);
  if (report !== undefined && !all.some(({ kind }) => kind === 'report')) {
    all.push({ key: 'report', kind: 'report', url: report });
  }
  return all.sort((a, b) => LINK_KINDS.indexOf(a.kind) - LINK_KINDS.indexOf(b.kind));
}

/** Where a browser can read a repository. */
export function repositoryLink({ url, directory }: { url: string; directory?: string }): string | undefined {
  if (url.length > 2_000) {
    return undefined;
  }
  const web = url
    .trim()
    .replace(/^git\+/, '')
    .replace(/^git@([\w.-]+):/, 'https://$1/')
    .replace(/^(?:ssh|git):\/\/(?:git@)?/, 'https://')
    .replace(/\.git$/, '');
  const link = webLink(web);
  const folder = directory?.replace(/^\.?\/+|\/+$/g, '');
  return link?.startsWith('https://github.com/') && folder && /^[\w./-]+$/.test(folder)
    ? `${link}/tree/HEAD/${folder}`
    : link;
}

export interface ReadPerson {
  person: Person;
  /** What is wrong with it, for a sentence; undefined when all is well. */
  wrong?: string;
}

/** Longer text is not taken apart. */
const MAX_PERSON_LENGTH = 500;

/**
 * Reads `name <e-mail> (address)` (specification, Manifest, author). The address may be absent; a name alone is read too,
 * and so is any text: what cannot be taken apart is the name.
 */
export function readPerson(text: string): ReadPerson {
  const [, name = '', email, link] =
    text.length > MAX_PERSON_LENGTH
      ? []
      : (/^([^<>]*?)\s*(?:<([^<>]*)>)?\s*(?:\(([^()<>]*)\))?$/.exec(text.trim()) ?? []);
  const url = link === undefined ? undefined : safeLink(link);
  const person: Person = {
    name: name === '' ? text : name,
    ...(email !== undefined && isEmail(email) && { email }),
    ...(url !== undefined && url.startsWith('http') && { url }),
    text,
  };
  const wrong = mistake(name, email, link, person);
  return wrong === undefined ? { person } : { person, wrong };
}

function mistake(
  name: string,
  email: string | undefined,
  link: string | undefined,
  person: Person
): string | undefined {
  if (name === '') {
    return 'It cannot be taken apart: look for a bracket that is not closed.';
  }
  if (email === undefined) {
    return 'The e-mail address is missing.';
  }
  if (person.email === undefined) {
    return 'What stands in < > is no e-mail address.';
  }
  if (link !== undefined && person.url === undefined) {
    return 'What stands in ( ) is no address of the web.';
  }
  return undefined;
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/**
 * By member of `style`: the property that takes the value, what it takes, and its name on the card. The syntax of `filter`
 * is that of the standard: the library's own takes old forms of one browser as well, and with them any word.
 */
export const STYLES = {
  featuredBackground: { property: 'background', syntax: "<'background'>", to: 'background' },
  featuredColor: { property: 'color', syntax: '<color>', to: 'color' },
  featuredAvatarFilter: { property: 'filter', syntax: 'none | <filter-function>+', to: 'avatarFilter' },
} as const satisfies Record<string, { property: string; syntax: string; to: keyof PackageStyle }>;

const MAX_STYLE_LENGTH = 300;
/** What fetches, refers to something else, or draws what is not in the value. */
const REFUSED_FUNCTIONS = new Set(
  [
    'url',
    'src',
    'image',
    'image-set',
    '-webkit-image-set',
    'cross-fade',
    '-webkit-cross-fade',
    'element',
    '-moz-element',
  ].concat(['paint', 'expression', 'var', 'env', 'attr', 'if', 'inherit', 'random'])
);

export type StyleCheck = { ok: true } | { ok: false; rule: 'style-value' | 'style-left-out'; why: string };

/** Whether a value can be put on a page: it is one of the property, and neither fetches nor refers to anything. */
export function checkStyle(member: keyof typeof STYLES, value: string): StyleCheck {
  if (value.length > MAX_STYLE_LENGTH) {
    return {
      ok: false,
      rule: 'style-left-out',
      why: `It has ${value.length} characters; up to ${MAX_STYLE_LENGTH} are used.`,
    };
  }
  const tree = parseValue(value);
  const refused = tree && refusedFunction(tree);
  if (refused !== undefined) {
    return {
      ok: false,
      rule: 'style-left-out',
      why: `${refused}() is not used: a card fetches nothing and refers to nothing.`,
    };
  }
  return tree && !/[;{}\\<>]/.test(value) && lexer.match(STYLES[member].syntax, tree).error === null
    ? { ok: true }
    : { ok: false, rule: 'style-value', why: `It is no value of the CSS property ${STYLES[member].property}.` };
}

function parseValue(value: string): CssNode | undefined {
  let broken = value.trim() === '';
  try {
    const tree = parse(value, { context: 'value', onParseError: () => (broken = true) });
    return broken ? undefined : tree;
  } catch {
    return undefined;
  }
}

function refusedFunction(tree: CssNode): string | undefined {
  let refused: string | undefined;
  walk(tree, (node) => {
    if (node.type === 'Url') {
      refused ??= 'url';
    } else if (node.type === 'Function' && REFUSED_FUNCTIONS.has(node.name.toLowerCase())) {
      refused ??= node.name.toLowerCase();
    }
  });
  return refused;
}
