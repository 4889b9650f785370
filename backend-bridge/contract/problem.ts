/**
 * The one error shape of the HTTP API: RFC 9457 problem details, with one entry for each error.
 */
import type { z } from 'zod';
import { component, integer, list, string } from './schema.ts';

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
