/** Parses YAML (and so JSON) into a tree with positions, within limits that reject hostile input. */
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

/** A problem of the text itself. */
export interface YamlProblem extends Span {
  rule: 'yaml-syntax' | 'yaml-limit' | 'yaml-duplicate' | 'yaml-documents';
  message: string;
}
export interface YamlTree {
  problems: YamlProblem[];
  /** Absent if the text is invalid, rejected or empty. */
  root?: YamlNode;
}

/** Levels of nesting; real files have fewer than ten. */
const MAX_DEPTH = 64;
/** Tokens of the text. Real files have some thousands; the parser takes about a microsecond for each. */
const MAX_LEXEMES = 100_000;
/** Values, including those repeated by aliases. */
const MAX_VALUES = 20_000;
/** Later errors are mostly consequences of the first ones. */
const MAX_MISTAKES = 5;

/** Parses the first document of a text. Never throws. */
export function readYaml(text: string): YamlTree {
  try {
    const tokens = tokensOf(text);
    const [first, second] = new Composer({ uniqueKeys: false, logLevel: 'silent' }).compose(tokens);
    const problems = (first?.errors ?? []).map(({ message, pos: [start, end] }) => syntaxProblem(message, start, end));
    if (problems.length > 0) {
      return { problems: firstOfEachLine(problems, text) };
    }
    if (second?.contents) {
      const { range } = second.contents;
      const message = 'The file contains several documents. Only the first one is used.';
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
    // An exception of the parser is caused by the text, so it becomes a finding.
    const message = error instanceof Error ? error.message : String(error);
    return { problems: [syntaxProblem(message, 0, Math.min(1, text.length))] };
  }
}

/** Aborts parsing of a text that exceeds a limit. */
class Refused extends Error {
  readonly problem: YamlProblem;
  constructor(message: string, start: number, end: number) {
    super(message);
    this.problem = { rule: 'yaml-limit', message, start, end };
  }
}

function tokensOf(text: string) {
  if (text.length > MAX_FILE_LENGTH) {
    throw new Refused(`The file has ${text.length} characters; the limit is ${MAX_FILE_LENGTH}.`, 0, 0);
  }
  const parser = new Parser();
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > MAX_LEXEMES) {
      throw new Refused(`The file has more than ${MAX_LEXEMES} tokens.`, parser.offset, parser.offset + 1);
    }
    if (parser.stack.length > MAX_DEPTH) {
      throw new Refused(`The file has more than ${MAX_DEPTH} levels of nesting.`, parser.offset, parser.offset + 1);
    }
    tokens.push(...parser.next(lexeme));
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Advice for the most common errors, by the start of the parser's message. */
const ADVICE: readonly [RegExp, string][] = [
  [/^Unexpected .* at node end/, 'The value ends before this. Quote the complete value.'],
  [/^Nested mappings are not allowed/, 'Quote strings that contain a colon followed by a space.'],
  [/^Missing closing/, 'Missing closing quote.'],
  [/^(All|A) (mapping|sequence|collection)|^Implicit (map )?keys/, 'Check the indentation and the colon.'],
];

function syntaxProblem(message: string, start: number, end: number): YamlProblem {
  const [first = ''] = message.split('\n');
  const short = first.length > 160 ? `${first.slice(0, 159)}…` : first;
  const advice = ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  const sentence = `${short}.`.replace(/[.:]\.$/, '.');
  return {
    rule: 'yaml-syntax',
    message: advice === undefined ? sentence : `${advice} (${sentence})`,
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

/** Aliases share their nodes, but count towards the limit each time. */
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
      throw new Refused(
        `The file has more than ${MAX_VALUES} values, including those repeated by aliases.`,
        start,
        end
      );
    }
  }

  #repeat(name: string, start: number, end: number): YamlNode {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined || anchored === 'open') {
      const why = anchored === 'open' ? 'contains itself' : 'is not defined before its use';
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

  /** `<<` is the merge key of YAML 1.1, which Compose and Gatus support: own members take precedence over merged ones. */
  #members({ items }: YAMLMap): Map<string, YamlMember> {
    const members = new Map<string, YamlMember>();
    const merged: YamlNode[] = [];
    for (const pair of items) {
      const key = pair.key as Node | null;
      const [start, end] = key?.range ?? [0, 0];
      const name = isScalar(key) ? String(scalar(key.value) ?? '') : isAlias(key) ? `*${key.source}` : undefined;
      if (name === undefined) {
        throw new Refused('Keys must be strings.', start, end);
      }
      const node = this.build(pair.value as Node | null);
      if (name === '<<') {
        merged.push(...(node.kind === 'list' ? node.items : [node]));
        continue;
      }
      if (members.has(name)) {
        const message = `${quoteValue(name)} is defined twice. The last one applies.`;
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

/** An omitted value has no position of its own; the end of its key is used. */
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

/** The plain value, without positions. `__proto__` is an ordinary member. */
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
