/** Validates manifests as DAppNode does, by the specification, or both. Pure. */
import { isObject } from '../../../contract/text.ts';
import type { Finding, Verdict } from '../../../contract/finding.ts';
import { type Authority, mergeFindings } from '../authority.ts';
import { ManifestReport } from '../report.ts';
import { type RuleId, ruleOf } from '../rules.ts';
import { type JsonProblem, readJson } from '../source/json.ts';
import { plainValue, type Source, type SourceNode } from '../source/source.ts';
import { convert, type Converted } from '../violations.ts';
import { reportDialect, reportMembers } from './dialects.ts';
import { factsOf } from './facts.ts';
import { type Manifest, type ValidatedManifest, type ValidationOptions, readManifest } from './manifest.ts';
import { reportReferences } from './references.ts';
import { manifestSchemas } from './schema.ts';
import { reportSchemaViolations } from './schemaViolations.ts';
import { checkText, RESERVED, reportTree } from './syntax.ts';
import { reportValues } from './values.ts';

export { MANIFEST_RULES as RULES, type Rule } from '../rules.ts';
export { manifestSchemas } from './schema.ts';
export type { ValidatedManifest, ValidationOptions, Manifest, ManifestDependency, ManifestFacts } from './manifest.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Validates a manifest and reports all findings, in file order. Never throws.
 * @param given the text of the file, or that text as {@link openManifest} read it; pass objects as `JSON.stringify(object, null, 2)`
 */
export function validateManifest(
  given: string | OpenManifest,
  { dialect, ...options }: ValidationOptions
): ValidatedManifest {
  const opened = typeof given === 'string' ? openManifest(given) : given;
  const check = new Check(opened, options);
  if (dialect !== 'any') {
    const findings = check.findingsBy(dialect);
    return { findings, ...check.facts() };
  }
  const findings = mergeFindings(check.findingsBy('dappnode'), check.findingsBy('spec'), MERGE).sort(byPosition);
  return { findings, ...check.facts() };
}

const MERGE = {
  isWanted: (rule: string): boolean => ruleOf(rule as RuleId).wanted === true,
  inAny: (rule: string): Verdict | undefined => ruleOf(rule as RuleId).any,
};
const byPosition = (a: Finding, b: Finding): number => a.line - b.line || a.column - b.column;

export interface OpenManifest {
  /** Without the byte order mark. */
  source: Source<JsonProblem>;
  hasMark: boolean;
}

/** Parses the text of a manifest. Never throws. */
export function openManifest(text: string): OpenManifest {
  const hasMark = text.startsWith(BYTE_ORDER_MARK);
  return { source: readJson(hasMark ? text.slice(1) : text), hasMark };
}

interface Content {
  given: unknown;
  converted: Converted;
  read?: Partial<Manifest>;
}

/** The checks by each authority share what does not depend on it. */
class Check {
  readonly #opened: OpenManifest;
  readonly #options: Omit<ValidationOptions, 'dialect'>;
  #content: Content | undefined;

  constructor(opened: OpenManifest, options: Omit<ValidationOptions, 'dialect'>) {
    this.#opened = opened;
    this.#options = options;
  }

  findingsBy(authority: Authority): Finding[] {
    const { source, hasMark } = this.#opened;
    const report = new ManifestReport(source, authority);
    if (hasMark) {
      const detail =
        'It is ignored here, but other programs may reject the file. Save it as UTF-8 without a byte order mark.';
      report.add('byte-order-mark', '', { start: 0, end: 0 }, 'Byte order mark', detail);
    }
    if (checkText(source, report) && source.root) {
      reportTree(source.root, [], report);
      this.#reportContent((this.#content ??= contentOf(source.root)), report);
    }
    return report.findings();
  }

  #reportContent({ given, converted, read }: Content, report: ManifestReport): void {
    const { value } = converted;
    if (!isObject(given) || !isObject(value) || !read) {
      reportSchemaViolations(given, converted, report, new Set());
      return;
    }
    reportSchemaViolations(given, converted, report, reportDialect(given, report));
    reportMembers(value, report);
    reportValues(value, read, report);
    reportReferences(value, read, this.#options, report);
  }

  facts(): Pick<ValidatedManifest, 'manifest' | 'facts'> {
    const { read } = this.#content ?? {};
    if (!read?.name || !read.version) {
      return {};
    }
    const manifest = { ...read, name: read.name, version: read.version };
    return { manifest, facts: factsOf(manifest, this.#options.compose) };
  }
}

function contentOf(root: SourceNode): Content {
  const given = plainValue(root, RESERVED);
  const converted = convert(manifestSchemas.dappnode, given);
  const { value } = converted;
  return { given, converted, ...(isObject(given) && isObject(value) && { read: readManifest(value) }) };
}
