/** YAML (and so JSON) as a tree in which every value knows its place. Hostile text is refused, not read. */
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import type { Span } from '../../../contract/condition.ts';
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { quoteValue } from '../messages.ts';

export type YamlNode = YamlMap | YamlList | YamlScalar;
export interface YamlScalar extends Span {
  kind: 'scalar';
  value: string | number | boolean | null;
}
export interface YamlList extends Span {
  kind: 'list';
  items: YamlNode[];
}
export interface YamlMap extends Span {
  kind: 'map';
  members: Map<string, YamlMember>;
}
export interface YamlMember {
  key: Span;
  node: YamlNode;
}

/** What is wrong with the text itself. */
export interface YamlProblem extends Span {
  rule: 'yaml-syntax' | 'yaml-limit' | 'yaml-duplicate' | 'yaml-documents';
  message: string;
}
export interface YamlTree {
  problems: YamlProblem[];
  /** Absent when the text is no YAML, is refused, or is empty. */
  root?: YamlNode;
}

/** Levels of nesting; real files have fewer than ten. */
const MAX_DEPTH = 64;
/** Words and signs of the text. A real file has some thousands; yaml needs about a microsecond for each. */
const MAX_LEXEMES = 100_000;
/** Values, with those that aliases repeat. */
const MAX_VALUES = 20_000;
/** What follows the first mistakes are mostly their consequences. */
const MAX_MISTAKES = 5;

/** Reads the first document of a text. Never throws. */
export function readYaml(text: string): YamlTree {
  try {
    const tokens = tokensOf(text);
    const [first, second] = new Composer({ uniqueKeys: false, logLevel: 'silent' }).compose(tokens);
    const problems = (first?.errors ?? []).map(({ message, pos: [start, end] }) => mistake(message, start, end));
    if (problems.length > 0) {
      return { problems: firstOfEachLine(problems, text) };
    }
    if (second?.contents) {
      const { range } = second.contents;
      const message = 'The file holds several documents; only the first is read.';
      problems.push({ rule: 'yaml-documents', message, start: range[0], end: range[1] });
    }
    const root = first?.contents;
    if (!root || (isScalar(root) && root.value === null)) {
      return { problems };
    }
    return { problems, root: new TreeBuilder(problems).build(root) };
  } catch (error) {
    if (error instanceof Refused) {
      return { problems: [error.problem] };
    }
    // Whatever the parser makes of a text, it is the text's fault and not the reader's.
    const message = error instanceof Error ? error.message : String(error);
    return { problems: [mistake(message, 0, Math.min(1, text.length))] };
  }
}

/** Ends the reading of a text that asks for too much. */
class Refused extends Error {
  readonly problem: YamlProblem;
  constructor(message: string, start: number, end: number) {
    super(message);
    this.problem = { rule: 'yaml-limit', message, start, end };
  }
}

function tokensOf(text: string) {
  if (text.length > MAX_FILE_LENGTH) {
    throw new Refused(`The file has ${text.length} characters; ${MAX_FILE_LENGTH} are allowed.`, 0, 0);
  }
  const parser = new Parser();
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > MAX_LEXEMES) {
      throw new Refused(`The file has more than ${MAX_LEXEMES} words and signs.`, parser.offset, parser.offset + 1);
    }
    if (parser.stack.length > MAX_DEPTH) {
      throw new Refused(`The file is nested deeper than ${MAX_DEPTH} levels.`, parser.offset, parser.offset + 1);
    }
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** What to do about the mistakes that people make most, by the beginning of the parser's words. */
const ADVICE: readonly [RegExp, string][] = [
  [/^Unexpected .* at node end/, 'A value ends before this: put all of it into one pair of quotation marks.'],
  [/^Nested mappings are not allowed/, 'A text that holds a colon and a space needs quotation marks.'],
  [/^Missing closing/, 'A quotation mark is not closed.'],
  [/^(All|A) (mapping|sequence|collection)|^Implicit (map )?keys/, 'Look at the indentation and at the colon here.'],
];

function mistake(message: string, start: number, end: number): YamlProblem {
  const [first = ''] = message.split('\n');
  const short = first.length > 160 ? `${first.slice(0, 159)}…` : first;
  const advice = ADVICE.find(([words]) => words.test(message))?.[1];
  const words = `${short}.`.replace(/[.:]\.$/, '.');
  return {
    rule: 'yaml-syntax',
    message: advice === undefined ? words : `${advice} (${words})`,
    start,
    end: Math.max(start, end),
  };
}

