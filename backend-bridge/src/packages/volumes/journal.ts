/**
 * Journal of a restore, so that the next check can undo an interrupted one. It is kept in the data directory: the folder itself is written
 * by the package, which could have the bridge rename any file of the machine.
 */
import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isAbsence, isSegment, WORK_PREFIX } from './places.ts';

/** A folder of a package's files, and where its journal is. */
export interface Restored {
  /** Absolute, without links. */
  root: string;
  journal: string;
}

/** One journal a folder: one restore at a time is under way there. */
export function restoredIn(root: string, dataDir: string): Restored {
  const name = createHash('sha256').update(root).digest('hex');
  return { root, journal: path.join(dataDir, `restoring-${name}.json`) };
}

const below = z
  .string()
  .refine((text) => text !== '.' && !path.isAbsolute(text) && path.normalize(text) === text)
  .refine((text) => text.split(path.sep)[0] !== '..' && !text.startsWith(WORK_PREFIX));

/** One renaming; paths are relative to the folder. */
const stepSchema = z.object({
  /** Index of the staged entry. */
  entry: z.int().nonnegative(),
  target: below,
  hadOld: z.boolean(),
  /** Folders on the way that have to be made, outermost first. */
  made: z.array(below),
});
export type Step = z.infer<typeof stepSchema>;

const journalSchema = z.object({
  root: z.string(),
  /** Name of the folder in which the new files wait and the old ones are kept. */
  work: z.string().refine((name) => name.startsWith(WORK_PREFIX) && isSegment(name)),
  /** Everything is in place: the old files are only to be thrown away. */
  done: z.boolean(),
  steps: z.array(stepSchema),
});
export type Journal = z.infer<typeof journalSchema>;

/** Renamed into place, so that there is always a whole one. */
export async function writeJournal({ root, journal }: Restored, said: Omit<Journal, 'root'>): Promise<void> {
  const aside = `${journal}.new`;
  await writeFile(aside, JSON.stringify({ root, ...said } satisfies Journal), { mode: 0o600 });
  await rename(aside, journal);
}

/**
 * @returns undefined when nothing is under way
 * @throws when it is damaged, or of another folder
 */
export async function readJournal({ root, journal }: Restored): Promise<Journal | undefined> {
  const text = await readFile(journal, 'utf8').catch((error: unknown) => {
    if (isAbsence(error)) {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const read = journalSchema.safeParse(readJson(text));
  if (!read.success || read.data.root !== root) {
    throw new Error(
      `${journal} is no journal of a restore in ${root}. See in that folder whether anything is to be put back, then remove the journal.`
    );
  }
  return read.data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function removeJournal({ journal }: Restored): Promise<void> {
  await rm(`${journal}.new`, { force: true });
  await rm(journal, { force: true });
}
