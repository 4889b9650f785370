/** Parsers for single values of a manifest: dependency ranges, timeouts, links, people, CSS. */
import { type CssNode, lexer, parse, walk } from 'css-tree';
import { CID } from 'multiformats/cid';
import semver from 'semver';
import timestring from 'timestring';
import { LINK_KINDS, type PackageLink, type PackageStyle, type Person } from '../../../contract/package.ts';
import { STORED_ICON } from '../../../contract/icon.ts';
import { safeLink } from '../../../contract/text.ts';
import type { ManifestDependency } from './manifest.ts';

/** Upper limit of a range; semver accepts versions of at most 256 characters. */
const MAX_RANGE = 256;

/** Whether text is a content identifier (CID). */
export function isContentId(text: string): boolean {
  try {
    CID.parse(text);
    return text.length <= MAX_RANGE;
  } catch {
    return false;
  }
}

/** The CID of a path `/ipfs/<CID>[/…]`; undefined for other paths. */
export const contentIdOf = (path: string): string | undefined => /^\/ipfs\/([^/]*)/.exec(path)?.[1];

/** Whether text is a semantic version range. Empty text, which semver accepts as any version, is not. */
export const isRange = (text: string): boolean =>
  text.trim() !== '' && text.length <= MAX_RANGE && semver.validRange(text) !== null;

/** The form of a dependency's value, one of the five of the specification. */
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
/** Operations that the timeout applies to (specification, Limits). */
export const TIMEOUT_OPERATIONS: readonly string[] = [
  'package updates',
  'removals',
  'container restarts',
  'start and stop',
  'config environment updates',
  'port mapping updates',
];
/** The first version of the package manager that supports it (specification, Versioning). */
export const TIMEOUT_SINCE = '0.2.36';

/** Numbers with units in any order, separated by spaces or commas: what timestring parses completely. */
const DURATION = /^(?:[+]?(?:\d+(?:\.\d*)?|\.\d+)\s*[a-z]+[\s,]*)+$/i;

/** A `dockerTimeout` in seconds; undefined if invalid. */
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
  return parsedBy(timestring, trimmed);
}

/** Parses like DAppNode, which ignores words; undefined if it refuses to install the package. Zero is refused as well. */
export function readTimeoutLeniently(text: string): number | undefined {
  const short = text.slice(0, 100);
  return parsedBy(timestring, short) || parsedBy(Number.parseInt, short) || undefined;
}

function parsedBy(parse: (text: string) => number, text: string): number | undefined {
  try {
    const seconds = parse(text);
    return Number.isFinite(seconds) ? seconds : undefined;
  } catch {
    return undefined;
  }
}

/** Kinds by lowercase key: those of the specification and of real packages. */
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

/** An http(s) URL that is safe to link. */
export function webLink(address: unknown): string | undefined {
  const safe = typeof address === 'string' && address.length <= 2_000 ? safeLink(address) : undefined;
  return safe?.startsWith('http') ? safe : undefined;
}

/** DAppNode's public gateway, which its own pages load the images of packages from. */
const IPFS_GATEWAY = 'https://ipfs-gateway.dappnode.net';

const EMBEDDED = /^data:image\/png;base64,([a-z0-9+/]+={0,2})$/i;

/** The bytes of an image that a manifest holds itself, in base64. */
export const embeddedImage = (avatar: unknown): string | undefined =>
  typeof avatar === 'string' ? EMBEDDED.exec(avatar)?.[1] : undefined;

/** FNV-1a: another image has another name, so that pages load it. */
function nameOf(image: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < image.length; at += 1) {
    hash = Math.imul(hash ^ image.charCodeAt(at), 0x01000193);
  }
  return `${(hash >>> 0).toString(16)}-${image.length}`;
}

/** The http(s) URL of an image; of an embedded one the name of a stored icon; of a path `/ipfs/<CID>[/…]` that in DAppNode's gateway. */
export function iconAddress(address: unknown): string | undefined {
  const image = embeddedImage(address);
  if (image !== undefined) {
    return STORED_ICON + nameOf(image);
  }
  const isPath = typeof address === 'string' && /^\/ipfs\/[\w./-]{1,500}$/.test(address) && !address.includes('..');
  return isPath && isContentId(contentIdOf(address) ?? '') ? IPFS_GATEWAY + address : webLink(address);
}

export const kindOfLink = (key: string): PackageLink['kind'] =>
  (Object.hasOwn(KINDS, key.toLowerCase()) ? KINDS[key.toLowerCase()] : undefined) ?? 'other';

/** Schemes whose URLs run or contain code, or read files. */
const UNSAFE_SCHEMES = new Set(['javascript', 'vbscript', 'data', 'file', 'blob', 'filesystem', 'view-source']);

