/** Collects what is found in a file, and puts places into lines and columns. */
import type { Span } from '../../../contract/condition.ts';
import type { FileKind, Finding } from '../../../contract/finding.ts';
import { Lines } from '../manifest/document.ts';
import { YAML_RULES, type YamlRule } from './rules.ts';
import type { YamlTree } from './tree.ts';

export interface Report {
  findings: Finding[];
  /** @param pointer JSON Pointer of what it is about */
  add: (rule: YamlRule, pointer: string, at: Span, title: string, detail: string) => void;
}

/** Most findings that are listed; of errors, twice as many. */
const MAX_FINDINGS = 1_000;

export function createReport(file: FileKind, text: string): Report {
  const findings: Finding[] = [];
  let lines: Lines | undefined;
  const add: Report['add'] = (rule, pointer, { start, end }, title, detail) => {
    const [verdict] = YAML_RULES[rule];
    const count = findings.length;
    if (count >= MAX_FINDINGS && (verdict !== 'error' || count >= 2 * MAX_FINDINGS)) {
      if (!findings.some((finding) => finding.rule === 'more-findings')) {
        const more = 'Not all of them are listed. Mend these and look again.';
        findings.push({
          ...findings[0]!,
          rule: 'more-findings',
          verdict: 'note',
          title: 'More findings',
          detail: more,
        });
      }
      return;
    }
    lines ??= new Lines(text);
    const length = Math.max(0, firstLineEnd(text, { start, end }) - start);
    findings.push({ rule, verdict, title, detail, file, ...lines.place({ offset: start, length }, pointer) });
  };
  return { findings, add };
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
