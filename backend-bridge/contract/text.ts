/** Rules for any text and JSON value that comes from outside. Pure; no schema library. */
import { LIMITS } from './limits.ts';

/** Deepest nesting of objects and lists that a body may have. */
export const MAX_DEPTH = LIMITS.bodyDepth.value;

/** Shortens and prints a value for the `found` member of an error. */
export function show(value: unknown): string {
  if (value === undefined) {
    return 'nothing';
  }
  const text = describe(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
  // Cut before it is escaped: it may be megabytes.
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 121)) : String(value);
}

/** A whole number as in `1,000`. Not by the locale functions of V8, which load 8 MB of tables. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Whether a text is at most so long. Bytes of UTF-8. */
export function fitsBytes(text: string, bytes: number): boolean {
  // A UTF-16 code unit takes one to three bytes.
  return text.length * 3 <= bytes || (text.length <= bytes && cutBytes(text, bytes) === text);
}

/** The beginning of a text, without half characters. Bytes of UTF-8. */
export function cutBytes(text: string, bytes: number): string {
  const head = text.slice(0, bytes);
  return text.slice(0, new TextEncoder().encodeInto(head, new Uint8Array(bytes)).read);
}

const ELLIPSIS = '…';

/** A text of at most so many bytes of UTF-8, ending with `…` where it was cut. */
export function ellipsize(text: string, bytes: number): string {
  return fitsBytes(text, bytes) ? text : `${cutBytes(text, bytes - 3)}${ELLIPSIS}`;
}

/** RFC 6901: one reference token, escaped. */
export function pointerToken(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** RFC 6901: a JSON Pointer from a path; the whole document is `#`. */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '#' : path.map((key) => `/${pointerToken(key)}`).join('');
}

/** The names of members and the indexes in a JSON Pointer, as text. */
export const pointerPath = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

const NUL = String.fromCharCode(0);

/** In words: the texts of {@link isStorable}. */
export const STORABLE_TEXT = 'text without NUL and without half a surrogate pair';
/** Whether every store can hold a text. */
export const isStorable = (text: string): boolean => !text.includes(NUL) && text.isWellFormed();

function textMistake(text: string): { found: string; detail: string } | undefined {
  if (text.includes(NUL)) {
    return { found: 'a NUL character (U+0000)', detail: 'Remove the NUL character: it cannot be stored as text.' };
  }
  return text.isWellFormed()
    ? undefined
    : {
        found: 'half of a surrogate pair',
        detail: 'Send whole Unicode characters: half of a surrogate pair is not one (RFC 8259, section 8.2).',
      };
}

/** As the errors of a problem, which are read with this file. */
type BadText = Record<'pointer' | 'found' | 'allowed' | 'detail', string>;

/**
 * Finds text that cannot be stored (NUL, lone surrogates), in values and in member names, and nesting deeper than
 * {@link MAX_DEPTH}.
 * @param value any parsed JSON value
 * @returns one error for each place, at most `LIMITS.countedErrors`; empty when there is none
 */
export function findBadText(value: unknown): BadText[] {
  const errors: BadText[] = [];
  walk(value, [], errors);
  return errors;
}

/** @param path leads to the value; the same array for all, so that a body of millions of values costs no paths */
function walk(value: unknown, path: PropertyKey[], errors: BadText[]): void {
  if (typeof value === 'string') {
    const mistake = textMistake(value);
    if (mistake) {
      errors.push({ pointer: toPointer(path), allowed: 'well-formed Unicode text without NUL', ...mistake });
    }
  } else if (typeof value === 'object' && value !== null) {
    if (path.length >= MAX_DEPTH) {
      errors.push({
        pointer: toPointer(path),
        found: `nesting deeper than ${MAX_DEPTH} levels`,
        allowed: `at most ${MAX_DEPTH} levels of objects and lists`,
        detail: 'Flatten the body.',
      });
    } else if (Array.isArray(value)) {
      walkList(value, path, errors);
    } else {
      walkObject(value as Record<string, unknown>, path, errors);
    }
  }
}

const isFull = (errors: readonly BadText[]): boolean => errors.length >= LIMITS.countedErrors.value;

function walkList(list: readonly unknown[], path: PropertyKey[], errors: BadText[]): void {
  for (let index = 0; index < list.length && !isFull(errors); index += 1) {
    path.push(index);
    walk(list[index], path, errors);
    path.pop();
  }
}

