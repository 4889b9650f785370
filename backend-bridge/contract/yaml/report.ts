/** Collects what is found in a file, and puts places into lines and columns. */
import type { Span } from '../condition.ts';
import type { FileKind, Finding } from '../finding.ts';
import { YAML_RULES, type YamlRule } from './rules.ts';
import type { YamlTree } from './tree.ts';

export interface Report {
  findings: Finding[];
  /** @param pointer JSON Pointer of what it is about */
  add: (rule: YamlRule, pointer: string, at: Span, title: string, detail: string) => void;
}

export function createReport(file: FileKind, text: string): Report {
  const findings: Finding[] = [];
  const position = lineIndex(text);
  return {
    findings,
    add: (rule, pointer, at, title, detail) => {
      const start = position(at.start);
      const end = position(Math.max(at.start, firstLineEnd(text, at)));
      findings.push({
        rule,
        verdict: YAML_RULES[rule][0],
        title,
        detail,
        file,
        pointer,
        ...start,
        endLine: end.line,
        endColumn: end.column,
      });
    },
  };
}

const TITLES = {
  'yaml-syntax': 'The file is not YAML',
  'yaml-limit': 'The file is refused',
  'yaml-duplicate': 'A key stands twice',
  'yaml-documents': 'Several documents',
} as const;

/** Says what is wrong with the text itself. */
export function reportProblems(report: Report, { problems }: YamlTree): void {
  for (const { rule, message, ...at } of problems) {
    report.add(rule, '', at, TITLES[rule], message);
  }
}

/** A map of forty lines is pointed at by its first one. */
function firstLineEnd(text: string, { start, end }: Span): number {
  const newline = text.indexOf('\n', start);
  const lineEnd = newline === -1 || newline > end ? end : newline;
  return text[lineEnd - 1] === '\r' && lineEnd > start ? lineEnd - 1 : lineEnd;
}

/** @returns the line and column (from 1) of an offset; offsets beyond the text are its end */
function lineIndex(text: string): (offset: number) => { line: number; column: number } {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    const within = Math.min(offset, text.length);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      [low, high] = (starts[middle] ?? 0) <= within ? [middle, high] : [low, middle - 1];
    }
    return { line: low + 1, column: within - (starts[low] ?? 0) + 1 };
  };
}
