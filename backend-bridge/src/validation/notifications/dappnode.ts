/** Whether DAppNode rejects a notifications file, by its own schema. */
import type { Dialect, Finding } from '../../../contract/finding.ts';
import { refusedByOne } from '../authority.ts';
import { joinList, quoteValue } from '../source/messages.ts';
import type { Entry, Report } from '../report.ts';
import { type RuleId, ruleOf } from '../rules.ts';
import { locate, pointerOf, plainValue, type SourceNode } from '../source/source.ts';
import { convert, typeName, valueAt, type Violation } from '../violations.ts';
import { notificationsFileSchema } from './schema.ts';

/** Rules that report what DAppNode's schema refuses, among other things. */
const ABOUT_SCHEMA: ReadonlySet<string> = new Set<RuleId>([
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
/**
 * The findings with the severities of a dialect, and one for each value that only DAppNode rejects.
 * @param report its findings are those of the dialect `spec`
 */
export function byDialect(report: Report, dialect: Dialect): Finding[] {
  const { entries, source } = report;
  if (dialect === 'spec') {
    return report.findings();
  }
  // DAppNode's parser refuses some texts as well.
  const refused = new Set(entries.filter(({ rule }) => rule.startsWith('yaml-') && isOfDappnode(rule)));
  const byPointer = Map.groupBy(
    entries.filter(({ rule }) => ABOUT_SCHEMA.has(rule)),
    ({ pointer }) => pointer
  );
  const given = source.root && plainValue(source.root);
  if (!given || typeof given === 'string') {
    // DAppNode's tool does not read a file without content (DAppNodeSDK, readNotificationsIfExists).
    byPointer.get('')?.forEach((entry) => refused.add(entry));
  }
  for (const violation of source.root ? convert(notificationsFileSchema, given).violations : []) {
    const known = about(violation, given, byPointer);
    known.forEach((entry) => refused.add(entry));
    if (source.root && known.length === 0) {
      addRefusal(report, source.root, violation, given);
      refused.add(entries.at(-1)!);
    }
  }
  return report.findings(
    entries.map((entry): Entry => {
      if (refused.has(entry)) {
        return entry.verdict === 'error' || dialect === 'dappnode'
          ? { ...entry, verdict: 'error' }
          : refusedByOne(entry, 'dappnode');
      }
      // A limit of Nodebell applies whoever accepts the file.
      const isAccepted = dialect === 'dappnode' && entry.verdict === 'error' && entry.rule !== 'yaml-limit';
      return isAccepted ? { ...entry, verdict: 'warning' } : entry;
    })
  );
}

const isOfDappnode = (rule: string): boolean => rule !== 'yaml-limit' && ruleOf(rule as RuleId).dappnode === 'error';

/** Other spellings that are read, and reported in place of the missing member. */
const SPELLINGS: Readonly<Record<string, string>> = { correlationId: 'correlation-id', treshold: 'threshold' };

/** Findings about a violation. Missing members are reported at their parent, and values of some lists at the list. */
function about({ path }: Violation, given: unknown, byPointer: ReadonlyMap<string, Entry[]>): Entry[] {
  const at = (pointer: string): Entry[] => byPointer.get(pointer) ?? [];
  const [parent, last] = [pointerOf(path.slice(0, -1)), path.at(-1)];
  const own = at(pointerOf(path));
  if (last !== undefined && valueAt(given, path) === undefined) {
    return [...own, ...at(parent), ...(Object.hasOwn(SPELLINGS, last) ? at(`${parent}/${SPELLINGS[last]}`) : [])];
  }
  return typeof last === 'number' ? [...own, ...at(parent).filter(({ rule }) => rule === 'member-value')] : own;
}

function addRefusal(report: Report, root: SourceNode, { path, types, issue }: Violation, given: unknown): void {
  const value = valueAt(given, path);
  const name = path.findLast((step) => typeof step === 'string') ?? 'The file';
  const listed = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const expected = types.length > 0 ? joinList(types.map(typeName), 'or') : joinList(listed, 'or') || issue.message;
  const [title, found] =
    value === undefined
      ? [`${name} is missing`, 'Found nothing']
      : [`${name} must be ${expected}`, `Found ${quoteValue(value)}`];
  const { node } = locate(root, path);
  report.add('refused-by-dappnode', pointerOf(path), node, title, `${found}. Expected ${expected}.`);
}
