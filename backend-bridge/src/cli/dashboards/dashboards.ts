/** Writes the dashboards of an operator's packages, and says what it did. */
import type { DashboardFlags } from '../dashboards.ts';
import { type CliIo, EXIT, type ExitCode, printable, usageError } from '../io.ts';
import { readFolder } from '../provision/folder.ts';
import { countOf } from '../validate/types.ts';
import { textOf } from '../validate/validate.ts';
import { chooseDashboards } from './choose.ts';
import { type Fate, writeDashboards } from './write.ts';

const WORDS: Record<Fate, string> = {
  written: 'wrote  ',
  same: 'kept   ',
  deleted: 'deleted',
  left: 'left   ',
  taken: 'refused',
};

export async function dashboards({ dir, out, prune = false }: DashboardFlags, io: CliIo): Promise<ExitCode> {
  const { folder, outcome } = await readFolder(dir, io);
  if (outcome.unreadable.length > 0 || countOf(outcome, 'error') > 0) {
    io.err(textOf('human', outcome, io));
    return outcome.unreadable.length > 0 ? EXIT.usage : EXIT.refused;
  }
  const { chosen, notes } = chooseDashboards(folder.packages);
  notes.forEach((note) => io.err(`${printable(note)}\n`));
  const written = await writeDashboards(out, chosen, prune).catch((error: unknown) => {
    const { code, path } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : usageError(`${path ?? out} cannot be written (${code}).`);
  });
  for (const { file, fate, title } of written) {
    const more = fate === 'left' ? 'is of no package any more; --prune deletes it' : printable(title);
    io.out(`${WORDS[fate]}  ${file}  ${fate === 'taken' ? 'is not a dashboard that Nodebell wrote' : more}\n`);
  }
  return written.some(({ fate }) => fate === 'taken') ? EXIT.refused : EXIT.ok;
}
