/** Approximate syntax highlighting of single JSON and YAML lines. Pure. */

export type PieceKind = 'key' | 'string' | 'value' | 'comment' | 'plain';

export interface Piece {
  kind: PieceKind;
  text: string;
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;
const YAML_KEY = /^(\s*(?:- +)*)((?:"[^"]*"|'[^']*'|[^\s#:'"[{&*!|>%@`-][^:#]*|[^\s#:'"][^:#\s]*))(:)(?=\s|$)/;
const YAML_COMMENT = /(^|\s)#.*$/;
const YAML_VALUE = /^-?\d[\d.]*$|^(?:true|false|null|~)$/;

/** Splits a line of JSON into tokens; joined, they equal the line. */
export function jsonPieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(JSON_TOKEN)) {
    const [all, quoted, colon] = match;
    push(pieces, 'plain', line.slice(end, match.index));
    push(pieces, quoted === undefined ? 'value' : colon === undefined ? 'string' : 'key', quoted ?? all);
    push(pieces, 'plain', quoted === undefined ? '' : (colon ?? ''));
    end = match.index + all.length;
  }
  push(pieces, 'plain', line.slice(end));
  return pieces;
}

/** Splits a line of YAML into tokens; joined, they equal the line. */
export function yamlPieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  const comment = YAML_COMMENT.exec(line);
  const code = comment ? line.slice(0, comment.index) : line;
  const key = YAML_KEY.exec(code);
  let rest = code;
  if (key) {
    const [all, before = '', name = '', colon = ''] = key;
    push(pieces, 'plain', before);
    push(pieces, 'key', name);
    push(pieces, 'plain', colon);
    rest = code.slice(all.length);
  }
  push(pieces, YAML_VALUE.test(rest.trim()) ? 'value' : key || /^\s*- /.test(rest) ? 'string' : 'plain', rest);
  push(pieces, 'comment', comment ? line.slice(comment.index) : '');
  return pieces;
}

function push(pieces: Piece[], kind: PieceKind, text: string) {
  if (text !== '') {
    pieces.push({ kind, text });
  }
}

/** Maximum rendered line length; a minified file is a single line. */
export const LINE_LIMIT = 2000;
const BEFORE = 100;

/** Truncates a long line to its start, or around a column (1-based) beyond it. */
export function cutLine(line: string, column = 1): string {
  if (line.length <= LINE_LIMIT) {
    return line;
  }
  const start = column < LINE_LIMIT - BEFORE ? 0 : column - 1 - BEFORE;
  const end = start + LINE_LIMIT;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
