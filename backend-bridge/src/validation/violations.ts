/** Violations of zod schemas, and the conversion of scalars that DAppNode applies before it validates. */
import type { z } from 'zod';
import { type Path, pointerOf } from './source/source.ts';

type Issue = z.core.$ZodIssue;

export interface Violation {
  path: Path;
  /** The types that are allowed, as in JSON Schema; empty if the type is not what is wrong. */
  types: string[];
  issue: Issue;
}

/** A value as DAppNode reads it: scalars are converted to the expected type. And the errors that remain. */
export interface Converted {
  value: unknown;
  /** Members that were converted, with the expected type. */
  conversions: { path: Path; type: string }[];
  violations: Violation[];
}

/** All violations of a schema; of a union those of the branch that has the type of the value. */
export function violationsOf(schema: z.ZodType, value: unknown): Violation[] {
  const all = (schema.safeParse(value).error?.issues ?? []).flatMap((issue) => flat(issue, []));
  // zod measures the length of whatever has one, also of another type.
  const ofType = new Set(all.filter(({ types }) => types.length > 0).map(({ path }) => pointerOf(path)));
  return all.filter(({ types, path }) => types.length > 0 || !ofType.has(pointerOf(path)));
}

/** Checks a value as DAppNode does: with Ajv's type coercion, https://ajv.js.org/coercion.html */
export function convert(schema: z.ZodType, given: unknown): Converted {
  const conversions: Converted['conversions'] = [];
  let value = given;
  for (;;) {
    const violations = violationsOf(schema, value);
    const convertible = violations.flatMap(({ path, types: [type, ...others] }) => {
      const single = type !== undefined && others.length === 0 && path.length > 0;
      const to = single ? coerce(valueAt(value, path), type) : undefined;
      return single && to !== undefined ? [{ path, type, to }] : [];
    });
    if (convertible.length === 0) {
      return { value, conversions, violations };
    }
    value = structuredClone(value);
    for (const { path, type, to } of convertible) {
      (valueAt(value, path.slice(0, -1)) as Record<string | number, unknown>)[path.at(-1)!] = to;
      conversions.push({ path, type });
    }
  }
}

/** @returns undefined if Ajv does not convert the value to this type */
function coerce(value: unknown, type: string): string | number | boolean | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value === null ? '' : undefined;
    case 'number': {
      const isScalar = typeof value === 'boolean' || value === null || (typeof value === 'string' && value !== '');
      return isScalar && Number.isFinite(Number(value)) ? Number(value) : undefined;
    }
    case 'boolean':
      return value === 'true' || value === 1 ? true : [null, 0, 'false'].includes(value as null) ? false : undefined;
    default:
      return undefined;
  }
}

export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], root);

function flat(issue: Issue, above: Path): Violation[] {
  const path = [...above, ...(issue.path as (string | number)[])];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => !branch.some(isOfOtherType));
    return meant
      ? meant.flatMap((inner) => flat(inner, path))
      : [{ path, types: [...new Set(issue.errors.flat().flatMap(typesOf))], issue }];
  }
  // The only custom check is the one for integers.
  const types = issue.code === 'custom' ? ['integer'] : issue.code === 'invalid_type' ? typesOf(issue) : [];
  return [{ path, types, issue }];
}

const isOfOtherType = ({ code, path }: Issue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');

/** Listed values are strings everywhere. */
function typesOf(issue: Issue): string[] {
  return issue.code === 'invalid_type' ? [issue.expected] : issue.code === 'invalid_value' ? ['string'] : [];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
export const typeName = (type: string): string => TYPE_NAMES[type] ?? type;
