/** Ordering and grouping of findings. Pure. */
import { FILE_KINDS, VERDICTS, type FileKind, type Finding, type Verdict } from '@nodebell/contract/finding.ts';

export const FILE_NAMES: Record<FileKind, string> = {
  manifest: 'dappnode_package.json',
  notifications: 'notifications.yaml',
  compose: 'docker-compose.yml',
};

export interface NumberedFinding extends Finding {
  /** Index among all findings (0-based), shared by the list and the source. */
  index: number;
}

/** Sorts by severity, then by file and position. */
export function orderFindings(findings: readonly Finding[]): NumberedFinding[] {
  return findings
    .toSorted(
      (a, b) =>
        VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) ||
        FILE_KINDS.indexOf(a.file) - FILE_KINDS.indexOf(b.file) ||
        a.line - b.line ||
        a.column - b.column
    )
    .map((finding, index) => ({ ...finding, index }));
}

export function countVerdicts(findings: readonly Finding[]): Record<Verdict, number> {
  const counts = { error: 0, warning: 0, note: 0 };
  findings.forEach(({ verdict }) => counts[verdict]++);
  return counts;
}

/** Findings of a file by start line, most severe first. */
export function findingsByLine(findings: readonly NumberedFinding[], file: FileKind): Map<number, NumberedFinding[]> {
  const byLine = new Map<number, NumberedFinding[]>();
  for (const finding of findings.filter((one) => one.file === file)) {
    byLine.set(finding.line, [...(byLine.get(finding.line) ?? []), finding]);
  }
  return byLine;
}
