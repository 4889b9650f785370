/** Parses a provisioning file: YAML, variables, schema. Reports all errors at once, each with its position. Pure. */
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { type ProvisioningFile, provisioningFileSchema } from '../../contract/provisioningFile.ts';
import { plainValue, type ScalarNode } from '../validation/source/source.ts';
import { findingIn, mistakesOf, readSource, replaceTexts, type Source } from './source.ts';

/** Members in which `$` is not the beginning of a variable: JSONata has its own. */
const LITERAL = ['mappings'];

export interface ReadFile {
  findings: ProvisioningFinding[];
  /** Absent if there is an error. */
  read?: { value: ProvisioningFile; source: Source };
}

/**
 * @param file its name, for the findings
 * @param env environment variables for the file
 */
export function readProvisioningFile(file: string, text: string, env: Record<string, string | undefined>): ReadFile {
  const source = readSource(file, text);
  if (Array.isArray(source)) {
    return { findings: source };
  }
  const findings: ProvisioningFinding[] = [];
  const replace = (before: string, node: ScalarNode): string => {
    const { text: after, mistakes } = expand(before, env);
    findings.push(
      ...mistakes.map((detail) =>
        findingIn(source, node, { rule: 'variable', verdict: 'error', title: 'Unknown variable', detail })
      )
    );
    return after;
  };
  replaceTexts(source, replace, LITERAL);
  const { root } = source.parsed;
  const result = provisioningFileSchema.safeParse((root && plainValue(root)) ?? {});
  findings.push(...(result.error?.issues ?? []).flatMap((issue) => mistakesOf(issue, source, provisioningFileSchema)));
  return result.success && findings.length === 0
    ? { findings, read: { value: result.data, source } }
    : { findings: findings.sort((a, b) => a.line - b.line || a.column - b.column) };
}

/** Files at their last successful read, by name. */
export type KnownFiles = Map<string, { text: string; value: ProvisioningFile }>;

/**
 * Like {@link readProvisioningFile}, but does not parse a file with unchanged text again, which takes tens of milliseconds for hundreds of
 * packages.
 * @param known what was read with the same `env`; changed
 */
export function readUnlessKnown(
  file: string,
  text: string,
  env: Record<string, string | undefined>,
  known: KnownFiles
): { findings: ProvisioningFinding[]; read?: { value: ProvisioningFile; source: () => Source } } {
  const before = known.get(file);
  if (before?.text === text) {
    let source: Source | undefined;
    return { findings: [], read: { value: before.value, source: () => (source ??= readSource(file, text) as Source) } };
  }
  known.delete(file);
  const { findings, read } = readProvisioningFile(file, text, env);
  if (read === undefined) {
    return { findings };
  }
  const { value, source } = read;
  known.set(file, { text, value });
  return { findings, read: { value, source: () => source } };
}

export interface Expanded {
  text: string;
  /** Messages. */
  mistakes: string[];
}

const VARIABLE = /\$(?:(\$)|\{([^{}]*)\}|([A-Za-z_]\w*)|(\{))/g;

/**
 * Replaces variables, written as in Grafana's own provisioning: `${NAME}`, `$NAME`, and `$$` for a dollar sign. Unlike in Grafana, an
 * unset variable is an error: a token would silently be empty. Values are neither expanded again nor repeated in messages.
 */
export function expand(text: string, env: Record<string, string | undefined>): Expanded {
  const mistakes: string[] = [];
  const expanded = text.replaceAll(VARIABLE, (all, dollar?: string, braced?: string, bare?: string, open?: string) => {
    if (dollar !== undefined) {
      return '$';
    }
    const name = braced ?? bare ?? '';
    if (open !== undefined || !/^[A-Za-z_]\w*$/.test(name)) {
      mistakes.push('This "${" does not begin a variable: write ${NAME}, or $$ for a dollar sign.');
      return all;
    }
    const value = env[name];
    if (value === undefined || value === '') {
      // Otherwise, it may be a part of a secret.
      const isName = braced !== undefined || (all === text && /^[A-Z\d_]+$/.test(name));
      mistakes.push(
        isName
          ? `The variable ${name} is not set in the environment of the bridge.`
          : 'The variable after "$" is not set in the environment of the bridge: set it, or write $$ for a dollar sign.'
      );
      return all;
    }
    return value;
  });
  return { text: expanded, mistakes };
}
