/** A parsed file: its values with their positions. `json.ts` and `yaml.ts` read into the same tree. Pure. */
import type { Span } from '../../../contract/condition.ts';
import { type Finding, MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { pointerToken } from '../../../contract/text.ts';

export type Path = readonly (string | number)[];
export type Place = Pick<Finding, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** Offsets are in UTF-16 code units. */
export type SourceNode = MapNode | ListNode | ScalarNode;
export interface ScalarNode extends Span {
  kind: 'scalar';
  value: string | number | boolean | null;
}
export interface ListNode extends Span {
  kind: 'list';
  items: SourceNode[];
}
export interface MapNode extends Span {
  kind: 'map';
  /** The last one of duplicates. */
  members: Map<string, Member>;
  /** All members, in file order. */
  entries: Member[];
}
export interface Member {
  name: string;
  key: Span;
  node: SourceNode;
}

export interface Located {
  /** Absent for items of lists and for the whole file. */
  key?: Span;
  node: SourceNode;
  /** Number of steps of the path that exist. */
  depth: number;
}

/** The value at a path, or the innermost one around it. */
export function locate(root: SourceNode, path: readonly PropertyKey[]): Located {
  let found: Located = { node: root, depth: 0 };
  for (const [index, step] of path.entries()) {
    const { node } = found;
    const member = node.kind === 'map' ? node.members.get(String(step)) : undefined;
    const next = node.kind === 'list' && typeof step === 'number' ? node.items[step] : member?.node;
    if (!next) {
      break;
    }
    found = { ...(member && { key: member.key }), node: next, depth: index + 1 };
  }
  return found;
}

/** @param Problem what prevents or restricts parsing */
export class Source<Problem = unknown> {
  readonly text: string;
  readonly problems: readonly Problem[];
  /** Absent if the text is empty, or could not be parsed. */
  readonly root: SourceNode | undefined;
  #lines: Lines | undefined;

  constructor(text: string, problems: readonly Problem[], root?: SourceNode) {
    this.text = text;
    this.problems = problems;
    this.root = root;
  }

  /** The value at exactly this path. */
  find(path: readonly PropertyKey[]): Located | undefined {
    const found = this.root && locate(this.root, path);
    return found?.depth === path.length ? found : undefined;
  }

  /**
   * The span to highlight: a short value itself, the key of an object or a list, or the parent of a missing member, by its key or
   * opening bracket.
   * @param what `key`: the key in any case
   */
  span(path: readonly PropertyKey[], what: 'value' | 'key' = 'value'): Span {
    if (!this.root) {
      return { start: 0, end: 0 };
    }
    const { key, node, depth } = locate(this.root, path);
    const isComposite = node.kind !== 'scalar';
    if (key && (isComposite || (what === 'key' && depth === path.length))) {
      return key;
    }
    return { start: node.start, end: isComposite ? node.start + 1 : node.end };
  }

  get lines(): Lines {
    // A longer text is rejected as a whole.
    return (this.#lines ??= new Lines(this.text.length > MAX_FILE_LENGTH ? '' : this.text));
  }

  /** A span without its lines after the first one. */
  firstLine({ start, end }: Span): Span {
    const newline = this.text.indexOf('\n', start);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    return { start, end: Math.max(start, this.text[lineEnd - 1] === '\r' && lineEnd > start ? lineEnd - 1 : lineEnd) };
  }
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

  place({ start, end }: Span): Place {
    const [first, last] = [this.at(start), this.at(end)];
    return { ...first, endLine: last.line, endColumn: last.column };
  }
}

/** JSON Pointer (RFC 6901); empty: the whole file. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => `/${pointerToken(step)}`)
    .join('')
    .toWellFormed();

const NONE: ReadonlySet<string> = new Set();

/** The plain value, without positions. `__proto__` is an ordinary member. */
export function plainValue(node: SourceNode, omitted = NONE): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map((item) => plainValue(item, omitted));
    case 'map':
      return Object.fromEntries(
        [...node.members.values()]
          .filter(({ name }) => !omitted.has(name))
          .map((member) => [member.name, plainValue(member.node, omitted)])
      );
  }
}
