/**
 * Matchers of labels, in the UTF-8 syntax of Alertmanager (0.27 and later): `severity="critical", instance=~"node.*"`. Parsing and
 * formatting need no regular expressions; evaluating gets them from {@link CompileRegex} (`matcherRegex.ts`), so that pages can load them late.
 * The rules: https://prometheus.io/docs/alerting/latest/configuration/#matcher
 */
import { LIMITS } from './limits.ts';
import { fitsBytes, grouped, show } from './text.ts';

/** A condition on one label. */
export interface Matcher {
  name: string;
  /** Value, or regular expression (RE2, anchored). */
  value: string;
  isRegex: boolean;
  /** False: labels that do not match. */
  isEqual: boolean;
}

export type Labels = Readonly<Record<string, string>>;
/** Empty: there is no such label. */
export const labelOf = (labels: Labels, name: string): string => (Object.hasOwn(labels, name) ? labels[name]! : '');
/** Whether the label's value matches. */
export type Test = (value: string) => boolean;
/** Compiles a regular expression that must match the whole value. @throws Error with the reason, if it is invalid */
export type CompileRegex = (pattern: string) => Test;

export const OPERATORS = ['=', '!=', '=~', '!~'] as const;
export type Operator = (typeof OPERATORS)[number];

const OPERATOR_LIST = OPERATORS.join(', ');
/** Tokens that the grammar of matchers expects, for error messages. */
export const EXPECTED = {
  name: 'the name of a label',
  operator: `an operator: ${OPERATOR_LIST}`,
  value: 'a value, in double quotes if it contains spaces or any of {}!=~,\\"\'`',
  comma: 'a comma, or the end',
  commaOrBrace: 'a comma or }',
  matcherOrBrace: 'the name of a label, or }',
  matcherOrEnd: 'the name of a label, or the end',
  end: 'the end',
  quote: 'the closing double quote',
  escapes:
    'in double quotes: the escapes \\" \\\\ \\n \\t \\r \\a \\b \\f \\v \\x41 \\101 \\u0041 \\U00000041, no line breaks, and valid UTF-8',
  notEqual: '!= or !~',
  regex: 'a regular expression of RE2',
  bytes: `a name or value of at most ${grouped(LIMITS.matcherBytes.value)} bytes of UTF-8`,
  count: `at most ${LIMITS.matchers.value} matchers`,
} as const;
export type Expected = keyof typeof EXPECTED;

/** Invalid matchers. */
export class MatcherError extends Error {
  override name = 'MatcherError';
  /** The text there; empty: the end. */
  readonly found: string;
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
  /** Token that the grammar expects at the offset. */
  readonly expected: Expected;
  /** Why a regular expression is invalid. */
  readonly reason: string | undefined;

  constructor(input: string, offset: number, found: string, expected: Expected, reason?: string) {
    const character = Array.from(input.slice(0, offset)).length + 1;
    const what = found === '' ? 'the end' : show(found);
    super(
      `Character ${character}: found ${what}, expected ${EXPECTED[expected]}${reason === undefined ? '' : ` (${reason})`}.`
    );
    this.found = found;
    this.offset = offset;
    this.expected = expected;
    this.reason = reason;
  }
}

interface Token {
  kind: 'brace' | 'operator' | 'text' | 'end' | 'invalid';
  /** As written. */
  text: string;
  offset: number;
}

/** Unicode's White_Space, and Go's: JavaScript's \s has U+FEFF more and U+0085 less. */
const SPACE = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const SKIPPED = new RegExp(`[${SPACE}]*`, 'y');
const TOKEN = new RegExp(
  `(?<brace>[{},])|(?<operator>=~|=|!=|!~)|(?<text>"(?:[^"\\\\]|\\\\[^])*"|[^${SPACE}{}!=~,\\\\"'\`]+)`,
  'y'
);
const PLAIN_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

class Tokens {
  readonly #input: string;
  #at = 0;
  #peeked: Token | undefined;

  constructor(input: string) {
    this.#input = input;
  }

