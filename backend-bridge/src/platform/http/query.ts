/** Parses query parameters: repeated ones as lists, unknown or duplicate ones as errors. */
import type { Request } from 'express';
import type { z } from 'zod';
import { MAX_ID, parseId } from '../../../contract/id.ts';
import { type Places, toProblemErrors } from '../../../contract/problem.ts';
import { show, toPointer } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { invalid } from './problem.ts';

/** Names of parameters that may occur more than once. */
export const REPEATABLE: ReadonlySet<string> = new Set(
  'category dnpName node priority status correlationId label ruleUid has filter'.split(' ')
);

/**
 * @param schema a strict object of the allowed parameters
 * @throws HttpProblem 400 with every error, as `?name`
 */
export function readQuery<T extends z.ZodType>(
  req: Request,
  schema: T,
  aliases: Readonly<Record<string, string>> = {}
): z.output<T> {
  const given = queryValues(req.url);
  const values = Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const alias = Object.hasOwn(aliases, name) ? aliases[name]! : name;
      return [Object.hasOwn(given, alias) ? name : alias, value];
    })
  );
  const doubled = Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value) && !REPEATABLE.has(name)
      ? [{ pointer: `?${name}`, found: `${value.length} values`, allowed: 'one value', detail: `Give "${name}" once.` }]
      : []
  );
  if (doubled.length > 0) {
    throw invalid(doubled, 'the query');
  }
  return parseOrThrow(schema, values, 'the query', QUERY_PLACES);
}

/** Reads a filter in JSON: numbers and booleans are converted to text. */
export function readFilter<T extends z.ZodType>(filter: Record<string, unknown>, schema: T): z.output<T> {
  const values = Object.entries(filter).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === null || value === '') {
      return [];
    }
    const text = typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;
    return [[name, REPEATABLE.has(name) && !Array.isArray(text) ? [text] : text]];
  });
  // Not by assignment, which would take the member `__proto__` for a prototype.
  return parseOrThrow(schema, Object.fromEntries(values), 'the body', FILTER_PLACES);
}

function parseOrThrow<T extends z.ZodType>(schema: T, values: unknown, what: string, places?: Places): z.output<T> {
  const result = schema.safeParse(values);
  if (!result.success) {
    throw invalid(toProblemErrors(result.error, values, places), what);
  }
  return result.data;
}

const parameterName = (path: readonly PropertyKey[]): string => String(path[0] ?? '');
const QUERY_PLACES: Places = { pointer: (path) => `?${parameterName(path)}`, name: parameterName };
const FILTER_PLACES: Places = {
  pointer: (path) => `/filter${path.length === 0 ? '' : toPointer(path)}`,
  name: (path) => ['filter', ...path.map(String)].join('.'),
};

/** Query parameter that Grafana forwards: the organization of a request that cannot have the header for it. */
const GRAFANAS = 'targetOrgId';

function queryValues(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  const values: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  if (start === -1) {
    return values;
  }
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    // An empty parameter counts as absent; DAppNode's client sends "undefined" for one.
    if (value === '' || value === 'undefined' || name === GRAFANAS) {
      continue;
    }
    const before = values[name];
    if (before === undefined) {
      values[name] = REPEATABLE.has(name) ? [value] : value;
    } else {
      values[name] = [...(Array.isArray(before) ? before : [before]), value];
    }
  }
  return values;
}

/** @throws HttpProblem 400 with every error in a JSON body */
export function readBody<T extends z.ZodType>(body: unknown, schema: T): z.output<T> {
  return parseOrThrow(schema, body, 'the body');
}

/** The parameters of a path. @throws HttpProblem 400 with every error in those of the schema */
export function readParameters<T extends z.ZodType>(req: Request, schema: T): z.output<T> {
  return parseOrThrow(schema, req.params, 'the path', { pointer: () => 'path', name: parameterName });
}

/** @throws HttpProblem 400 if the id in the path is not a positive integer */
export function readId(text: string): number {
  const id = parseId(text);
  if (id !== undefined && id > 0) {
    return id;
  }
  const allowed = `a whole number from 1 to ${MAX_ID}`;
  const found = show(text);
  throw invalid([{ pointer: 'path', found, allowed, detail: `The id must be ${allowed}; found ${found}.` }]);
}

/** All after the first question mark: a later one belongs to the query (RFC 3986, section 3.4). */
export const queryOf = ({ url }: Pick<Request, 'url'>): string =>
  url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';

/**
 * @param text the member `until` of a body, ISO 8601
 * @returns UTC milliseconds
 * @throws HttpProblem 400 if it is past or more than `days` ahead
 */
export function readUntil(text: string, days: number, now: number): number {
  const until = Date.parse(text);
  const allowed = `in the future, and in at most ${days} days`;
  if (until <= now || until > now + days * DAY_MS) {
    throw invalid([{ pointer: '/until', found: text, allowed, detail: `"until" must be ${allowed}; found ${text}.` }]);
  }
  return until;
}
