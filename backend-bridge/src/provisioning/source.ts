/** A provisioning file with the positions of its values, for findings. Pure. */
import { z } from 'zod';
import { type Hidden, HIDDEN } from '../../contract/channelTypes/index.ts';
import type { Span } from '../../contract/condition.ts';
import { MAX_FILE_LENGTH } from '../../contract/finding.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { pointerToken } from '../../contract/text.ts';
import { nearest } from '../validation/source/messages.ts';
import { locate, type ScalarNode, type Source as ParsedSource, type SourceNode } from '../validation/source/source.ts';
import { parseYaml, type YamlOptions, type YamlProblem } from '../validation/source/yaml.ts';

const MAX_MISTAKES = 20;
/** One file may provision thousands of packages: its tokens are limited by its size only. */
const OPTIONS: YamlOptions = { strict: true, maxTokens: MAX_FILE_LENGTH, maxValues: 200_000 };

type Path = readonly PropertyKey[];
type FindingText = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;

export interface Source {
  file: string;
  parsed: ParsedSource;
}

/** Replaces messages of the parser that are meant for programmers. */
const MESSAGES: Partial<Record<string, string>> = {
  DUPLICATE_KEY: 'This member is duplicated: keep one.',
  TAB_AS_INDENT: 'Tabs cannot be used for indentation: use spaces.',
  NON_STRING_KEY: 'The name of a member must be text.',
};

/** @returns the source, or its YAML errors */
export function readSource(file: string, text: string): Source | ProvisioningFinding[] {
  const parsed = parseYaml(text, OPTIONS);
  const source = { file, parsed };
  const { problems } = parsed;
  return problems.length === 0
    ? source
    : problems.slice(0, MAX_MISTAKES).map((problem) => yamlFinding(source, problem));
}

function yamlFinding(source: Source, { rule, code, message, start, end }: YamlProblem): ProvisioningFinding {
  const { text } = source.parsed;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1).split('\n', 1)[0]!;
  // Messages of the parser quote what they are about.
  const said = SECRET.test(line) ? 'This line is not valid YAML: put its values in quotes' : message;
  const detail =
    rule === 'yaml-documents'
      ? 'A second document starts here: write one document per file.'
      : (MESSAGES[code ?? ''] ?? said.replace(/\.?$/, '.'));
  return findingIn(source, { start, end }, { rule: 'yaml', verdict: 'error', title: 'Invalid YAML', detail });
}

/**
 * Replaces every string that is a value, not a key, once even if it has aliases.
 * @param except members of the file
 */
export function replaceTexts(
  { parsed }: Source,
  replace: (text: string, node: ScalarNode) => string,
  except: readonly string[]
): void {
  const seen = new Set<SourceNode>();
  const visit = (node: SourceNode): void => {
    if (seen.has(node)) {
      return;
    }
    seen.add(node);
    if (node.kind === 'scalar') {
      node.value = typeof node.value === 'string' ? replace(node.value, node) : node.value;
    } else {
      (node.kind === 'list' ? node.items : node.entries.map((member) => member.node)).forEach(visit);
    }
  };
  const { root } = parsed;
  if (root?.kind === 'map') {
    root.entries.filter(({ name }) => !except.includes(name)).forEach(({ node }) => visit(node));
  } else if (root) {
    visit(root);
  }
}

/**
 * At the value of the path, else at its nearest parent.
 * @param at a number: at this character of the value
 */
export function findingAt(
  source: Source,
  path: Path,
  base: FindingText,
  at: 'key' | 'value' | number = 'value'
): ProvisioningFinding {
  const found = source.parsed.root && locate(source.parsed.root, path);
  const known = found?.depth === path.length ? found : undefined;
  const exact =
    at === 'key' ? (known?.key ?? known?.node) : typeof at === 'number' && known && characterOf(source, known.node, at);
  const span = exact || found?.node;
  const pointer = path.map((key) => `/${pointerToken(key)}`).join('');
  return findingIn(source, span ?? { start: 0, end: 0 }, base, pointer);
}

/** The position of a character of a text, unless the text is folded or has escapes. */
function characterOf({ parsed: { text } }: Source, node: SourceNode, offset: number): Span | undefined {
  const value = node.kind === 'scalar' ? String(node.value) : '';
  const before = value.slice(0, offset);
  const source = text.slice(node.start, node.end);
  const at = (start: number): Span => ({ start, end: start + 1 });
  if (!/^[|>]/.test(source)) {
    const start = source.indexOf(value);
    return start === -1 ? undefined : at(node.start + start + offset);
  }
  const line = before.split('\n').length;
  const lines = source.split('\n');
  const indent = /^ */.exec(lines.slice(1).find((one) => one.trim() !== '') ?? '')![0].length;
  if (lines[line]?.slice(indent).trimEnd() !== value.split('\n')[line - 1]?.trimEnd()) {
    return undefined;
  }
  const column = before.length - (before.lastIndexOf('\n') + 1);
  return at(node.start + lines.slice(0, line).join('\n').length + 1 + indent + column);
}

export function findingIn({ file, parsed }: Source, span: Span, base: FindingText, pointer = ''): ProvisioningFinding {
  return { ...base, file, pointer, ...parsed.lines.place({ start: span.start, end: Math.max(span.start, span.end) }) };
}

/** The text of the file at that path, before variables were replaced; undefined if there is none. */
function sourceText({ parsed }: Source, path: Path): string | undefined {
  const span = parsed.find(path)?.node;
  return span && parsed.text.slice(span.start, span.end);
}

/** Members whose values are not repeated in messages: a rejected URL may contain a password. */
const SECRET = /token|password|secret|credentials|^(url|ics)$|Url$/i;
/** The file, and members whose entries hold such values. */
const WITH_SECRETS = new Set<PropertyKey | undefined>([undefined, 'senders', 'chains', 'channels', 'schedules']);
const isSecret = (path: readonly PropertyKey[]): boolean =>
  SECRET.test(String(path.at(-1))) || (path[0] === 'channels' && HIDDEN.includes(path[2] as Hidden));

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
  const isEntry = path.length < 3 && text !== '[]' && WITH_SECRETS.has(path[0]);
  if (isEntry || isSecret(path) || SECRET.test(text)) {
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
      return [
        'Unknown value',
        `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`,
      ];
    case 'too_small':
      return ['Too short', `${issue.origin === 'array' ? 'a list' : 'text'} that is not empty`];
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
