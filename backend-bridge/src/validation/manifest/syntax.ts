/** What breaks JSON, in words. */
import { type ParseError, printParseErrorCode } from 'jsonc-parser';
import { type Report } from './report.ts';
import { found } from './words.ts';

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
 * @returns whether it is clear nevertheless what was meant, so that the rest can be judged
 */
export function reportSyntax(text: string, errors: readonly ParseError[], report: Report): boolean {
  let clear = errors.length <= MAX_ERRORS;
  let told = 0;
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
    if (line !== last && told < MAX_MISTAKES) {
      report.sayAt('syntax', error, mistake.title, mistake.detail);
      last = line;
      told += 1;
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
  return SENTENCES[code]?.(here, before) ?? { title: 'Not JSON', detail: `${read(here)} It cannot stand here.` };
}

const read = (here: string): string => (here === '' ? 'The text ends.' : `Found ${found(here)}.`);

const SENTENCES: Record<string, (here: string, before: string) => Mistake> = {
  CommaExpected: (here, before) => {
    if (here === '}' || here === ']') {
      return here === '}' ? unclosed(here, ']', 'A list') : unclosed(here, '}', 'An object');
    }
    const detail = `A comma is missing after ${before}, before ${found(here.replaceAll('"', ''))}.`;
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