function walkObject(object: Record<string, unknown>, path: PropertyKey[], errors: BadText[]): void {
  for (const key of Object.keys(object)) {
    if (isFull(errors)) {
      return;
    }
    const mistake = textMistake(key);
    if (mistake) {
      const safe = key.replaceAll(NUL, '').toWellFormed();
      errors.push({ pointer: toPointer([...path, safe]), allowed: 'well-formed member names', ...mistake });
      continue;
    }
    path.push(key);
    walk(object[key], path, errors);
    path.pop();
  }
}

/** One place of a JSON value that was changed before it was stored: where, why and how. */
export interface Change {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  reason: string;
}

/**
 * Removes NUL, replaces half a surrogate pair by U+FFFD, and what is nested deeper than {@link MAX_DEPTH} by null. A member whose
 * corrected name another member has is left out.
 * @returns the value, and at most `LIMITS.listedChanges` of the places that were changed
 */
export function cleanJson(value: unknown): { value: unknown; changes: Change[] } {
  const changes: Change[] = [];
  return { value: clean(value, [], changes), changes };
}

/** @param path leads to the value; the same array for all, so that a body of millions of values costs no paths */
function clean(value: unknown, path: PropertyKey[], changes: Change[]): unknown {
  if (typeof value === 'string') {
    return cleanText(value, path, changes);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (path.length >= MAX_DEPTH) {
    addChange(changes, path, `nested deeper than ${MAX_DEPTH} levels; left out`);
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => cleanMember(index, item, path, changes));
  }
  const cleaned = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const name = cleanText(key, path, changes);
    if (name !== key && (Object.hasOwn(value, name) || cleaned.has(name))) {
      addChange(
        changes,
        [...path, name],
        'another member has this name once characters are removed or replaced; left out'
      );
    } else {
      cleaned.set(name, cleanMember(name, member, path, changes));
    }
  }
  // fromEntries defines members, so that one named __proto__ stays a member.
  return Object.fromEntries(cleaned);
}

function cleanMember(key: PropertyKey, member: unknown, path: PropertyKey[], changes: Change[]): unknown {
  path.push(key);
  const cleaned = clean(member, path, changes);
  path.pop();
  return cleaned;
}

function cleanText(text: string, path: readonly PropertyKey[], changes: Change[]): string {
  if (isStorable(text)) {
    return text;
  }
  addChange(changes, path, 'characters that cannot be stored (NUL, half a surrogate pair) were removed or replaced');
  return text.replaceAll(NUL, '').toWellFormed();
}

function addChange(changes: Change[], path: readonly PropertyKey[], reason: string): void {
  if (changes.length < LIMITS.listedChanges.value) {
    const pointer = toPointer(path);
    if (!changes.some((one) => one.pointer === pointer && one.reason === reason)) {
      changes.push({ pointer, reason });
    }
  }
}

/**
 * A link that a page may offer: `http:`, `https:` or a path of the same host (design: contract, links).
 * `//host` and `/\host` lead to another host in a browser and so are no paths.
 * @returns the link without surrounding white space, or undefined when it is not allowed
 */
export function safeLink(link: string): string | undefined {
  const trimmed = link.trim();
  if (trimmed.startsWith('/')) {
    return /^\/(?![/\\])[^\s\\]*$/.test(trimmed) ? trimmed : undefined;
  }
  // browsers drop control characters inside a scheme, so none is allowed
  if (/[\u0000-\u0020\u007f]/.test(trimmed)) {
    return undefined;
  }
  const url = URL.parse(trimmed);
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? trimmed : undefined;
}

const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');
/** In words: the times of {@link isStorableTime}. */
export const STORABLE_TIMES = 'an ISO 8601 date-time of the years 1970 to 9999';

/** Whether a time is written with four digits for its year, and is not negative in cursors. @param text ISO 8601 */
export function isStorableTime(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= 0 && ms <= LAST_TIME;
}

/** The last time that was written: the times of a notification and its thread are often the same. */
let lastTime = { ms: 0, text: new Date(0).toISOString() };

/** A time in UTC milliseconds as ISO 8601. */
export function isoTime(ms: number): string {
  if (ms !== lastTime.ms) {
    lastTime = { ms, text: new Date(ms).toISOString() };
  }
  return lastTime.text;
}
/** ISO 8601 of UTC milliseconds; null stays null. */
export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of a duration such as `30s` or `1h30m`; units: s, m, h, d, w. */
export const durationSeconds = (text: string): number =>
  [...text.matchAll(/(\d+)([smhdw])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit!]!, 0);

/** A JSON object: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const MAX_LINE = 200;

/** Text of another service made safe to show: one line, no control characters, at most 200 characters. */
export function singleLine(text: string): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
