/** Findings for programs: one object. */
import { countOf, type Outcome } from './types.ts';

export function jsonText(outcome: Outcome): string {
  const { files, packages, unreadable } = outcome;
  const document = {
    summary: {
      packages,
      files: files.length,
      errors: countOf(outcome, 'error'),
      warnings: countOf(outcome, 'warning'),
      notes: countOf(outcome, 'note'),
      unreadable: unreadable.length,
    },
    files: files.map(({ path, findings }) => ({ path, findings })),
    unreadable,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
