/** Reads one of the operator's files: YAML, variables, shape. Says all mistakes at once, each with its place. Pure. */
import { z } from 'zod';
import { nearest } from '../../contract/nearest.ts';
import { type ProvisioningFile, provisioningFileSchema } from '../../contract/provisioningFile.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { expand } from './expand.ts';
import { findingAt, findingAtNode, readSource, replaceTexts, type Source, sourceText, valuesOf } from './source.ts';

export interface ReadFile {
  findings: ProvisioningFinding[];
  /** Absent when there is a mistake. */
  read?: { value: ProvisioningFile; source: Source };
}

/** Members whose values nobody may read in a message: an address that is refused may hold a password. */
const SECRETS = new Set(['token', 'password', 'url']);

/**
 * @param file its name, for the findings
 * @param env what variables are looked up in
 */
export function readProvisioningFile(file: string, text: string, env: Record<string, string | undefined>): ReadFile {
  const source = readSource(file, text);
  if (Array.isArray(source)) {
    return { findings: source };
  }
  const findings: ProvisioningFinding[] = [];
  replaceTexts(source, (before, node) => {
    const { text: after, mistakes } = expand(before, env);
    findings.push(
      ...mistakes.map((detail) =>
        findingAtNode(source, node, { rule: 'variable', verdict: 'error', title: 'A variable cannot be read', detail })
      )
    );
    return after;
  });
  let values: unknown;
  try {
    values = valuesOf(source);
  } catch (error) {
    const told = { rule: 'yaml', verdict: 'error', title: 'This is no YAML' } as const;
    return { findings: [...findings, findingAt(source, [], { ...told, detail: `${(error as Error).message}.` })] };
  }
  const result = provisioningFileSchema.safeParse(values ?? {});
  findings.push(...(result.error?.issues ?? []).flatMap((issue) => mistakesOf(issue, source)));
  return result.success && findings.length === 0
    ? { findings, read: { value: result.data, source } }
    : { findings: findings.sort((a, b) => a.line - b.line || a.column - b.column) };
}

function mistakesOf(issue: z.core.$ZodIssue, source: Source): ProvisioningFinding[] {
  if (issue.code === 'unrecognized_keys') {
    const known = membersAt(provisioningFileSchema, issue.path);
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
  if (SECRETS.has(String(path.at(-1)))) {
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
