/** Puts what a schema has to say of a YAML file into sentences with places. Pure. */
import { z } from 'zod';
import { nearest } from '../validation/messages.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { findingAt, type Source, sourceText } from './source.ts';

/** Members whose values nobody may read in a message: an address that is refused may hold a password. */
const SECRET = /token|password|secret|credentials|^url$|Url$/i;

/** @param schema the one that said it: unknown members are compared with those that it knows */
export function mistakesOf(issue: z.core.$ZodIssue, source: Source, schema: z.ZodType): ProvisioningFinding[] {
  if (issue.code === 'unrecognized_keys') {
    const known = membersAt(schema, issue.path);
    return issue.keys.map((key) => unknownMember(source, [...issue.path, key], known));
  }
  const [title, allowed] = wordsOf(issue);
  const at = sourceText(source, issue.path);
  const name = issue.path.length === 0 ? 'The file' : inWords(issue.path);
  const detail =
    at === undefined
      ? `${name} is missing: it must be ${allowed}.`
      : `${name} must be ${allowed}; found ${foundWords(issue.path, at)}.`;
  return [findingAt(source, issue.path, { rule: 'shape', verdict: 'error', title, detail })];
}

function unknownMember(source: Source, path: PropertyKey[], known: string[]): ProvisioningFinding {
  const name = String(path.at(-1));
  const meant = nearest(name, known);
  const advice = meant === undefined ? `Known are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  const told = { rule: 'unknown-member', verdict: 'error', title: 'No such member is known' } as const;
  return findingAt(source, path, { ...told, detail: `"${name}" is not known here. ${advice}` }, 'key');
}

/** As it stands in the file: what came out of a variable is not repeated, nor a secret. */
function foundWords(path: readonly PropertyKey[], text: string): string {
  if (SECRET.test(String(path.at(-1)))) {
    return 'something else';
  }
  const line = text.split('\n', 1)[0]!.trimEnd();
  return line.length > 80 || line.length < text.trimEnd().length ? `${line.slice(0, 80)} …` : line || 'nothing';
}

/** `packages[0].settings.enabled` */
export function inWords(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

const TYPES: Record<string, string> = {
  string: 'text (in quotes where it looks like a number)',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** @returns a title, and what is allowed */
function wordsOf(issue: z.core.$ZodIssue): [title: string, allowed: string] {
  switch (issue.code) {
    case 'invalid_type':
      return ['This is of another kind', TYPES[issue.expected] ?? issue.expected];
    case 'invalid_value':
      return ['This value is not known', `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`];
    case 'too_small':
      return ['This is too short', 'text that is not empty'];
    case 'too_big':
      return ['This is too long', `not longer than ${issue.maximum}`];
    default:
      return ['This does not fit', issue.message];
  }
}

/** The members that the schema knows at a path. */
function membersAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType = unwrapped(schema);
  for (const step of path) {
    if (at instanceof z.ZodObject) {
      at = unwrapped((at.shape as Record<PropertyKey, z.ZodType>)[step]!);
    } else if (at instanceof z.ZodArray) {
      at = unwrapped(at.element as z.ZodType);
    } else if (at instanceof z.ZodRecord) {
      at = unwrapped(at.valueType as z.ZodType);
    }
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}
