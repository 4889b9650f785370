/** Checks the text of a manifest before its content: size, nesting, JSON syntax, member names. */
import type { Span } from '../../../contract/condition.ts';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { quoteValue, label, plain } from '../source/messages.ts';
import type { ManifestReport } from '../report.ts';
import type { RuleId } from '../rules.ts';
import type { JsonProblem } from '../source/json.ts';
import { type MapNode, type Path, pointerOf, type Source, type SourceNode } from '../source/source.ts';

/** Names with a special meaning in JavaScript: reported, never read. */
export const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Upper limit of members of an object and entries of an array. */
export const MAX_MEMBERS = 1_000;
const NUL = String.fromCharCode(0);

/** @returns whether the text is accepted, or its intended content unambiguous */
export function checkText(source: Source<JsonProblem>, report: ManifestReport): boolean {
  const { text, problems, root } = source;
  const whole = { start: 0, end: 0 };
  if (text.length > MAX_FILE_LENGTH) {
    const detail = `The file has ${text.length} characters; the limit is ${MAX_FILE_LENGTH}.`;
    report.add('too-large', '', whole, 'The file is too large', detail);
    return false;
  }
  if (text.trim() === '') {
    report.add('syntax', '', whole, 'The file is empty', 'Expected a JSON object: { "name": …, … }.');
    return false;
  }
  const isClear = problems.length === 0 || reportSyntax(text, problems, report);
  return isClear && root !== undefined && !reportCrowds(root, [], report);
}

/** Reports objects and arrays with too many members. @returns whether there are any: validation stops there */
function reportCrowds(node: SourceNode, path: Path, report: ManifestReport): boolean {
  const inside =
    node.kind === 'list'
      ? node.items.map((value, step) => ({ value, step }))
      : node.kind === 'map'
        ? node.entries.map((member) => ({ value: member.node, step: member.name }))
        : [];
  if (inside.length > MAX_MEMBERS) {
    const what = node.kind === 'list' ? 'entries' : 'members';
    const detail = `${label(path)} has ${inside.length} ${what}; the limit is ${MAX_MEMBERS}.`;
    const bracket = { start: node.start, end: node.start + 1 };
    report.add('too-many', pointerOf(path), bracket, `Too many ${what}`, detail);
    return true;
  }
  return inside.map(({ value, step }) => reportCrowds(value, [...path, step], report)).includes(true);
}

/** Reports duplicate and reserved names, and strings that cannot be stored. */
export function reportTree(node: SourceNode, path: Path, report: ManifestReport): void {
  switch (node.kind) {
    case 'scalar':
      reportBadText(String(node.value), node, path, report);
      break;
    case 'list':
      node.items.forEach((item, place) => reportTree(item, [...path, place], report));
      break;
    case 'map':
      reportMembers(node, path, report);
  }
}

function reportMembers({ entries }: MapNode, path: Path, report: ManifestReport): void {
  const before = new Map<string, Span>();
  for (const { name, key, node } of entries) {
    const at = [...path, name];
    const twin = before.get(name);
    before.set(name, key);
    if (twin) {
      const detail = `Defined in line ${report.lineOf(twin)} and again in line ${report.lineOf(key)}. The last one applies; remove the other.`;
      report.add('duplicate-member', pointerOf(at), key, `Duplicate member ${label(at)}`, detail);
    }
    if (RESERVED.has(name)) {
      const detail = `${quoteValue(name)} has a special meaning in JavaScript and is ignored. Remove it.`;
      report.add('reserved-member', pointerOf(at), key, `Reserved member name ${plain(name)}`, detail);
    } else {
      reportBadText(name, key, at, report);
      reportTree(node, at, report);
    }
  }
}

function reportBadText(text: string, span: Span, path: Path, report: ManifestReport): void {
  if (text.includes(NUL)) {
    const detail = 'NUL characters cannot be stored. Remove it.';
    report.add('bad-text', pointerOf(path), span, `${label(path)} contains a NUL character`, detail);
  } else if (!text.isWellFormed()) {
    const detail = 'The string contains an unpaired surrogate (RFC 8259, section 8.2). Use the complete pair.';
    report.add('bad-text', pointerOf(path), span, `${label(path)} contains an unpaired surrogate`, detail);
  }
}

/** Upper limit of reported syntax errors; later ones are often consequences. */
const MAX_MISTAKES = 20;
/** With more errors the intended content is no longer clear. */
const MAX_ERRORS = 200;

interface Mistake {
  title: string;
  detail: string;
  /** The intended content is unambiguous, and the tree contains it. */
  clear?: true;
  rule?: RuleId;
}

/**
 * Reports syntax errors, one per line.
 * @returns whether the intended content is unambiguous, so that validation can continue
 */
function reportSyntax(text: string, problems: readonly JsonProblem[], report: ManifestReport): boolean {
  let clear = problems.length <= MAX_ERRORS;
  let reported = 0;
  let last = 0;
  let explained = -1;
  for (const problem of problems.slice(0, MAX_ERRORS)) {
    if (problem.start === explained) {
      continue; // after a trailing comma the parser reports both the missing name and the missing value
    }
    const mistake = explain(text, problem, report);
    clear &&= mistake.clear === true;
    explained = mistake.clear ? problem.start : -1;
    const line = report.lineOf(problem);
    if (line !== last && reported < MAX_MISTAKES) {
      report.add(mistake.rule ?? 'syntax', '', problem, mistake.title, mistake.detail);
      last = line;
      reported += 1;
    }
  }
  return clear;
}

