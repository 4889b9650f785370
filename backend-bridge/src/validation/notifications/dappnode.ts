/** Whether DAppNode rejects a notifications file, by its own schema. */
import type { Dialect, Finding, Verdict } from '../../../contract/finding.ts';
import { refusedByOne } from '../authority.ts';
import { type Path, pointerOf } from '../manifest/document.ts';
import { joinList, quoteValue } from '../messages.ts';
import { convert, typeName, valueAt, type Violation } from '../violations.ts';
import type { Report, YamlRule } from '../yaml/rules.ts';
import { plainValue, type YamlNode } from '../yaml/tree.ts';
import { notificationsFileSchema } from './schema.ts';

/** Rules that report what DAppNode's schema refuses, among other things. */
const ABOUT_SCHEMA: ReadonlySet<string> = new Set<YamlRule>([
  ...(['file-shape', 'member-missing', 'member-type', 'member-value', 'correlation-id-missing'] as const),
  ...([
    'correlation-id-format',
    'conditions-shape',
    'metric-range',
    'metric-threshold',
    'metric-spelling',
    'alerts-count',
  ] as const),
]);
/** Texts that DAppNode's parser refuses. */
const ABOUT_TEXT: ReadonlySet<string> = new Set<YamlRule>(['yaml-syntax', 'yaml-duplicate', 'yaml-documents']);
/** Limits of Nodebell, whoever accepts the file. */
const LIMITS: ReadonlySet<string> = new Set<YamlRule>(['yaml-limit']);

/**
 * The findings with the severities of a dialect, and one for each value that only DAppNode rejects.
 * @param report its findings are those of the dialect `spec`
 * @param root absent if the file cannot be parsed
 */
export function byDialect(report: Report, root: YamlNode | undefined, dialect: Dialect): Finding[] {
  if (dialect === 'spec') {
    return report.findings;
  }
  const given = root && plainValue(root);
  const refused = new Set(report.findings.filter(({ rule }) => ABOUT_TEXT.has(rule)));
  for (const violation of root ? convert(notificationsFileSchema, given).violations : []) {
    const known = report.findings.filter((finding) => isAbout(finding, violation, given));
    known.forEach((finding) => refused.add(finding));
    if (root && known.length === 0) {
      addRefusal(report, root, violation, given);
      const last = report.findings.at(-1);
      // Beyond the limit of findings, it is the one that reports the limit.
      if (last && (last.rule === 'refused-by-dappnode' || dialect === 'dappnode')) {
        refused.add(last);
      }
    }
  }
  return report.findings.map((finding) => {
    if (refused.has(finding)) {
      return finding.verdict === 'error' || dialect === 'dappnode'
        ? { ...finding, verdict: 'error' }
        : refusedByOne(finding, 'dappnode');
    }
    const verdict: Verdict = finding.verdict === 'error' ? 'warning' : finding.verdict;
    return dialect === 'dappnode' && !LIMITS.has(finding.rule) ? { ...finding, verdict } : finding;
  });
}

/** Other spellings that are read, and reported in place of the missing member. */
const SPELLINGS: Readonly<Record<string, string>> = { correlationId: 'correlation-id', treshold: 'threshold' };

/** Missing members are reported at their parent. */
function isAbout({ rule, pointer }: Finding, { path }: Violation, given: unknown): boolean {
  const [parent, last] = [pointerOf(path.slice(0, -1)), path.at(-1)];
  const isMissing = last !== undefined && valueAt(given, path) === undefined;
  const inList = rule === 'member-value' && typeof last === 'number';
  return (
    ABOUT_SCHEMA.has(rule) &&
    (pointer === pointerOf(path) ||
      ((isMissing || inList) && pointer === parent) ||
      (isMissing && pointer === `${parent}/${SPELLINGS[last] ?? last}`))
  );
}

function addRefusal(report: Report, root: YamlNode, { path, types, issue }: Violation, given: unknown): void {
  const value = valueAt(given, path);
  const name = path.findLast((step) => typeof step === 'string') ?? 'The file';
  const listed = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const expected = types.length > 0 ? joinList(types.map(typeName), 'or') : joinList(listed, 'or') || issue.message;
  const [title, found] =
    value === undefined
      ? [`${name} is missing`, 'Found nothing']
      : [`${name} must be ${expected}`, `Found ${quoteValue(value)}`];
  report.add('refused-by-dappnode', pointerOf(path), nodeAt(root, path), title, `${found}. Expected ${expected}.`);
}

/** The node at a path, or the innermost one around it. */
function nodeAt(root: YamlNode, path: Path): YamlNode {
  let node = root;
  for (const step of path) {
    const next =
      node.kind === 'list'
        ? node.items[Number(step)]
        : node.kind === 'map'
          ? node.members.get(String(step))?.node
          : undefined;
    if (!next) {
      break;
    }
    node = next;
  }
  return node;
}
