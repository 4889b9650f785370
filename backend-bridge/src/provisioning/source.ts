/** A YAML text with the places of what stands in it. Pure. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import { pointerToken } from '../../contract/text.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';

/** The largest file that is read, in UTF-16 code units. */
export const MAX_YAML = 1024 * 1024;
const MAX_ALIASES = 100;
const MAX_MISTAKES = 20;

type Path = readonly PropertyKey[];
type Told = Pick<ProvisioningFinding, 'rule' | 'verdict' | 'title' | 'detail'>;

export interface Source {
  file: string;
  text: string;
  doc: Document.Parsed;
  lines: LineCounter;
}

/** For messages of the parser that speak to a programmer. */
const WORDS: Partial<Record<string, string>> = {
  DUPLICATE_KEY: 'This member stands here twice: keep one.',
  MULTIPLE_DOCS: 'A second document begins here: write one a file.',
  TAB_AS_INDENT: 'A tab cannot indent: use spaces.',
  NON_STRING_KEY: 'The name of a member must be text.',
};

/** @returns the source, or what is wrong with its YAML */
export function readSource(file: string, text: string): Source | ProvisioningFinding[] {
  const lines = new LineCounter();
  const whole = (detail: string): ProvisioningFinding[] => [
    { rule: 'yaml', verdict: 'error', title: 'This is no YAML that can be read', detail, file, pointer: '', ...START },
  ];
  if (text.length > MAX_YAML) {
    return whole(`The file is larger than ${MAX_YAML / 1024 / 1024} MiB: split it into several.`);
  }
  const doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const source: Source = { file, text, doc, lines };
  if (doc.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    return whole('Something in it is nested too deep.');
  }
  if (doc.errors.length > 0) {
    return doc.errors.slice(0, MAX_MISTAKES).map(({ code, message, pos: [from, to] }) => ({
      rule: 'yaml',
      verdict: 'error',
      title: 'This is no YAML',
      detail: WORDS[code] ?? message.replace(/\.?$/, '.'),
      file,
      pointer: '',
      ...between(source, from, to),
    }));
  }
  return source;
}

/** Plain JavaScript values. @throws when aliases make far more of it than stands in the text */
export const valuesOf = ({ doc }: Source): unknown => doc.toJS({ maxAliasCount: MAX_ALIASES });

/** Calls for every text that is a value, not a key; what is returned takes its place. */
export function replaceTexts({ doc }: Source, replace: (text: string, node: Scalar<string>) => string): void {
  visit(doc, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') {
        node.value = replace(node.value, node as Scalar<string>);
      }
    },
  });
}

/** At the value that the path leads to, else at the nearest thing above it. */
export function findingAt(source: Source, path: Path, told: Told, at: 'key' | 'value' = 'value'): ProvisioningFinding {
  const node = nodeAt(source, path, at);
  return {
    ...told,
    file: source.file,
    pointer: path.map((key) => `/${pointerToken(key)}`).join(''),
    ...placeOf(source, node),
  };
}

export function findingAtNode(source: Source, node: Node, told: Told): ProvisioningFinding {
  return { ...told, file: source.file, pointer: '', ...placeOf(source, node) };
}

/** What stands in the file at that path, before variables were put in; undefined when nothing does. */
export function sourceText(source: Source, path: Path): string | undefined {
  let there = true;
  const node = nodeAt(source, path, 'value', () => (there = false));
  const range = node?.range;
  return there && range ? source.text.slice(range[0], range[1]) : undefined;
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 } as const;
type Place = Pick<ProvisioningFinding, 'line' | 'column' | 'endLine' | 'endColumn'>;

function placeOf(source: Source, node: Node | undefined): Place {
  return node?.range ? between(source, node.range[0], node.range[1]) : START;
}

function between({ lines, text }: Source, from: number, to: number): Place {
  const start = lines.linePos(Math.min(from, text.length));
  const end = lines.linePos(Math.min(Math.max(from, to), text.length));
  return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col };
}

function nodeAt(
  { doc }: Source,
  path: Path,
  at: 'key' | 'value',
  missing: () => void = () => undefined
): Node | undefined {
  let node: Node | undefined = doc.contents ?? undefined;
  for (const [index, step] of path.entries()) {
    const target: unknown = isAlias(node) ? node.resolve(doc) : node;
    let next: unknown;
    if (isMap(target)) {
      const pair = target.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      const wantsKey = (at === 'key' && index === path.length - 1) || pair?.value == null;
      next = wantsKey ? pair?.key : pair?.value;
    } else if (isSeq(target)) {
      next = target.items[Number(step)];
    }
    if (next === undefined || next === null) {
      missing();
      return node;
    }
    node = next as Node;
  }
  return node;
}
