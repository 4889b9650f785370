/** Reads YAML (and so JSON), within limits that reject hostile input. */
import {
  Composer,
  type ErrorCode,
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
import { quoteValue } from './messages.ts';
import { type MapNode, type Member, type ScalarNode, Source, type SourceNode } from './source.ts';

/** A problem of the text itself. */
export interface YamlProblem extends Span {
  rule: 'yaml-syntax' | 'yaml-limit' | 'yaml-duplicate' | 'yaml-documents';
  /** The parser's code of a syntax error. */
  code?: ErrorCode;
  message: string;
}

export interface YamlOptions {
  /** Duplicate keys, keys that are no strings and further documents are errors, and `<<` is an ordinary key. */
  strict: boolean;
  /** Limit of tokens; the parser takes about a microsecond for each. */
  maxTokens: number;
  /** Limit of values, including those repeated by aliases. */
  maxValues: number;
}

/** Levels of nesting; real files have fewer than ten. */
const MAX_DEPTH = 64;
/** Later errors are mostly consequences of the first ones. */
const MAX_MISTAKES = 5;
/** Real package files have some thousand tokens. */
const OF_PACKAGES: YamlOptions = { strict: false, maxTokens: 100_000, maxValues: 20_000 };

/** Reads the first document of a file of a package, and explains its syntax errors. Never throws. */
export function readYaml(text: string): Source<YamlProblem> {
  const { problems, root } = parseYaml(text, OF_PACKAGES);
  const isBroken = problems.some(({ code }) => code !== undefined);
  return new Source(text, isBroken ? firstOfEachLine(problems.map(explained), text) : problems, root);
}

/** Parses the first document of a text. Never throws. */
export function parseYaml(text: string, options: YamlOptions): Source<YamlProblem> {
  const { strict } = options;
  const problems: YamlProblem[] = [];
  try {
    const composer = new Composer({ uniqueKeys: strict, stringKeys: strict, logLevel: 'silent' });
    const [first, second] = composer.compose(tokensOf(text, options), strict, text.length);
    for (const { code, message, pos } of first?.errors ?? []) {
      problems.push({ rule: 'yaml-syntax', code, message, start: pos[0], end: pos[1] });
    }
    const isBroken = problems.length > 0;
    const another = strict ? second : isBroken ? undefined : second?.contents;
    if (another) {
      const message = 'The file contains several documents. Only the first one is used.';
      problems.push({ rule: 'yaml-documents', message, start: another.range[0], end: another.range[1] });
    }
    const root = first?.contents;
    return isBroken || isEmpty(root)
      ? new Source(text, problems)
      : new Source(text, problems, new TreeBuilder(problems, options).build(root));
  } catch (error) {
    if (error instanceof Refused) {
      return new Source(text, [error.problem]);
    }
    // An exception of the parser is caused by the text, so it becomes a finding.
    const message = error instanceof Error ? error.message : String(error);
    const end = Math.min(1, text.length);
    return new Source<YamlProblem>(text, [{ rule: 'yaml-syntax', code: 'IMPOSSIBLE', message, start: 0, end }]);
  }
}

const isEmpty = (root: ParsedNode | null | undefined): root is null | undefined =>
  !root || (isScalar(root) && root.value === null);

/** Aborts parsing of a text that exceeds a limit. */
class Refused extends Error {
  readonly problem: YamlProblem;
  constructor(message: string, start: number, end: number) {
    super(message);
    this.problem = { rule: 'yaml-limit', message, start, end };
  }
}

function tokensOf(text: string, { maxTokens }: YamlOptions) {
  if (text.length > MAX_FILE_LENGTH) {
    throw new Refused(`The file has ${text.length} characters; the limit is ${MAX_FILE_LENGTH}.`, 0, 0);
  }
  const parser = new Parser();
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens) {
      throw new Refused(`The file has more than ${maxTokens} tokens.`, parser.offset, parser.offset + 1);
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

function explained(problem: YamlProblem): YamlProblem {
  const { message, start, end } = problem;
  const [first = ''] = message.split('\n');
  const short = first.length > 160 ? `${first.slice(0, 159)}…` : first;
  const advice = ADVICE.find(([pattern]) => pattern.test(message))?.[1];
  const sentence = `${short}.`.replace(/[.:]\.$/, '.');
  return {
    ...problem,
    message: advice === undefined ? sentence : `${advice} (${sentence})`,
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
  readonly #options: YamlOptions;
  readonly #anchors = new Map<string, { node: SourceNode; size: number } | 'open'>();
  #size = 0;

  /** @param problems to which duplicate keys are added */
  constructor(problems: YamlProblem[], options: YamlOptions) {
    this.#problems = problems;
    this.#options = options;
  }

  build(node: ParsedNode | Node | null): SourceNode {
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
    const { maxValues } = this.#options;
    if (this.#size > maxValues) {
      throw new Refused(`The file has more than ${maxValues} values, including those repeated by aliases.`, start, end);
    }
  }

  #repeat(name: string, start: number, end: number): SourceNode {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined || anchored === 'open') {
      const why = anchored === 'open' ? 'contains itself' : 'is not defined before its use';
      throw new Refused(`The alias *${name.slice(0, 40)} ${why}.`, start, end);
    }
    this.#count(anchored.size, start, end);
    return anchored.node;
  }

  #convert(node: ParsedNode | Node | null, start: number, end: number): SourceNode {
    if (isMap(node)) {
      return { kind: 'map', start, end, ...this.#members(node) };
    }
    if (isSeq(node)) {
      return { kind: 'list', start, end, items: node.items.map((item) => this.build(item as Node | null)) };
    }
    return { kind: 'scalar', start, end, value: isScalar(node) ? scalar(node.value) : null };
  }

  /** `<<` is the merge key of YAML 1.1, which Compose and Gatus support: own members take precedence over merged ones. */
  #members({ items }: YAMLMap): Pick<MapNode, 'members' | 'entries'> {
    const members = new Map<string, Member>();
    const entries: Member[] = [];
    const merged: SourceNode[] = [];
    for (const pair of items) {
      const key = pair.key as Node | null;
      const [start, end] = key?.range ?? [0, 0];
      const name = nameOf(key, start, end);
      const node = this.build(pair.value as Node | null);
      if (name === '<<' && !this.#options.strict) {
        merged.push(...(node.kind === 'list' ? node.items : [node]));
        continue;
      }
      if (members.has(name)) {
        const message = `${quoteValue(name)} is defined twice. The last one applies.`;
        this.#problems.push({ rule: 'yaml-duplicate', message, start, end });
      }
      const member = { name, key: { start, end }, node: located(node, end) };
      members.set(name, member);
      entries.push(member);
    }
    for (const one of merged) {
      for (const [name, member] of one.kind === 'map' ? one.members : []) {
        if (!members.has(name)) {
          members.set(name, member);
        }
      }
    }
    return { members, entries };
  }
}

function nameOf(key: Node | null, start: number, end: number): string {
  if (isScalar(key)) {
    return String(scalar(key.value) ?? '');
  }
  if (isAlias(key)) {
    return `*${key.source}`;
  }
  throw new Refused('Keys must be strings.', start, end);
}

/** An omitted value has no position of its own; the end of its key is used. */
function located(node: SourceNode, keyEnd: number): SourceNode {
  return node.kind === 'scalar' && node.value === null && node.end === 0
    ? { ...node, start: keyEnd, end: keyEnd }
    : node;
}

function scalar(value: unknown): ScalarNode['value'] {
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
