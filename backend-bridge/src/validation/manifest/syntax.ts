/** Checks the text of a manifest before its content: size, nesting, JSON syntax, member names. */
import { type Node, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { quoteValue, label, plain } from '../messages.ts';
import { members, parse, type Path, pointerOf, RESERVED, type Span, tooDeep } from './document.ts';
import type { Report } from './rules.ts';

/** Most members of an object, and most entries of a list. */
export const MAX_MEMBERS = 1_000;
const NUL = String.fromCharCode(0);

/**
 * Reads text into a tree, and reports what keeps it from being one.
 * @param text without a byte order mark
 * @returns undefined when it is refused as a whole, or it is not clear what it says
 */
export function parseText(text: string, report: Report): Node | undefined {
  if (text.length > MAX_FILE_LENGTH) {
    const detail = `It has ${text.length} characters; up to ${MAX_FILE_LENGTH} are read. Real manifests have some thousands.`;
    report.addAt('too-large', { offset: 0, length: 0 }, 'The file is too large', detail);
    return undefined;
  }
  if (text.trim() === '') {
    report.addAt('syntax', { offset: 0, length: 0 }, 'The file is empty', 'A manifest is an object: { "name": …, … }.');
    return undefined;
  }
  const deep = tooDeep(text);
  if (deep) {
    report.addAt(
      'too-deep',
      deep,
      'Nested too deep',
      'Objects and lists may be nested 32 deep. Real manifests need five.'
    );
    return undefined;
  }
  const { tree, errors } = parse(text);
  const clear = errors.length === 0 || isJson(text) || reportSyntax(text, errors, report);
  if (errors.length === 0 && !isJson(text)) {
    report.addAt('syntax', { offset: 0, length: 0 }, 'Not JSON', 'The text is not JSON (RFC 8259).');
    return undefined;
  }
  return clear && tree && !reportCrowds(tree, [], report) ? tree : undefined;
}

/** Reports objects and lists with too many members. @returns whether there are any: such a text is not validated further */
function reportCrowds(node: Node, path: Path, report: Report): boolean {
  const children = node.children ?? [];
  if (children.length > MAX_MEMBERS) {
    const what = node.type === 'array' ? 'entries' : 'members';
    const detail = `${label(path)} has ${children.length} ${what}; up to ${MAX_MEMBERS} are allowed.`;
    report.addAt('too-many', { offset: node.offset, length: 1 }, `Too many ${what}`, detail, pointerOf(path));
    return true;
  }
  const inside =
    node.type === 'array'
      ? children.map((value, place) => ({ value, step: place }))
      : members(node).map(({ key, value }) => ({ value, step: key.value as string }));
  return inside.map(({ value, step }) => reportCrowds(value, [...path, step], report)).includes(true);
}

/** The validate of what is JSON; the other parser knows the places. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reports names that are there twice or have a meaning of their own, and text that cannot be stored. */
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
      const detail = `It stands in line ${report.lineOf(twin)} and again in line ${report.lineOf(key)}; the last one counts. Remove one.`;
      report.addAt('duplicate-member', key, `${label(at)} is there twice`, detail, pointerOf(at));
    }
    if (RESERVED.has(name)) {
      const detail = `${quoteValue(name)} has a meaning of its own in JavaScript. It is not read: remove it.`;
      report.addAt('reserved-member', key, `A member is called ${plain(name)}`, detail, pointerOf(at));
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
      `${label(path)} has a NUL character`,
      'Remove it: it cannot be stored.',
      pointerOf(path)
    );
  } else if (!text.isWellFormed()) {
    const detail = 'Half of a surrogate pair is no character (RFC 8259, section 8.2). Write the whole one.';
    report.addAt('bad-text', span, `${label(path)} has half a character`, detail, pointerOf(path));
  }
}

/** Most mistakes that are told; what follows is often a consequence. */
const MAX_MISTAKES = 20;
/** With more of them nothing is clear any longer. */
const MAX_ERRORS = 200;

interface Mistake {
  title: string;
  detail: string;
  /** What is meant is clear, and the tree holds it. */
  clear?: true;
}

/**
 * Reports what breaks JSON, one mistake for each line.
 * @returns whether it is clear nevertheless what was meant, so that the rest can be validated
 */