function explain(text: string, { code, start }: JsonProblem, report: ManifestReport): Mistake {
  const here = wordAt(text, start);
  if ((code === 'PropertyNameExpected' && here === '}') || (code === 'ValueExpected' && here === ']')) {
    const line = lineAt(report, text.lastIndexOf(',', start));
    return {
      title: 'Trailing comma',
      detail: `Remove the comma in line ${line}: JSON does not allow a comma before ${here}.`,
      clear: true,
    };
  }
  const before = `line ${lineAt(report, Math.max(0, endBefore(text, start) - 1))}`;
  return MESSAGES[code]?.(here, before) ?? { title: 'Invalid JSON', detail: `${read(here)} This is not allowed here.` };
}

const read = (here: string): string => (here === '' ? 'Unexpected end of file.' : `Found ${quoteValue(here)}.`);

const MESSAGES: Record<string, (here: string, before: string) => Mistake> = {
  TooDeep: () => ({
    rule: 'too-deep',
    title: 'Nesting too deep',
    detail: 'Objects and arrays can be nested up to 32 levels deep.',
  }),
  Invalid: () => ({ title: 'Invalid JSON', detail: 'The file is not valid JSON (RFC 8259).' }),
  CommaExpected: (here, before) => {
    if (here === '}' || here === ']') {
      return here === '}' ? unclosed(here, ']', 'Array') : unclosed(here, '}', 'Object');
    }
    const detail = `Expected a comma after ${before}, before ${quoteValue(here.replaceAll('"', ''))}.`;
    return { title: 'Missing comma', detail, clear: true };
  },
  ColonExpected: (here, before) => ({
    title: 'Missing colon',
    detail: `${read(here)} Expected a colon and a value after the member name, ${before}.`,
  }),
  PropertyNameExpected: (here) => ({
    title: 'Missing member name',
    detail: `${read(here)} Expected a member name in double quotes.`,
  }),
  ValueExpected: (here) => ({
    title: here === '' ? 'Unexpected end of file' : 'Missing value',
    detail: `${read(here)} Expected a value: a string in double quotes, a number, true, false, null, an object or an array.`,
  }),
  CloseBraceExpected: (here) => unclosed(here, '}', 'Object'),
  CloseBracketExpected: (here) => unclosed(here, ']', 'Array'),
  EndOfFileExpected: (here) => ({
    title: 'Content after the manifest',
    detail: `${read(here)} Nothing may follow the closing brace of the manifest.`,
  }),
  InvalidCommentToken: () => ({
    title: 'Comment',
    detail: 'JSON does not support comments. Remove it, or put the text into an unknown member such as "//".',
    clear: true,
  }),
  UnexpectedEndOfComment: () => ({
    title: 'Comment',
    detail: 'JSON does not support comments, and this one is not closed.',
  }),
  UnexpectedEndOfString: () => ({
    title: 'Unterminated string',
    detail: 'The string has no closing double quote on this line. Escape line breaks as \\n.',
  }),
  UnexpectedEndOfNumber: (here) => ({
    title: 'Incomplete number',
    detail: `${read(here)} Expected digits after the decimal point and after the exponent.`,
  }),
  InvalidNumberFormat: (here) => ({
    title: 'Invalid number',
    detail: `${read(here)} Expected a number such as 12, -1 or 0.5.`,
  }),
  InvalidUnicode: () => ({ title: 'Invalid Unicode escape', detail: 'Expected four hexadecimal digits after \\u.' }),
  InvalidEscapeCharacter: () => ({
    title: 'Invalid escape sequence',
    detail: 'Expected one of " \\ / b f n r t u after the backslash. Escape a backslash as \\\\.',
  }),
  InvalidCharacter: () => ({
    title: 'Control character in a string',
    detail: 'Escape tabs as \\t, line breaks as \\n and other control characters as \\u with four digits.',
    clear: true,
  }),
  InvalidSymbol: (here) =>
    here === "'"
      ? { title: 'Single quotes', detail: 'Strings and member names require double quotes.' }
      : {
          title: 'Unquoted string',
          detail: `${read(here)} Strings require double quotes; only true, false and null are unquoted.`,
        },
};

function unclosed(here: string, bracket: string, what: string): Mistake {
  return {
    title: `${what} not closed`,
    detail: `${read(here)} Expected a closing ${bracket}.`,
  };
}

/** The token at an offset, for messages. */
function wordAt(text: string, offset: number): string {
  return /^(?:[\w.+-]+|"[^"\n]{0,40}"?|.)?/su.exec(text.slice(offset, offset + 60))?.[0] ?? '';
}

/** The end of the preceding token. */
function endBefore(text: string, offset: number): number {
  let end = offset;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) {
    end -= 1;
  }
  return end;
}

const lineAt = (report: ManifestReport, start: number): number => report.lineOf({ start, end: start });