function firstOfEachLine(problems: YamlProblem[], text: string): YamlProblem[] {
  const kept: YamlProblem[] = [];
  for (const problem of problems.sort((a, b) => a.start - b.start)) {
    const last = kept.at(-1);
    if (last === undefined || text.slice(last.start, problem.start).includes('\n')) {
      kept.push(problem);
    }
    if (kept.length === MAX_MISTAKES) {
      break;
    }
  }
  return kept;
}

/** Aliases share what they repeat, and count as if they did not. */
class TreeBuilder {
  readonly #problems: YamlProblem[];
  readonly #anchors = new Map<string, { node: YamlNode; size: number } | 'open'>();
  #size = 0;

  constructor(problems: YamlProblem[]) {
    this.#problems = problems;
  }

  build(node: ParsedNode | Node | null): YamlNode {
    const [start, end] = node?.range ?? [0, 0];
    this.#count(1, start, end);
    if (isAlias(node)) {
      return this.#repeat(node.source, start, end);
    }
    const before = this.#size;
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) {
      this.#anchors.set(anchor, 'open');
    }
    const built = this.#convert(node, start, end);
    if (anchor !== undefined) {
      this.#anchors.set(anchor, { node: built, size: this.#size - before });
    }
    return built;
  }

  #count(size: number, start: number, end: number): void {
    this.#size += size;
    if (this.#size > MAX_VALUES) {
      throw new Refused(`The file holds more than ${MAX_VALUES} values, with those that aliases repeat.`, start, end);
    }
  }

  #repeat(name: string, start: number, end: number): YamlNode {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined || anchored === 'open') {
      const why = anchored === 'open' ? 'holds itself' : 'is not defined before';
      throw new Refused(`The alias *${name.slice(0, 40)} ${why}.`, start, end);
    }
    this.#count(anchored.size, start, end);
    return anchored.node;
  }

  #convert(node: ParsedNode | Node | null, start: number, end: number): YamlNode {
    if (isMap(node)) {
      return { kind: 'map', start, end, members: this.#members(node) };
    }
    if (isSeq(node)) {
      return { kind: 'list', start, end, items: node.items.map((item) => this.build(item as Node | null)) };
    }
    return { kind: 'scalar', start, end, value: isScalar(node) ? scalar(node.value) : null };
  }

  /** `<<` is YAML 1.1's merge key, which Compose and Gatus know: its members stand where the map has none of its own. */
  #members({ items }: YAMLMap): Map<string, YamlMember> {
    const members = new Map<string, YamlMember>();
    const merged: YamlNode[] = [];
    for (const pair of items) {
      const key = pair.key as Node | null;
      const [start, end] = key?.range ?? [0, 0];
      const name = isScalar(key) ? String(scalar(key.value) ?? '') : isAlias(key) ? `*${key.source}` : undefined;
      if (name === undefined) {
        throw new Refused('A key must be text.', start, end);
      }
      const node = this.build(pair.value as Node | null);
      if (name === '<<') {
        merged.push(...(node.kind === 'list' ? node.items : [node]));
        continue;
      }
      if (members.has(name)) {
        const message = `${quoteValue(name)} stands here a second time; the last one counts.`;
        this.#problems.push({ rule: 'yaml-duplicate', message, start, end });
      }
      members.set(name, { key: { start, end }, node: located(node, end) });
    }
    for (const one of merged) {
      for (const [name, member] of one.kind === 'map' ? one.members : []) {
        if (!members.has(name)) {
          members.set(name, member);
        }
      }
    }
    return members;
  }
}

/** A value that was left out has no place of its own: it is where its key ends. */
function located(node: YamlNode, keyEnd: number): YamlNode {
  return node.kind === 'scalar' && node.value === null && node.end === 0
    ? { ...node, start: keyEnd, end: keyEnd }
    : node;
}

function scalar(value: unknown): YamlScalar['value'] {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return Number(value);
    default:
      return null;
  }
}

/** A value without places. Members named `__proto__` are members like any other. */
export function plainValue(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plainValue);
    case 'map':
      return Object.fromEntries([...node.members].map(([name, member]) => [name, plainValue(member.node)]));
  }
}