export function reportSyntax(text: string, errors: readonly ParseError[], report: Report): boolean {
  let clear = errors.length <= MAX_ERRORS;
  let reported = 0;
  let last = 0;
  let explained = -1;
  for (const error of errors.slice(0, MAX_ERRORS)) {
    if (error.offset === explained) {
      continue; // of a comma too many the parser misses both the name and the value that should follow
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
      title: 'A comma too many',
      detail: `Nothing follows the comma in line ${line}. Remove it: JSON has none before ${here}.`,
      clear: true,
    };
  }
  const before = previous(report, endBefore(text, error.offset));
  return MESSAGES[code]?.(here, before) ?? { title: 'Not JSON', detail: `${read(here)} It cannot stand here.` };
}

const read = (here: string): string => (here === '' ? 'The text ends.' : `Found ${quoteValue(here)}.`);

const MESSAGES: Record<string, (here: string, before: string) => Mistake> = {
  CommaExpected: (here, before) => {
    if (here === '}' || here === ']') {
      return here === '}' ? unclosed(here, ']', 'A list') : unclosed(here, '}', 'An object');
    }
    const detail = `A comma is missing after ${before}, before ${quoteValue(here.replaceAll('"', ''))}.`;
    return { title: 'A comma is missing', detail, clear: true };
  },
  ColonExpected: (here, before) => ({
    title: 'A colon is missing',
    detail: `${read(here)} After the name of a member, ${before}, comes a colon and then its value.`,
  }),
  PropertyNameExpected: (here) => ({
    title: 'The name of a member is missing',
    detail: `${read(here)} Here comes the name of a member in double quotes.`,
  }),
  ValueExpected: (here) => ({
    title: here === '' ? 'The text ends too early' : 'A value is missing',
    detail: `${read(here)} Here comes a value: text in double quotes, a number, true, false, null, { or [.`,
  }),
  CloseBraceExpected: (here) => unclosed(here, '}', 'An object'),
  CloseBracketExpected: (here) => unclosed(here, ']', 'A list'),
  EndOfFileExpected: (here) => ({
    title: 'Something follows the manifest',
    detail: `${read(here)} The object before it is complete: nothing may follow.`,
  }),
  InvalidCommentToken: () => ({
    title: 'A comment',
    detail: 'JSON has no comments. Remove it; an unknown member, for example "//", can carry the words.',
    clear: true,
  }),
  UnexpectedEndOfComment: () => ({ title: 'A comment', detail: 'JSON has no comments, and this one does not end.' }),
  UnexpectedEndOfString: () => ({
    title: 'Text without its closing quote',
    detail: 'The text does not end on its line. Close it with a double quote; write a line break in it as \\n.',
  }),
  UnexpectedEndOfNumber: (here) => ({
    title: 'A number that stops',
    detail: `${read(here)} A number has digits after its point and after its e.`,
  }),
  InvalidNumberFormat: (here) => ({ title: 'Not a number', detail: `${read(here)} Write it as 12, -1 or 0.5.` }),
  InvalidUnicode: () => ({ title: 'A broken \\u', detail: 'After \\u come four hexadecimal digits.' }),
  InvalidEscapeCharacter: () => ({
    title: 'A backslash that escapes nothing',
    detail: 'After a backslash comes one of " \\ / b f n r t u. Write a backslash itself as \\\\.',
  }),
  InvalidCharacter: () => ({
    title: 'A control character in text',
    detail: 'Write a tab as \\t, a line break as \\n and others as \\u with four digits.',
    clear: true,
  }),
  InvalidSymbol: (here) =>
    here === "'"
      ? { title: 'Single quotes', detail: 'Text and names of members stand in double quotes.' }
      : {
          title: 'A word without quotes',
          detail: `${read(here)} Text stands in double quotes; of words without them there are true, false and null.`,
        },
};

function unclosed(here: string, bracket: string, what: string): Mistake {
  return {
    title: `${what} is not closed`,
    detail: `${read(here)} ${what} that was opened before needs its ${bracket}.`,
  };
}

/** What stands at a place, for a sentence. */
function wordAt(text: string, offset: number): string {
  return /^(?:[\w.+-]+|"[^"\n]{0,40}"?|.)?/su.exec(text.slice(offset, offset + 60))?.[0] ?? '';
}

/** Where what stands before it ends. */
function endBefore(text: string, offset: number): number {
  let end = offset;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1]!)) {
    end -= 1;
  }
  return end;
}

const previous = (report: Report, end: number): string =>
  `line ${report.lineOf({ offset: Math.max(0, end - 1), length: 1 })}`;
