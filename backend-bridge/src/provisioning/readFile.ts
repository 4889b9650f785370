/** Reads one of the operator's files: YAML, variables, shape. Says all mistakes at once, each with its place. Pure. */
import { type ProvisioningFile, provisioningFileSchema } from '../../contract/provisioningFile.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { expand } from './expand.ts';
import { mistakesOf } from './mistakes.ts';
import { findingAt, findingAtNode, readSource, replaceTexts, type Source, valuesOf } from './source.ts';

export interface ReadFile {
  findings: ProvisioningFinding[];
  /** Absent when there is a mistake. */
  read?: { value: ProvisioningFile; source: Source };
}

/**
 * @param file its name, for the findings
 * @param env what variables are looked up in
 */
export function readProvisioningFile(file: string, text: string, env: Record<string, string | undefined>): ReadFile {
  const source = readSource(file, text);
  if (Array.isArray(source)) {
    return { findings: source };
  }
  const findings: ProvisioningFinding[] = [];
  replaceTexts(source, (before, node) => {
    const { text: after, mistakes } = expand(before, env);
    findings.push(
      ...mistakes.map((detail) =>
        findingAtNode(source, node, { rule: 'variable', verdict: 'error', title: 'A variable cannot be read', detail })
      )
    );
    return after;
  });
  let values: unknown;
  try {
    values = valuesOf(source);
  } catch (error) {
    const told = { rule: 'yaml', verdict: 'error', title: 'This is no YAML' } as const;
    return { findings: [...findings, findingAt(source, [], { ...told, detail: `${(error as Error).message}.` })] };
  }
  const result = provisioningFileSchema.safeParse(values ?? {});
  findings.push(...(result.error?.issues ?? []).flatMap((issue) => mistakesOf(issue, source, provisioningFileSchema)));
  return result.success && findings.length === 0
    ? { findings, read: { value: result.data, source } }
    : { findings: findings.sort((a, b) => a.line - b.line || a.column - b.column) };
}
