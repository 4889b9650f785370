/** The rules for notifications and compose files with their severity, and the report that collects findings. */
import type { Span } from '../../../contract/condition.ts';
import type { FileKind, Finding, Verdict } from '../../../contract/finding.ts';
import { Lines } from '../manifest/document.ts';
import type { YamlTree } from './tree.ts';

export const YAML_RULES = {
  'yaml-syntax': ['error', 'The file is valid YAML 1.2 or JSON.'],
  'yaml-limit': ['error', 'Size, nesting and aliases are within limits; keys are strings.'],
  'yaml-duplicate': ['warning', 'Keys are unique; otherwise the last one applies.'],
  'yaml-documents': ['warning', 'The file contains one document; others are ignored.'],
  'more-findings': ['note', 'About 1,000 findings are reported, and up to 2,000 if they are errors.'],
  'file-shape': ['error', 'The file, its lists and their entries have the expected types.'],
  'file-empty': ['warning', 'A notifications file defines at least one endpoint.'],
  'member-missing': ['warning', 'Members required by DAppNode are present; otherwise the default applies.'],
  'member-type': ['warning', 'Members have the correct type; unambiguous values are converted.'],
  'member-value': ['warning', 'Values have a format that DAppNode accepts.'],
  'member-unknown': ['warning', 'Members are known.'],
  'refused-by-dappnode': ['warning', 'DAppNode’s own schema accepts the value.'],
  'correlation-id-missing': ['error', 'Endpoints have a correlationId.'],
  'correlation-id-format': [
    'warning',
    'A correlationId consists of at least three letters, a hyphen, and letters, digits and hyphens.',
  ],
  'correlation-id-duplicate': ['error', 'correlationIds are unique in the file.'],
  'conditions-shape': ['error', 'conditions is a list of strings.'],
  'conditions-empty': ['warning', 'conditions has at least one entry.'],
  'conditions-unreachable': ['warning', 'The conditions do not hold for a target that does not respond.'],
  'conditions-several': ['note', 'The threshold is in the first condition only.'],
  'condition-grammar': ['warning', 'Conditions have the form VALUE OPERATOR VALUE, as Gatus parses them.'],
  'condition-read-only': ['warning', 'With a metric, the first condition compares with a number.'],
  'condition-reading': ['warning', 'Gatus evaluates the condition as intended.'],
  'condition-placeholder': ['warning', '[CONDITION_VALUE] is only used with a numeric condition.'],
  'metric-range': ['error', 'min and max are numbers, and min does not exceed max.'],
  'metric-empty': ['warning', 'min and max differ.'],
  'metric-threshold': ['error', 'The metric of a custom endpoint has a numeric threshold.'],
  'metric-spelling': ['warning', 'The threshold is spelled treshold, as DAppNode expects.'],
  'threshold-range': ['warning', 'The threshold is between min and max.'],
  'alerts-count': ['warning', 'Endpoints have exactly one alert.'],
  'link-unsafe': ['warning', 'Links are http(s) URLs or paths; others are ignored.'],
  'services-missing': ['error', 'A compose file defines services.'],
  'service-shape': ['warning', 'Services are mappings, and environment is a mapping or a list.'],
  'compose-version': ['warning', 'The version of a compose file is 3.4 or later.'],
  'compose-network': ['warning', 'Networks are dncore_network, dnprivate_network or dnpublic_network, and external.'],
  'compose-key': ['warning', 'DAppNode allows the key in a service.'],
  'compose-dns': ['warning', 'The DNS server is 172.33.1.2, but in core packages.'],
  'compose-pid': ['warning', 'pid names a service.'],
  'compose-privileged': ['warning', 'Only core packages are privileged or use the network of the host.'],
  'compose-alias': ['warning', 'Aliases of core packages are not used by others.'],
  'compose-volume': ['warning', 'Volumes have a name that the file defines, without settings; no bind mounts.'],
} as const satisfies Record<string, readonly [Verdict, string]>;
export type YamlRule = keyof typeof YAML_RULES;

export interface Report {
  findings: Finding[];
  /** @param pointer JSON Pointer of the value */
  add: (rule: YamlRule, pointer: string, at: Span, title: string, detail: string) => void;
}

/** Upper limit of reported findings; twice as many errors. */
const MAX_FINDINGS = 1_000;

export function createReport(file: FileKind, text: string): Report {
  const findings: Finding[] = [];
  let lines: Lines | undefined;
  const add: Report['add'] = (rule, pointer, { start, end }, title, detail) => {
    const [verdict] = YAML_RULES[rule];
    const count = findings.length;
    if (count >= MAX_FINDINGS && (verdict !== 'error' || count >= 2 * MAX_FINDINGS)) {
      if (!findings.some((finding) => finding.rule === 'more-findings')) {
        const more = 'Only some findings are reported. Fix these and validate again.';
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
  'yaml-syntax': 'Invalid YAML',
  'yaml-limit': 'File rejected',
  'yaml-duplicate': 'Duplicate key',
  'yaml-documents': 'Multiple documents',
} as const;

/** Reports problems of the text itself. */
export function reportProblems(report: Report, { problems }: YamlTree): void {
  for (const { rule, message, ...at } of problems) {
    report.add(rule, '', at, TITLES[rule], message);
  }
}

/** Only the first line of a multi-line value is highlighted. */
function firstLineEnd(text: string, { start, end }: Span): number {
  const newline = text.indexOf('\n', start);
  const lineEnd = newline === -1 || newline > end ? end : newline;
  return text[lineEnd - 1] === '\r' && lineEnd > start ? lineEnd - 1 : lineEnd;
}
