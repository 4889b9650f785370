/** Whether a query can stand in a file of rules (Prometheus documentation, "Querying basics"; promql/parser/lex.go). Pure. */

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

/**
 * Looks at quotes, comments, brackets and characters, not at the grammar: enough that the query ends where its text ends.
 * @returns what is wrong with it; undefined when it is whole
 */
export function brokenQuery(query: string): string | undefined {
  const open: string[] = [];
  let isEmpty = true;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < query.length) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(query) ?? [];
    if (token === undefined) {
      return `it cannot be read from ${JSON.stringify(query.slice(at, at + 20))} on.`;
    }
    const opener = OPENED_BY[token];
    if (opener !== undefined && open.pop() !== opener) {
      return `it closes a ${token} that is not open.`;
    }
    if (/^[([{]$/.test(token)) {
      open.push(token);
    }
    isEmpty &&= token.startsWith('#') || token.trim() === '';
  }
  if (isEmpty) {
    return 'it holds nothing but comments.';
  }
  return open.length > 0 ? `it leaves a ${open.at(-1)} open.` : undefined;
}
