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
type Told = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;

export interface Source {
  file: string;
  text: string;
  doc: Document.Parsed;
  lines: LineCounter;
}

/** For messages of the parser that speak to a programmer. */
const WORDS: Partial<Record<string, string>> = {
  DUPLICATE_KEY: 'This member stands here twice: keep one.',
  MULTIPLE_DOCS: 'A second document begins here: write one a file.',
  TAB_AS_INDENT: 'A tab cannot indent: use spaces.',
  NON_STRING_KEY: 'The name of a member must be text.',
};

/** @returns the source, or what is wrong with its YAML */
export function readSource(file: string, text: string): Source | ProvisioningFinding[] {
  const lines = new LineCounter();
  const whole = (detail: string): ProvisioningFinding[] => [
    { rule: 'yaml', verdict: 'error', title: 'This is no YAML that can be read', detail, file, pointer: '', ...START },
  ];
  if (text.length > MAX_YAML) {
    return whole(`The file is larger than ${MAX_YAML / 1024 / 1024} MiB: split it into several.`);
  }
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const source: Source = { file, text, doc, lines };
  if (doc.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    return whole('Something in it is nested too deep.');
  }
  if (doc.errors.length > 0) {
    return doc.errors.slice(0, MAX_MISTAKES).map(({ code, message, pos: [from, to] }) => ({
      rule: 'yaml',
      verdict: 'error',
      title: 'This is no YAML',
      detail: WORDS[code] ?? message.replace(/\.?$/, '.'),
      file,
      pointer: '',
      ...between(source, from, to),
    }));
  }
  return source;
}

/** Plain JavaScript values. @throws when aliases make far more of it than stands in the text */
export const valuesOf = ({ doc }: Source): unknown => doc.toJS({ maxAliasCount: MAX_ALIASES });

/** Calls for every text that is a value, not a key; what is returned takes its place. */
export function replaceTexts({ doc }: Source, replace: (text: string, node: Scalar<string>) => string): void {
  visit(doc, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') {
        node.value = replace(node.value, node as Scalar<string>);
      }
    },
  });
}

/** At the value that the path leads to, else at the nearest thing above it. */
export function findingAt(source: Source, path: Path, told: Told, at: 'key' | 'value' = 'value'): ProvisioningFinding {
  const node = nodeAt(source, path, at);
  return {
    ...told,
    file: source.file,
    pointer: path.map((key) => `/${pointerToken(key)}`).join(''),
    ...placeOf(source, node),
  };
}

export function findingAtNode(source: Source, node: Node, told: Told): ProvisioningFinding {
  return { ...told, file: source.file, pointer: '', ...placeOf(source, node) };
}

/** What stands in the file at that path, before variables were put in; undefined when nothing does. */
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
