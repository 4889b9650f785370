/**
 * The one error shape of the HTTP API: RFC 9457 problem details, with one entry for each error.
 */
import type { z } from 'zod';
import { LIMITS } from './limits.ts';
import { component, integer, list, string } from './schema.ts';
import { show, toPointer } from './text.ts';

/** One mistake in the input: where it is, what was found there and what is allowed. */
export const problemErrorSchema = component('ProblemError', 'One error: where, what was found, what is allowed.', {
  pointer: string(
    'JSON Pointer (RFC 6901) into the body; `?name` for a query parameter, `path` for the path, the name of a header, `#` alone for the whole body.'
  ),
  found: string('Value found there, truncated to 120 characters.'),
  allowed: string('Allowed values.'),
  detail: string('A sentence for a person that says what to do.'),
});
export type ProblemError = z.infer<typeof problemErrorSchema>;

/** `application/problem+json`. */
export const problemSchema = component('Problem', 'RFC 9457 problem details.', {
  type: string('Identifies the kind of problem: a URI reference that does not change.'),
  title: string('The kind of problem in a few words.'),
  status: integer('The HTTP status.'),
  detail: string('Cause of this error, and the remedy.'),
  id: string('Identifies this occurrence; the same id stands in the log.'),
  errors: list('The errors found: all of them, up to 20.', problemErrorSchema),
  moreErrors: integer('How many errors were found besides those listed; absent when all are. Counting stops at 1000.')
    .positive()
    .optional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** Kinds of problem: the word ends the `type` URI, the number is the status. */
export const PROBLEM_KINDS = {
  malformed: { status: 400, title: 'The request is malformed' },
  invalid: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'Authentication failed' },
  forbidden: { status: 403, title: 'Not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  timeout: { status: 408, title: 'The request took too long' },
  conflict: { status: 409, title: 'Conflict' },
  loop: { status: 409, title: 'The notification has been here before' },
  gone: { status: 410, title: 'Gone' },
  'too-large': { status: 413, title: 'The body is too large' },
  'not-json': { status: 415, title: 'The body is not JSON' },
  'unsupported-type': { status: 415, title: 'The type of the body is not supported' },
  'too-many': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'The bridge failed' },
  'not-implemented': { status: 501, title: 'Not implemented' },
  'bad-gateway': { status: 502, title: 'Another server did not respond as expected' },
  unavailable: { status: 503, title: 'The store cannot write' },
  busy: { status: 503, title: 'The bridge is busy' },
  'no-history': { status: 503, title: 'Prometheus gives no history' },
} as const;
/** Key of a problem type (RFC 9457); it determines status and title. */
export type ProblemKind = keyof typeof PROBLEM_KINDS;

/** The `type` member for a kind: a relative reference below the schemas' base. */
export function problemType(kind: ProblemKind): string {
  return `/api/v1/problems/${kind}`;
}

/** Notation of the position of an error. */
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
  for (const issue of error.issues.flatMap(ofMeant)) {
    if (errors.length >= most) {
      break;
    }
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.slice(0, most).map((key) => [...issue.path, key]) : [issue.path];
    errors.push(...paths.map((path) => toProblemError(issue, path, root, places)));
  }
  return errors.slice(0, most);
}

/** Issues in the members of the only object of a union that the value can be. */
function ofMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  const [meant, another] = branches.filter((inner) => inner.every(({ path }) => path.length > 0));
  return meant && !another ? meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
}

/** {@link toProblemErrors} for one issue. @param path of the value that is wrong */
export function toProblemError(
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
  root: unknown,
  places: Places = BODY_PLACES
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
  number: 'a number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  int: 'a whole number',
};

/** Where the schema has no words of its own. */
const FORMAT_WORDS: Record<string, string> = {
  'Invalid ISO datetime': 'an ISO 8601 date-time such as 2026-11-23T08:00:00Z',
  'Invalid ISO date': 'a date such as 2026-11-23',
};

function allowedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_type':
      return TYPE_WORDS[issue.expected] ?? issue.expected;
    case 'invalid_union':
      return issue.message === 'Invalid input' ? issue.errors.flat().map(allowedBy).join(' or ') : issue.message;
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
      return FORMAT_WORDS[issue.message] ?? issue.message;
  }
}
