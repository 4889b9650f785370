/** Parses the text of a manifest into a tree whose nodes know their positions. */
import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type Finding } from '../../../contract/finding.ts';
import { MAX_DEPTH, pointerToken } from '../../../contract/text.ts';

export type Path = readonly (string | number)[];
export type Place = Pick<Finding, 'pointer' | 'line' | 'column' | 'endLine' | 'endColumn'>;

/** Names with a special meaning in JavaScript: reported, never read. */
export const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface Span {
  offset: number;
  length: number;
}

/** Maps offsets to lines and columns. Lines end with LF, CR LF or CR, as in editors. */
export class Lines {
  readonly #starts: number[] = [0];
  readonly #end: number;

  constructor(text: string) {
    for (const match of text.matchAll(/\r\n|\n|\r/g)) {
      this.#starts.push(match.index + match[0].length);
    }
    this.#end = text.length;
  }

  /** Both from 1, in UTF-16 code units. */
  at(offset: number): { line: number; column: number } {
    const within = Math.min(Math.max(offset, 0), this.#end);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= within) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low + 1, column: within - this.#starts[low]! + 1 };
  }

  place({ offset, length }: Span, pointer: string): Place {
    const start = this.at(offset);
    const end = this.at(offset + length);
    return { pointer, ...start, endLine: end.line, endColumn: end.column };
  }
}

/** JSON Pointer (RFC 6901); empty: the whole file. */
export const pointerOf = (path: Path): string =>
  path
    .map((step) => `/${pointerToken(step)}`)
    .join('')
    .toWellFormed();

/** SyntaxKind.EOF of the parser, a const enum that does not exist at run time. */
const END_OF_FILE = 17;

/** The first bracket beyond the nesting limit. The parser is recursive and must not receive such a text. */
export function tooDeep(text: string): Span | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END_OF_FILE; token = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const first = text[offset];
    if (first === '{' || first === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return { offset, length: 1 };
      }
    } else if (first === '}' || first === ']') {
      depth -= 1;
    }
  }
  return undefined;
}

/** Tolerant: on errors the tree holds what could be parsed. Call `tooDeep` first. */
export function parse(text: string): { tree?: Node; errors: ParseError[] } {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  return { ...(tree && { tree }), errors };
}

/** The value of a tree without reserved members; the last of duplicate members wins. */
export function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'object': {
      const value: Record<string, unknown> = {};
      for (const { key, value: member } of members(node)) {
        if (!RESERVED.has(key.value as string)) {
          value[key.value as string] = valueOf(member);
        }
      }
      return value;
    }
    case 'array':
      return (node.children ?? []).map(valueOf);
    default:
      return node.value;
  }
}

/** The members of an object that have a value. */
export function members(node: Node): { key: Node; value: Node }[] {
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key && value ? [{ key, value }] : [];
  });
}

interface Found {
  key?: Node;
  value: Node;
}

/** Finds members by path, each object indexed once. */
export class Index {
  readonly #tree: Node;
  readonly #objects = new Map<Node, Map<string, Found>>();

  constructor(tree: Node) {
    this.#tree = tree;
  }

  find(path: Path): Found | undefined {
    let found: Found | undefined = { value: this.#tree };
    for (const step of path) {
      found = found && this.#step(found.value, step);
    }
    return found;
  }

  /**
   * The span to highlight: a short value itself, the key of an object or a list, the opening bracket of the parent of a
   * missing member.
   */
  span(path: Path, what: 'value' | 'key' = 'value'): Span {
    const found = this.find(path);
    if (!found) {
      return path.length === 0 ? { offset: 0, length: 0 } : this.span(path.slice(0, -1));
    }
    const { key, value } = found;
    const composite = value.type === 'object' || value.type === 'array';
    const shown = key && (what === 'key' || composite) ? key : value;
    return { offset: shown.offset, length: composite && shown === value ? 1 : shown.length };
  }

  #step(node: Node, step: string | number): Found | undefined {
    if (node.type === 'array' && typeof step === 'number') {
      const value = node.children?.[step];
      return value && { value };
    }
    return node.type === 'object' ? this.#members(node).get(String(step)) : undefined;
  }

  #members(node: Node): Map<string, Found> {
    let known = this.#objects.get(node);
    if (!known) {
      known = new Map(members(node).map(({ key, value }) => [key.value as string, { key, value }]));
      this.#objects.set(node, known);
    }
    return known;
  }
}