/** A link to open, or a URL of another scheme, such as `ws:`, `ssh:` and `mailto:`, to copy. Undefined: neither. */
export function readLink(key: string, address: string): PackageLink | undefined {
  if (address.length > 2_000) {
    return undefined;
  }
  const kind = kindOfLink(key);
  const url = safeLink(address);
  if (url !== undefined) {
    return { key, kind, url };
  }
  const [whole, scheme] = /^([a-z][a-z0-9+.-]*):(?:\/\/|(?<=^mailto:))[^\s\p{Cc}\p{Cf}]+$/iu.exec(address.trim()) ?? [];
  return whole === undefined ||
    scheme === undefined ||
    UNSAFE_SCHEMES.has(scheme.toLowerCase()) ||
    scheme.startsWith('http')
    ? undefined
    : { key, kind, url: whole, copyOnly: true };
}

/** Links, predefined ones first; the issue tracker as `report`. */
export function readLinks(links: Record<string, string>, bugs: string | undefined): PackageLink[] {
  const all = Object.entries(links).flatMap(([key, address]) => readLink(key, address) ?? []);
  const report = webLink(bugs);
  if (report !== undefined && !all.some(({ kind }) => kind === 'report')) {
    all.push({ key: 'report', kind: 'report', url: report });
  }
  return all.sort((a, b) => LINK_KINDS.indexOf(a.kind) - LINK_KINDS.indexOf(b.kind));
}

/** The web page of a repository. */
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
  /** Error of the value, as a sentence; undefined if valid. */
  wrong?: string;
}

/** Longer text is not parsed. */
const MAX_PERSON_LENGTH = 500;

/**
 * Parses `name <email> (URL)` (specification, Manifest, author). Email and URL may be absent; text of another form becomes the
 * name.
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
  const wrong = problemOf(name, email, link, person);
  return wrong === undefined ? { person } : { person, wrong };
}

function problemOf(
  name: string,
  email: string | undefined,
  link: string | undefined,
  person: Person
): string | undefined {
  if (name === '') {
    return 'Check for an unclosed bracket.';
  }
  if (email === undefined) {
    return 'The email address is missing.';
  }
  if (person.email === undefined) {
    return 'The text in < > is not an email address.';
  }
  if (link !== undefined && person.url === undefined) {
    return 'The text in ( ) is not an http(s) URL.';
  }
  return undefined;
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/**
 * Members of `style`: the CSS property, its syntax, and the name on the card. The syntax of `filter` is that of the standard: the one of
 * the library includes legacy forms, which match any identifier.
 */
export const STYLES = {
  featuredBackground: { property: 'background', syntax: "<'background'>", to: 'background' },
  featuredColor: { property: 'color', syntax: '<color>', to: 'color' },
  featuredAvatarFilter: { property: 'filter', syntax: 'none | <filter-function>+', to: 'avatarFilter' },
} as const satisfies Record<string, { property: string; syntax: string; to: keyof PackageStyle }>;

const MAX_STYLE_LENGTH = 300;
/** Keywords that every CSS property takes. */
const WIDE: ReadonlySet<string> = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer']);
/** Functions that fetch, reference something, or draw more than the value. */
const REFUSED_FUNCTIONS = new Set([
  ...['url', 'src', 'image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade', 'element'],
  ...['-moz-element', 'paint', 'expression', 'var', 'env', 'attr', 'if', 'inherit', 'random'],
]);

/** `value`: the value to use; undefined for an empty one. */
export type StyleCheck =
  { ok: true; value: string | undefined } | { ok: false; rule: 'style-value' | 'style-left-out'; why: string };

/** Whether a value is safe to use on a page: valid for its property, without URLs and references. */
export function checkStyle(member: keyof typeof STYLES, given: string): StyleCheck {
  const value = given.length > MAX_STYLE_LENGTH ? given : given.trim().replace(/\s*;$/, '');
  if (value === '') {
    return { ok: true, value: undefined };
  }
  if (value.length > MAX_STYLE_LENGTH) {
    const why = `The value has ${value.length} characters; the limit is ${MAX_STYLE_LENGTH}.`;
    return { ok: false, rule: 'style-left-out', why };
  }
  const tree = parseValue(value);
  const refused = tree && refusedFunction(tree);
  if (refused !== undefined) {
    const why = `${refused}() is not allowed: values must not load or reference anything.`;
    return { ok: false, rule: 'style-left-out', why };
  }
  const valid =
    tree !== undefined &&
    !/[;{}\\<>]/.test(value) &&
    (WIDE.has(value.toLowerCase()) || lexer.match(STYLES[member].syntax, tree).error === null);
  return valid
    ? { ok: true, value: value === given.trim() ? given : value }
    : { ok: false, rule: 'style-value', why: `Expected a value of the CSS property ${STYLES[member].property}.` };
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