  get peek(): Token {
    return (this.#peeked ??= this.#scan());
  }

  next(): Token {
    const token = this.peek;
    this.#peeked = undefined;
    return token;
  }

  /** @returns whether it was the next one, and was skipped */
  accept(text: string): boolean {
    const isNext = this.peek.kind !== 'text' && this.peek.text === text;
    if (isNext) {
      this.next();
    }
    return isNext;
  }

  take(kind: Token['kind'], expected: Expected): Token {
    return this.peek.kind === kind ? this.next() : this.fail(expected);
  }

  fail(expected: Expected, { offset, text }: Pick<Token, 'offset' | 'text'> = this.peek, reason?: string): never {
    throw new MatcherError(this.#input, offset, text, expected, reason);
  }

  #scan(): Token {
    SKIPPED.lastIndex = this.#at;
    SKIPPED.exec(this.#input);
    const offset = SKIPPED.lastIndex;
    if (offset >= this.#input.length) {
      return { kind: 'end', text: '', offset };
    }
    TOKEN.lastIndex = offset;
    const match = TOKEN.exec(this.#input);
    if (match === null) {
      return this.#invalid(offset);
    }
    this.#at = TOKEN.lastIndex;
    const { brace, operator } = match.groups ?? {};
    return { kind: brace ? 'brace' : operator ? 'operator' : 'text', text: match[0], offset };
  }

  #invalid(offset: number): Token {
    const text = this.#input.slice(offset);
    const [first = ''] = text;
    if (first === '"') {
      return this.fail('quote', { offset, text });
    }
    const token = { kind: 'invalid', text: first, offset } as const;
    return first === '!' ? this.fail('notEqual', token) : token;
  }
}

/**
 * Parses matchers, with or without braces; an empty text has none.
 * @param compile if given, regular expressions are compiled too
 * @throws MatcherError
 */
export function parseMatchers(input: string, compile?: CompileRegex): Matcher[] {
  const tokens = new Tokens(input);
  const braces = tokens.accept('{');
  const matchers: Matcher[] = [];
  const atEnd = () => (braces ? tokens.peek.text === '}' && tokens.peek.kind === 'brace' : tokens.peek.kind === 'end');
  while (!atEnd()) {
    if (tokens.peek.kind !== 'text') {
      tokens.fail(matchers.length === 0 && !braces ? 'name' : braces ? 'matcherOrBrace' : 'matcherOrEnd');
    }
    if (matchers.length === LIMITS.matchers.value) {
      tokens.fail('count');
    }
    matchers.push(parseMatcher(tokens, compile));
    if (!tokens.accept(',') && !atEnd()) {
      tokens.fail(braces ? 'commaOrBrace' : 'comma');
    }
  }
  if (braces) {
    tokens.next();
  }
  tokens.take('end', 'end');
  return matchers;
}

function parseMatcher(tokens: Tokens, compile: CompileRegex | undefined): Matcher {
  const nameToken = tokens.take('text', 'name');
  const name = unquote(tokens, nameToken);
  if (name === '') {
    tokens.fail('name', nameToken);
  }
  const operator = tokens.take('operator', 'operator').text as Operator;
  const valueToken = tokens.take('text', 'value');
  const value = unquote(tokens, valueToken);
  const matcher = { name, value, isRegex: operator.endsWith('~'), isEqual: operator.startsWith('=') };
  if (compile && matcher.isRegex) {
    try {
      compile(value);
    } catch (error) {
      tokens.fail('regex', valueToken, error instanceof Error ? error.message : String(error));
    }
  }
  return matcher;
}

/** The rules of double quotes are those of Go. */
function unquote(tokens: Tokens, token: Token): string {
  const text = token.text.startsWith('"') ? unescape(token.text.slice(1, -1)) : token.text;
  if (text === undefined || !text.isWellFormed() || text.includes('\0')) {
    return tokens.fail('escapes', token);
  }
  return fitsBytes(text, LIMITS.matcherBytes.value) ? text : tokens.fail('bytes', token);
}

const ESCAPE =
  /\\(?:([abfnrtv\\"])|x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[^]|$)|[^\\\n]+|\n/gu;
const CONTROLS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** Escapes in hexadecimal and octal are bytes, as in Go. @returns undefined: invalid */
function unescape(inner: string): string | undefined {
  if (!/[\\\n]/.test(inner)) {
    return inner;
  }
  const bytes: number[] = [];
  for (const match of inner.matchAll(ESCAPE)) {
    const part = readEscape(match);
    if (part === undefined) {
      return undefined;
    }
    bytes.push(...(typeof part === 'number' ? [part] : new TextEncoder().encode(part)));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(bytes));
  } catch {
    return undefined;
  }
}

/** @returns text, or a byte; undefined: invalid */
function readEscape([whole, control, hex, octal, short, long]: RegExpExecArray): string | number | undefined {
  if (control !== undefined) {
    return CONTROLS[control];
  }
  if (hex !== undefined || octal !== undefined) {
    const byte = hex === undefined ? parseInt(octal!, 8) : parseInt(hex, 16);
    return byte <= 0xff ? byte : undefined;
  }
  const code = short ?? long;
  if (code !== undefined) {
    const point = parseInt(code, 16);
    return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : undefined;
  }
  return whole.startsWith('\\') || whole === '\n' ? undefined : whole;
}

/** Formats a matcher: `instance="node1"`. */
export function formatMatcher({ name, value, isRegex, isEqual }: Matcher): string {
  const operator: Operator = isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!=';
  // Only names of other characters need quotes, which releases before 0.27 do not know.
  const left = PLAIN_NAME.test(name) ? name : quoted(name);
  return `${left}${operator}${quoted(value)}`;
}

/** The canonical form, without braces. Parses to the same matchers. */
export const formatMatchers = (matchers: readonly Matcher[]): string => matchers.map(formatMatcher).join(', ');

const quoted = (value: string): string =>
  `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`;

/** @throws as `compile` */
export function compileMatcher({ value, isRegex, isEqual }: Matcher, compile: CompileRegex): Test {
  const test: Test = isRegex ? compile(value) : (found) => found === value;
  return isEqual ? test : (found) => !test(found);
}

/** Whether all matchers match; a label that is missing is the empty text. @throws as `compile` */
export function compileMatchers(matchers: readonly Matcher[], compile: CompileRegex): (labels: Labels) => boolean {
  const tests = matchers.map((matcher) => ({ name: matcher.name, test: compileMatcher(matcher, compile) }));
  return (labels) => tests.every(({ name, test }) => test(labelOf(labels, name)));
}
