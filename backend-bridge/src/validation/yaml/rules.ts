/** The rules for notifications and compose files with their severity, and the report that collects findings. */
import type { Span } from '../../../contract/condition.ts';
import type { FileKind, Finding, Verdict } from '../../../contract/finding.ts';
import { Lines } from '../manifest/document.ts';
import type { YamlTree } from './tree.ts';

export const YAML_RULES = {
  'yaml-syntax': ['error', 'The text is YAML 1.2 or JSON.'],
  'yaml-limit': ['error', 'Size, nesting and aliases stay within limits; a key is text.'],
  'yaml-duplicate': ['warning', 'A key stands once in its map. The last one counts.'],
  'yaml-documents': ['warning', 'The file holds one document. The first one counts.'],
  'more-findings': ['note', 'About 1,000 findings are listed at most, and more only of errors.'],
  'file-shape': ['error', 'The file is a map of lists of maps, or of services.'],
  'file-empty': ['warning', 'A notifications file defines an endpoint.'],
  'member-missing': ['warning', 'Members that the node needs are there. A default takes their place.'],
  'member-type': ['warning', 'A value has the type of its member. What can be understood is.'],
  'member-value': ['warning', 'A value has the form that the node accepts.'],
  'member-unknown': ['warning', 'Members are known ones. Others are kept.'],
  'correlation-id-missing': ['error', 'An endpoint has a correlationId.'],
  'correlation-id-format': [
    'warning',
    'A correlationId is three letters or more, a hyphen, and letters, digits and hyphens.',
  ],
  'correlation-id-duplicate': ['error', 'A correlationId stands once in the file.'],
  'conditions-shape': ['error', 'conditions is a list of texts.'],
  'conditions-empty': ['warning', 'There is at least one condition.'],
  'conditions-several': ['note', 'Only the first condition holds the threshold.'],
  'condition-grammar': ['warning', 'A condition is LEFT OP RIGHT, as Gatus reads it.'],
  'condition-read-only': ['warning', 'The first condition of an endpoint with a metric holds one number.'],
  'condition-reading': ['warning', 'Gatus reads the condition as it is meant.'],
  'condition-placeholder': ['warning', '[CONDITION_VALUE] needs a condition with a number.'],
  'metric-range': ['error', 'min and max are numbers, and min is not above max.'],
  'metric-empty': ['warning', 'There is something to choose between min and max.'],
  'metric-threshold': ['error', 'The metric of a custom endpoint has a threshold, which is a number.'],
  'metric-spelling': ['warning', 'The threshold is spelt treshold, as the node reads it.'],
  'threshold-range': ['warning', 'The threshold lies between min and max.'],
  'alerts-count': ['warning', 'An endpoint has exactly one alert.'],
  'link-unsafe': ['warning', 'A link is http:, https: or a path. Another is left out.'],
  'services-missing': ['error', 'A compose file has services.'],
  'service-shape': ['warning', 'A service is a map, and its environment a list or a map.'],
} as const satisfies Record<string, readonly [Verdict, string]>;
export type YamlRule = keyof typeof YAML_RULES;

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
