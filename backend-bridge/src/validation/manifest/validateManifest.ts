/** The judge of manifests: every rule of the specification, all findings at once. Pure. */
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { Lines, valueOf } from './document.ts';
import { factsOf } from './facts.ts';
import { reportForeign } from './foreign.ts';
import { reportMembers } from './members.ts';
import { isObject, readManifest } from './read.ts';
import { Report } from './report.ts';
import { reportShape } from './shape.ts';
import { readText, reportTree } from './text.ts';
import { reportTogether } from './together.ts';
import { type Judged, type JudgeOptions } from './types.ts';
import { reportValues } from './values.ts';

export { RULES, type Rule, type RuleId } from './rules.ts';
export { manifestSchemas } from './schema.ts';
export type {
  Judged,
  JudgeOptions,
  Manifest,
  ManifestDependency,
  ManifestFacts,
  ManifestSummary,
  ManifestWarnings,
  UpdateAlert,
} from './types.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Judges the text of a manifest: all findings at once, in the order of the text. Never throws.
 * @param given the text of the file; an object is given as `JSON.stringify(object, null, 2)`
 */
export function judgeManifest(given: string, options: JudgeOptions): Judged {
  const marked = given.startsWith(BYTE_ORDER_MARK);
  const text = marked ? given.slice(1) : given;
  const report = new Report(options.dialect, new Lines(text.length > MAX_FILE_LENGTH ? '' : text));
  if (marked) {
    const detail =
      'It is tolerated here; other programs may refuse the file. Save it as UTF-8 without a byte order mark.';
    report.sayAt('byte-order-mark', { offset: 0, length: 0 }, 'The file begins with a byte order mark', detail);
  }
  const tree = readText(text, report);
  if (!tree) {
    return { findings: report.findings() };
  }
  report.use(tree);
  reportTree(tree, [], report);
  const value = valueOf(tree);
  if (!isObject(value)) {
    reportShape(value, report, new Set());
    return { findings: report.findings() };
  }
  const read = readManifest(value);
  reportShape(value, report, reportForeign(value, report));
  reportMembers(value, report);
  reportValues(value, read, report);
  reportTogether(value, read, options, report);
  const { name, version } = read;
  if (!name || !version) {
    return { findings: report.findings() };
  }
  const manifest = { ...read, name, version };
  return { findings: report.findings(), manifest, facts: factsOf(manifest, options.compose) };
}
