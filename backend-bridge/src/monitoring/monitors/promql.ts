/**
 * Whether a query can stand in a file of rules: it ends where its text ends, it is PromQL by the grammar of Prometheus' own editor,
 * and each part is of the type that the next wants (promql/parser: lex.go, parse.go, "checkAST"). Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { Broken, excerpt, refuseNoVector } from './promqlTypes.ts';

/** After a back slash in quotes. */
const ESCAPE = String.raw`\\(?:[abfnrtv\\]|[0-7]{3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|`;
const TOKEN = new RegExp(
  [
    String.raw`"(?:[^"\\\n]|${ESCAPE}"))*"`,
    String.raw`'(?:[^'\\\n]|${ESCAPE}'))*'`,
    '`[^`]*`',
    String.raw`#[^\n]*`,
    String.raw`[()[\]{}]`,
    String.raw`[\w:.,+\-*/%^=!<>~@ \t\r\n]+`,
  ].join('|'),
  'y'
);
const OPENED_BY: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** A query of a package is short; the walk over its tree goes as deep as it is nested. */
const LONGEST_QUERY = 10_000;

/**
 * @returns what is wrong with it and where, as the second half of a sentence; undefined when a rule can compare what it gives
 */
export function brokenQuery(query: string): string | undefined {
  if (query.length > LONGEST_QUERY) {
    return `it is longer than ${LONGEST_QUERY} characters.`;
  }
  try {
    readTokens(query);
    const tree = parser.parse(query);
    refuseErrors(tree.topNode, query);
    refuseNoVector(tree.topNode, query);
    return undefined;
  } catch (error) {
    if (error instanceof Broken) {
      return `${error.message} (${place(query, error.at)}).`;
    }
    throw error;
  }
}

function place(query: string, at: number): string {
  const lines = query.slice(0, at).split('\n');
  const column = `column ${(lines.at(-1) ?? '').length + 1}`;
  return query.includes('\n') ? `line ${lines.length}, ${column}` : column;
}

/** Quotes, comments, brackets and characters: the grammar below is more lenient with them than Prometheus. */
function readTokens(query: string): void {
  const open: { token: string; at: number }[] = [];
  let isEmpty = true;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < query.length) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(query) ?? [];
    if (token === undefined) {
      throw new Broken(`it cannot be read from ${excerpt(query, at)} on`, at);
    }
    const opener = OPENED_BY[token];
    if (opener !== undefined && open.pop()?.token !== opener) {
      throw new Broken(`it closes a ${token} that is not open`, at);
    }
    if (/^[([{]$/.test(token)) {
      open.push({ token, at });
    }
    isEmpty &&= token.startsWith('#') || token.trim() === '';
  }
  if (isEmpty) {
    throw new Broken('it holds nothing but comments', 0);
  }
  const last = open.at(-1);
  if (last !== undefined) {
    throw new Broken(`it leaves a ${last.token} open`, last.at);
  }
}

function refuseErrors(top: SyntaxNode, query: string): void {
  top.cursor().iterate(({ type, from }) => {
    if (type.isError) {
      throw new Broken(
        from < query.length ? `it cannot be read from ${excerpt(query, from)} on` : 'it ends too soon',
        from
      );
    }
    if (BEHIND_FLAGS.has(type.name)) {
      throw new Broken(
        `it uses ${query.slice(from).split(/\W/, 1)[0]}, which Prometheus takes only with a feature flag`,
        from
      );
    }
  });
}

const BEHIND_FLAGS = new Set(['Fill', 'FillLeft', 'FillRight', 'Smoothed', 'Anchored']);
