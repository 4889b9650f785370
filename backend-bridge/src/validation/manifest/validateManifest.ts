/** Validates manifests against every rule of the specification. Pure. */
import { MAX_FILE_LENGTH } from '../../../contract/finding.ts';
import { reportDialect, reportMembers } from './dialects.ts';
import { Lines, valueOf } from './document.ts';
import { factsOf } from './facts.ts';
import { isObject, type ValidatedManifest, type ValidationOptions, readManifest } from './manifest.ts';
import { reportReferences } from './references.ts';
import { Report } from './rules.ts';
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
export function validateManifest(given: string, options: ValidationOptions): ValidatedManifest {
  const marked = given.startsWith(BYTE_ORDER_MARK);
  const text = marked ? given.slice(1) : given;
  const report = new Report(options.dialect, new Lines(text.length > MAX_FILE_LENGTH ? '' : text));
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
  const value = valueOf(tree);
  if (!isObject(value)) {
    reportSchemaViolations(value, report, new Set());
    return { findings: report.findings() };
  }
  const read = readManifest(value);
  reportSchemaViolations(value, report, reportDialect(value, report));
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
