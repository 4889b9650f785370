/** Reading a sender's JSON leniently, and saying everything that is wrong with it at once. */
import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import { PAYLOAD_MEMBERS, payloadSchema, SET_BY_BRIDGE, type NotificationPayload } from './notification.ts';
import type { ProblemError } from './problem.ts';
import { findBadText, show, toPointer } from './text.ts';

/** A payload that was understood: the known members, and the others as they came. */
export interface ReadPayload {
  payload: NotificationPayload;
  /** Members that are not part of the payload; kept, never shown. Undefined when there are none. */
  extra: Record<string, unknown> | undefined;
}

const LOWER_CASE = new Set(['priority', 'status']);

/**
 * Real senders are looser than the specification's table: they leave members out, send them empty, or spell them in
 * capitals. Empty and null optional members count as left out; `isBanner` may be text.
 */
function lenient(raw: Record<string, unknown>): {
  known: Record<string, unknown>;
  extra: Record<string, unknown> | undefined;
} {
  const known: Record<string, unknown> = {};
  let extra: [string, unknown][] | undefined;
  for (const [key, value] of Object.entries(raw)) {
    if (!PAYLOAD_MEMBERS.has(key)) {
      if (!SET_BY_BRIDGE.has(key)) {
        (extra ??= []).push([key, value]);
      }
    } else if (key === 'title' || key === 'body') {
      known[key] = value;
    } else if (value !== null && value !== '') {
      known[key] = readMember(key, value);
    }
  }
  return { known, extra: extra && Object.fromEntries(extra) };
}

function readMember(key: string, value: unknown): unknown {
  if (LOWER_CASE.has(key) && typeof value === 'string') {
    return value.trim().toLowerCase();
  }
  if (key === 'isBanner' && typeof value === 'string') {
    const word = value.trim().toLowerCase();
    return word === 'true' ? true : word === 'false' ? false : value;
  }
  if (key === 'callToAction' && isObject(value) && !value.title && !value.url) {
    return undefined;
  }
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads one payload.
 * @param raw a parsed JSON value of any shape
 * @returns the payload, or every mistake in it; never throws
 */
export function readPayload(raw: unknown): { ok: true; value: ReadPayload } | { ok: false; errors: ProblemError[] } {
  if (!isObject(raw)) {
    const allowed = 'a JSON object with at least "title" and "body"';
    return { ok: false, errors: [{ pointer: '#', found: show(raw), allowed, detail: `Send ${allowed}.` }] };
  }
  const badText = findBadText(raw);
  if (badText.length > 0) {
    return { ok: false, errors: badText };
  }
  const { known, extra } = lenient(raw);
  const result = payloadSchema.safeParse(known);
  return result.success
    ? { ok: true, value: { payload: result.data, extra } }
    : { ok: false, errors: toProblemErrors(result.error, raw) };
}

/** How the place of a mistake is written. */
export interface Places {
  pointer: (path: readonly PropertyKey[]) => string;
  /** In a sentence, without quotes. */
  name: (path: readonly PropertyKey[]) => string;
}

const BODY_PLACES: Places = { pointer: toPointer, name: (path) => path.map(String).join('.') };

/**
 * Turns a schema library's issues into ours.
 * @param root the value that was checked, to show what was found
 * @param places default: members of a body, by JSON Pointer
 * @returns at most `LIMITS.countedErrors`
 */
export function toProblemErrors(error: z.ZodError, root: unknown, places: Places = BODY_PLACES): ProblemError[] {
  const errors: ProblemError[] = [];
  const { value: most } = LIMITS.countedErrors;
  for (const issue of error.issues) {
    if (errors.length >= most) {
      break;
    }
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.slice(0, most).map((key) => [...issue.path, key]) : [issue.path];
    errors.push(...paths.map((path) => toProblemError(issue, path, root, places)));
  }
  return errors.slice(0, most);
}

function toProblemError(
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
  root: unknown,
  places: Places
): ProblemError {
  const found = show(
    path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], root)
  );
  const allowed = allowedBy(issue);
  const where = path.length === 0 ? 'The value' : `"${places.name(path)}"`;
  return { pointer: places.pointer(path), found, allowed, detail: `${where} must be ${allowed}; found ${found}.` };
}

const TYPE_WORDS: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  int: 'a whole number',
};

function allowedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_type':
      return TYPE_WORDS[issue.expected] ?? issue.expected;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `not shorter than ${issue.minimum}`
        : `at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `not longer than ${issue.maximum}`
        : `at most ${issue.maximum}`;
    case 'unrecognized_keys':
      return 'absent: no such member is known here';
    default:
      return issue.message;
  }
}
