/** Reads JSON. On errors the tree holds what could be parsed. */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Span } from '../../../contract/condition.ts';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { MAX_DEPTH } from '../../../contract/text.ts';
import { Source, type SourceNode } from './source.ts';

/** `code`: of the parser, or `TooDeep`, or `Invalid` if only JSON.parse rejects the text. */
export interface JsonProblem extends Span {
  code: string;
}

/**
 * Never throws.
 * @param text without a byte order mark; not parsed beyond the size limit
 */
export function readJson(text: string): Source<JsonProblem> {
  if (text.length > MAX_FILE_LENGTH) {
    return new Source<JsonProblem>(text, []);
  }
  const deep = tooDeep(text);
  if (deep) {
    return new Source(text, [deep]);
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const problems = errors.map(({ error, offset, length }) => ({
    code: printParseErrorCode(error),
    start: offset,
    // The scanner takes a backslash and the first character of a Windows line break for an escape sequence.
    end: offset + length - (text.slice(offset + length - 1, offset + length + 1) === '\r\n' ? 1 : 0),
  }));
  const invalid = problems.length > 0 ? problems : [{ code: 'Invalid', start: 0, end: 0 }];
  return new Source(text, isJson(text) ? [] : invalid, tree && nodeOf(tree));
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

/** SyntaxKind.EOF of the parser, a const enum that does not exist at run time. */
const END_OF_FILE = 17;

/** The first bracket beyond the nesting limit. The parser is recursive and must not receive such a text. */
function tooDeep(text: string): JsonProblem | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END_OF_FILE; token = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const first = text[start];
    if (first === '{' || first === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return { code: 'TooDeep', start, end: start + 1 };
      }
    } else if (first === '}' || first === ']') {
      depth -= 1;
    }
  }
  return undefined;
}

/** Members without a value are omitted. */
function nodeOf(node: Node): SourceNode {
  const { type, children = [] } = node;
  const span = spanOf(node);
  if (type === 'array') {
    return { kind: 'list', ...span, items: children.map(nodeOf) };
  }
  if (type !== 'object') {
    return { kind: 'scalar', ...span, value: node.value as string | number | boolean | null };
  }
  const entries = children.flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ name: key.value as string, key: spanOf(key), node: nodeOf(value) }] : []
  );
  return { kind: 'map', ...span, entries, members: new Map(entries.map((member) => [member.name, member])) };
}

const spanOf = ({ offset, length }: Node): Span => ({ start: offset, end: offset + length });
