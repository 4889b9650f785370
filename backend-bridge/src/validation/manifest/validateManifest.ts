/** Validates manifests as DAppNode does, by the specification, or both. Pure. */
import { isObject } from '../../../contract/text.ts';
import { type Finding, MAX_FILE_LENGTH, type Verdict } from '../../../contract/finding.ts';
import { type Authority, mergeFindings } from '../authority.ts';
import { convert } from '../violations.ts';
import { reportDialect, reportMembers } from './dialects.ts';
import { Lines, valueOf } from './document.ts';
import { factsOf } from './facts.ts';
import { type ValidatedManifest, type ValidationOptions, readManifest } from './manifest.ts';
import { reportReferences } from './references.ts';
import { Report, ruleOf, type RuleId } from './rules.ts';
import { manifestSchemas } from './schema.ts';
import { reportSchemaViolations } from './schemaViolations.ts';
import { parseText, reportTree } from './syntax.ts';
import { reportValues } from './values.ts';

export { RULES, type Rule } from './rules.ts';
export { manifestSchemas } from './schema.ts';
export type { ValidatedManifest, ValidationOptions, Manifest, ManifestDependency, ManifestFacts } from './manifest.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Validates the text of a manifest and reports all findings, in file order. Never throws.
 * @param given the text of the file; pass objects as `JSON.stringify(object, null, 2)`
 */
export function validateManifest(given: string, { dialect, ...options }: ValidationOptions): ValidatedManifest {
  if (dialect !== 'any') {
    return validateBy(dialect, given, options);
  }
  const validated = validateBy('dappnode', given, options);
  const spec = validateBy('spec', given, options);
  return { ...validated, findings: mergeFindings(validated.findings, spec.findings, MERGE).sort(byPosition) };
}

const MERGE = {
  isWanted: (rule: string): boolean => ruleOf(rule as RuleId).wanted === true,
  inAny: (rule: string): Verdict | undefined => ruleOf(rule as RuleId).any,
};
const byPosition = (a: Finding, b: Finding): number => a.line - b.line || a.column - b.column;

function validateBy(
  authority: Authority,
  source: string,
  options: Omit<ValidationOptions, 'dialect'>
): ValidatedManifest {
  const marked = source.startsWith(BYTE_ORDER_MARK);
  const text = marked ? source.slice(1) : source;
  const report = new Report(authority, new Lines(text.length > MAX_FILE_LENGTH ? '' : text));
  if (marked) {
    const detail =
      'It is ignored here, but other programs may reject the file. Save it as UTF-8 without a byte order mark.';
    report.addAt('byte-order-mark', { offset: 0, length: 0 }, 'Byte order mark', detail);
  }
  const tree = parseText(text, report);
  if (!tree) {
    return { findings: report.findings() };
  }
  report.use(tree);
  reportTree(tree, [], report);
  const given = valueOf(tree);
  const converted = convert(manifestSchemas.dappnode, given);
  const { value } = converted;
  if (!isObject(given) || !isObject(value)) {
    reportSchemaViolations(given, converted, report, new Set());
    return { findings: report.findings() };
  }
  const read = readManifest(value);
  reportSchemaViolations(given, converted, report, reportDialect(given, report));
  reportMembers(value, report);
  reportValues(value, read, report);
  reportReferences(value, read, options, report);
  const { name, version } = read;
  if (!name || !version) {
    return { findings: report.findings() };
  }
  const manifest = { ...read, name, version };
  return { findings: report.findings(), manifest, facts: factsOf(manifest, options.compose) };
}
