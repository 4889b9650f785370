/** Checks the text of a manifest before its content: size, nesting, JSON syntax, member names. */
import { type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { quoteValue, label, plain } from '../messages.ts';
import { members, parse, type Path, pointerOf, RESERVED, type Span, tooDeep } from './document.ts';
import type { Report } from './rules.ts';

/** Upper limit of members of an object and entries of an array. */
export const MAX_MEMBERS = 1_000;
const NUL = String.fromCharCode(0);

/**
 * Parses text into a tree, and reports what prevents it.
 * @param text without a byte order mark
 * @returns undefined when the text is rejected or ambiguous
 */
export function parseText(text: string, report: Report): Node | undefined {
  if (text.length > MAX_FILE_LENGTH) {
    const detail = `The file has ${text.length} characters; the limit is ${MAX_FILE_LENGTH}.`;
    report.addAt('too-large', { offset: 0, length: 0 }, 'The file is too large', detail);
    return undefined;
  }
  if (text.trim() === '') {
    report.addAt('syntax', { offset: 0, length: 0 }, 'The file is empty', 'Expected a JSON object: { "name": …, … }.');
    return undefined;
  }
  const deep = tooDeep(text);
  if (deep) {
    report.addAt('too-deep', deep, 'Nesting too deep', 'Objects and arrays can be nested up to 32 levels deep.');
    return undefined;
  }
  const { tree, errors } = parse(text);
  const clear = errors.length === 0 || isJson(text) || reportSyntax(text, errors, report);
  if (errors.length === 0 && !isJson(text)) {
    report.addAt('syntax', { offset: 0, length: 0 }, 'Invalid JSON', 'The file is not valid JSON (RFC 8259).');
    return undefined;
  }
  return clear && tree && !reportCrowds(tree, [], report) ? tree : undefined;
}

/** Reports objects and arrays with too many members. @returns whether there are any: validation stops there */
function reportCrowds(node: Node, path: Path, report: Report): boolean {
  const children = node.children ?? [];
  if (children.length > MAX_MEMBERS) {
    const what = node.type === 'array' ? 'entries' : 'members';
    const detail = `${label(path)} has ${children.length} ${what}; the limit is ${MAX_MEMBERS}.`;
    report.addAt('too-many', { offset: node.offset, length: 1 }, `Too many ${what}`, detail, pointerOf(path));
    return true;
  }
  const inside =
    node.type === 'array'
      ? children.map((value, place) => ({ value, step: place }))
      : members(node).map(({ key, value }) => ({ value, step: key.value as string }));
  return inside.map(({ value, step }) => reportCrowds(value, [...path, step], report)).includes(true);
}

/** JSON.parse decides what is valid; the other parser knows the positions. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reports duplicate and reserved names, and strings that cannot be stored. */
export function reportTree(node: Node, path: Path, report: Report): void {
  if (node.type === 'string') {
    reportBadText(node.value as string, node, path, report);
    return;
  }
  const children = node.children ?? [];
  if (node.type === 'array') {
    children.forEach((child, place) => reportTree(child, [...path, place], report));
  } else {
    reportMembers(node, path, report);
  }
}

function reportMembers(node: Node, path: Path, report: Report): void {
  const before = new Map<string, Span>();
  for (const { key, value } of members(node)) {
    const name = key.value as string;
    const at = [...path, name];
    const twin = before.get(name);
    before.set(name, key);
    if (twin) {
      const detail = `Defined in line ${report.lineOf(twin)} and again in line ${report.lineOf(key)}. The last one applies; remove the other.`;
      report.addAt('duplicate-member', key, `Duplicate member ${label(at)}`, detail, pointerOf(at));
    }
    if (RESERVED.has(name)) {
      const detail = `${quoteValue(name)} has a special meaning in JavaScript and is ignored. Remove it.`;
      report.addAt('reserved-member', key, `Reserved member name ${plain(name)}`, detail, pointerOf(at));
    } else {
      reportBadText(name, key, at, report);
      reportTree(value, at, report);
    }
  }
}

function reportBadText(text: string, span: Span, path: Path, report: Report): void {
  if (text.includes(NUL)) {
    report.addAt(
      'bad-text',
      span,
      `${label(path)} contains a NUL character`,
      'NUL characters cannot be stored. Remove it.',
      pointerOf(path)
    );
  } else if (!text.isWellFormed()) {
    const detail = 'The string contains an unpaired surrogate (RFC 8259, section 8.2). Use the complete pair.';
    report.addAt('bad-text', span, `${label(path)} contains an unpaired surrogate`, detail, pointerOf(path));
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
}

/**
 * Reports syntax errors, one per line.
 * @returns whether the intended content is unambiguous, so that validation can continue
 */
export function reportSyntax(text: string, errors: readonly ParseError[], report: Report): boolean {
  let clear = errors.length <= MAX_ERRORS;
  let reported = 0;
  let last = 0;
  let explained = -1;
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (error.offset === explained) {
      continue; // after a trailing comma the parser reports both the missing name and the missing value
    }
    const mistake = explain(text, error, report);
    clear &&= mistake.clear === true;
    explained = mistake.clear ? error.offset : -1;
    const line = report.lineOf(error);
    if (line !== last && reported < MAX_MISTAKES) {
      report.addAt('syntax', error, mistake.title, mistake.detail);
      last = line;
      reported += 1;
    }
  }
  return clear;
}

function explain(text: string, error: ParseError, report: Report): Mistake {
  const here = wordAt(text, error.offset);
  const code = printParseErrorCode(error.error);
  if ((code === 'PropertyNameExpected' && here === '}') || (code === 'ValueExpected' && here === ']')) {
    const line = report.lineOf({ offset: text.lastIndexOf(',', error.offset), length: 1 });
    return {
      title: 'Trailing comma',
      detail: `Remove the comma in line ${line}: JSON does not allow a comma before ${here}.`,
      clear: true,
    };
  }
  const before = previous(report, endBefore(text, error.offset));
  return MESSAGES[code]?.(here, before) ?? { title: 'Invalid JSON', detail: `${read(here)} This is not allowed here.` };
}

const read = (here: string): string => (here === '' ? 'Unexpected end of file.' : `Found ${quoteValue(here)}.`);

const MESSAGES: Record<string, (here: string, before: string) => Mistake> = {
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

const previous = (report: Report, end: number): string =>
  `line ${report.lineOf({ offset: Math.max(0, end - 1), length: 1 })}`;
