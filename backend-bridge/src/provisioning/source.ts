/** A YAML file with the positions of its values, for findings. Pure. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import { z } from 'zod';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { pointerToken } from '../../contract/text.ts';
import { nearest } from '../validation/messages.ts';

/** The largest file that is read, in UTF-16 code units. */
export const MAX_YAML = 1024 * 1024;
const MAX_ALIASES = 100;
const MAX_MISTAKES = 20;

type Path = readonly PropertyKey[];
type FindingText = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;

export interface Source {
  file: string;
  text: string;
  doc: Document.Parsed;
  lines: LineCounter;
}

/** Replaces messages of the parser that are meant for programmers. */
const MESSAGES: Partial<Record<string, string>> = {
  DUPLICATE_KEY: 'This member is duplicated: keep one.',
  MULTIPLE_DOCS: 'A second document starts here: write one document per file.',
  TAB_AS_INDENT: 'Tabs cannot be used for indentation: use spaces.',
  NON_STRING_KEY: 'The name of a member must be text.',
};

/** @returns the source, or its YAML errors */
export function readSource(file: string, text: string): Source | ProvisioningFinding[] {
  const lines = new LineCounter();
  const whole = (detail: string): ProvisioningFinding[] => [
    { rule: 'yaml', verdict: 'error', title: 'Invalid YAML', detail, file, pointer: '', ...START },
  ];
  if (text.length > MAX_YAML) {
    return whole(`The file is larger than ${MAX_YAML / 1024 / 1024} MiB: split it into several.`);
  }
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const source: Source = { file, text, doc, lines };
  if (doc.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    return whole('It is nested too deep.');
  }
  if (doc.errors.length > 0) {
    return doc.errors.slice(0, MAX_MISTAKES).map(({ code, message, pos: [from, to] }) => ({
      rule: 'yaml',
      verdict: 'error',
      title: 'Invalid YAML',
      detail: MESSAGES[code] ?? message.replace(/\.?$/, '.'),
      file,
      pointer: '',
      ...between(source, from, to),
    }));
  }
  return source;
}

/** Plain JavaScript values. @throws if aliases expand to too many values */
export const valuesOf = ({ doc }: Source): unknown => doc.toJS({ maxAliasCount: MAX_ALIASES });

/** Replaces every string that is a value, not a key. */
export function replaceTexts({ doc }: Source, replace: (text: string, node: Scalar<string>) => string): void {
  visit(doc, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') {
        node.value = replace(node.value, node as Scalar<string>);
      }
    },
  });
}

/** At the value of the path, else at its nearest parent. */
export function findingAt(
  source: Source,
  path: Path,
  base: FindingText,
  at: 'key' | 'value' = 'value'
): ProvisioningFinding {
  const node = nodeAt(source, path, at);
  return {
    ...base,
    file: source.file,
    pointer: path.map((key) => `/${pointerToken(key)}`).join(''),
    ...placeOf(source, node),
  };
}

export function findingAtNode(source: Source, node: Node, base: FindingText): ProvisioningFinding {
  return { ...base, file: source.file, pointer: '', ...placeOf(source, node) };
}

/** The text of the file at that path, before variables were replaced; undefined if there is none. */
export function sourceText(source: Source, path: Path): string | undefined {
  let there = true;
  const node = nodeAt(source, path, 'value', () => (there = false));
  const range = node?.range;
  return there && range ? source.text.slice(range[0], range[1]) : undefined;
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 } as const;
type Place = Pick<ProvisioningFinding, 'line' | 'column' | 'endLine' | 'endColumn'>;

function placeOf(source: Source, node: Node | undefined): Place {
  return node?.range ? between(source, node.range[0], node.range[1]) : START;
}

function between({ lines, text }: Source, from: number, to: number): Place {
  const start = lines.linePos(Math.min(from, text.length));
  const end = lines.linePos(Math.min(Math.max(from, to), text.length));
  return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col };
}

function nodeAt(
  { doc }: Source,
  path: Path,
  at: 'key' | 'value',
  missing: () => void = () => undefined
): Node | undefined {
  let node: Node | undefined = doc.contents ?? undefined;
  for (const [index, step] of path.entries()) {
    const target: unknown = isAlias(node) ? node.resolve(doc) : node;
    let next: unknown;
    if (isMap(target)) {
      const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      const wantsKey = (at === 'key' && index === path.length - 1) || pair?.value == null;
      next = wantsKey ? pair?.key : pair?.value;
    } else if (isSeq(target)) {
      next = target.items[Number(step)];
    }
    if (next === undefined || next === null) {
      missing();
      return node;
    }
    node = next as Node;
  }
  return node;
}

/** Members whose values are not repeated in messages: a rejected URL may contain a password. */
const SECRET = /token|password|secret|credentials|^url$|Url$/i;

/** @param schema that reported the issue: its members are suggested for unknown ones */
export function mistakesOf(issue: z.core.$ZodIssue, source: Source, schema: z.ZodType): ProvisioningFinding[] {
  if (issue.code === 'unrecognized_keys') {
    const known = membersAt(schema, issue.path);
    return issue.keys.map((key) => unknownMember(source, [...issue.path, key], known));
  }
  const [title, allowed] = messageOf(issue);
  const at = sourceText(source, issue.path);
  const name = issue.path.length === 0 ? 'The file' : pathText(issue.path);
  const detail =
    at === undefined
      ? `${name} is missing: it must be ${allowed}.`
      : `${name} must be ${allowed}; found ${foundText(issue.path, at)}.`;
  return [findingAt(source, issue.path, { rule: 'shape', verdict: 'error', title, detail })];
}

function unknownMember(source: Source, path: PropertyKey[], known: string[]): ProvisioningFinding {
  const name = String(path.at(-1));
  const meant = nearest(name, known);
  const advice = meant === undefined ? `Known members: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  const base = { rule: 'unknown-member', verdict: 'error', title: 'Unknown member' } as const;
  return findingAt(source, path, { ...base, detail: `"${name}" is unknown. ${advice}` }, 'key');
}

/** Value as written in the file: neither values of variables nor secrets are repeated. */
function foundText(path: readonly PropertyKey[], text: string): string {
  if (SECRET.test(String(path.at(-1)))) {
    return 'something else';
  }
  const line = text.split('\n', 1)[0]!.trimEnd();
  return line.length > 80 || line.length < text.trimEnd().length ? `${line.slice(0, 80)} …` : line || 'nothing';
}

/** `packages[0].settings.enabled` */
export function pathText(path: readonly PropertyKey[]): string {
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

/** @returns the title and the allowed values */
function messageOf(issue: z.core.$ZodIssue): [title: string, allowed: string] {
  switch (issue.code) {
    case 'invalid_type':
      return ['Wrong type', TYPES[issue.expected] ?? issue.expected];
    case 'invalid_value':
      return ['Unknown value', `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`];
    case 'too_small':
      return ['Too short', 'text that is not empty'];
    case 'too_big':
      return ['Too long', `not longer than ${issue.maximum}`];
    default:
      return ['Invalid value', issue.message];
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
