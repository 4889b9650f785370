/**
 * Puts unpacked files in their places, all of them or none. They are copied beside their places first, so that the rest is
 * renaming; what stood there is kept aside until everything is in place, and put back when anything fails. A journal lets the
 * next look at the folder put back what a bridge that was killed has left.
 */
import { randomUUID } from 'node:crypto';
import {
  copyFile,
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { isAbsence, isThere, WORK_PREFIX } from './places.ts';
import type { Staged } from './unpack.ts';

/** An entry that is to be put in its place. */
export interface Putting {
  /** Which of the staged entries. */
  entry: number;
  /** Absolute, without links, below the folder. */
  target: string;
}

/** What changes the disk; tests let it fail. */
export interface Disk {
  copyFile: (from: string, to: string) => Promise<void>;
  rename: (from: string, to: string) => Promise<void>;
}
export const REAL_DISK: Disk = { copyFile: (from, to) => copyFile(from, to), rename };

/** One renaming; paths are relative to the folder. */
interface Step {
  entry: number;
  target: string;
  hadOld: boolean;
  /** Folders on the way that have to be made, outermost first. */
  made: string[];
}

const JOURNAL = 'journal.json';
/** Beside the journal once everything is in place: from then on the old files are only to be thrown away. */
const DONE = 'done';

/**
 * @param root the folder of the package's files, without links
 * @throws whatever the disk says; then everything is as it was
 */
export async function putInPlace(
  root: string,
  staged: readonly Staged[],
  puttings: readonly Putting[],
  disk: Disk = REAL_DISK
): Promise<void> {
  const work = path.join(root, `${WORK_PREFIX}${randomUUID()}`);
  await mkdir(path.join(work, 'new'), { recursive: true, mode: 0o700 });
  await mkdir(path.join(work, 'old'), { mode: 0o700 });
  try {
    const wanted = new Set(puttings.map(({ entry }) => entry));
    await copyAll(
      path.join(work, 'new'),
      staged.filter(({ entry }) => wanted.has(entry)),
      disk
    );
    await moveAll(root, work, puttings, disk);
    await writeFile(path.join(work, DONE), '');
  } catch (error) {
    await putBack(root, work, disk).catch((cause: unknown) => {
      const old = path.join(work, 'old');
      throw new Error(`What stood there before could not be put back; it is in ${old}`, { cause });
    });
    throw error;
  }
  // All is in place: what cannot be thrown away now is thrown away the next time.
  await rm(work, { recursive: true, force: true }).catch(() => undefined);
}

/** @throws when something could not be put back; it is tried again the next time */
export async function recover(root: string, disk: Disk = REAL_DISK): Promise<void> {
  const names = await readdir(root).catch((error: unknown) => {
    if (isAbsence(error)) {
      return [];
    }
    throw error;
  });
  for (const name of names.filter((one) => one.startsWith(WORK_PREFIX))) {
    await putBack(root, path.join(root, name), disk);
  }
}

async function copyAll(to: string, staged: readonly Staged[], disk: Disk): Promise<void> {
  const at = ({ entry, below }: Staged): string => path.join(to, String(entry), ...below);
  for (const one of staged) {
    if (one.type === 'directory') {
      await mkdir(at(one), { recursive: true, mode: 0o700 });
    } else {
      await mkdir(path.dirname(at(one)), { recursive: true, mode: 0o755 });
      await disk.copyFile(one.content, at(one));
    }
  }
  // Folders last and from within: what is put into one changes its time, and may not be allowed any more.
  const fromWithin = [...staged].sort((a, b) => b.below.length - a.below.length);
  for (const one of fromWithin) {
    await dress(at(one), one);
  }
}

/** Owner, rights and time as they were. Only root may give files away: else they are the bridge's. */
async function dress(file: string, { uid, gid, mode, mtime }: Staged): Promise<void> {
  await chown(file, uid, gid).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM' && error.code !== 'EINVAL') {
      throw error;
    }
  });
  await chmod(file, mode);
  await utimes(file, mtime, mtime);
}

async function moveAll(root: string, work: string, puttings: readonly Putting[], disk: Disk): Promise<void> {
  const journal: Step[] = [];
  // What is outside comes before what is inside it.
  const ordered = [...puttings].sort((a, b) => a.target.length - b.target.length);
  for (const { entry, target } of ordered) {
    const made = await missingFolders(root, path.dirname(target));
    const step = { entry, target: path.relative(root, target), hadOld: await isThere(target), made };
    journal.push(step);
    await writeJournal(work, journal);
    for (const folder of made) {
      await mkdir(path.join(root, folder), { mode: 0o755 });
    }
    if (step.hadOld) {
      await disk.rename(target, path.join(work, 'old', String(entry)));
    }
    await disk.rename(path.join(work, 'new', String(entry)), target);
  }
}

/** Undoes what the journal says, as far as it was done. Can be done again after it was broken off. */
async function putBack(root: string, work: string, disk: Disk): Promise<void> {
  const journal = await readJournal(work);
  if (journal !== undefined && !(await isThere(path.join(work, DONE)))) {
    for (const step of [...journal].reverse()) {
      await undo(root, work, step, disk);
    }
  }
  await rm(work, { recursive: true, force: true });
}

async function undo(root: string, work: string, step: Step, disk: Disk): Promise<void> {
  const place = path.join(root, step.target);
  const fresh = path.join(work, 'new', String(step.entry));
  const old = path.join(work, 'old', String(step.entry));
  const isOldAside = await isThere(old);
  // The new one has left its folder: it is in the place.
  const isPlaced = !(await isThere(fresh)) && (await isThere(place));
  if (isPlaced && (isOldAside || !step.hadOld)) {
    await disk.rename(place, fresh);
  }
  if (isOldAside) {
    await disk.rename(old, place);
  }
  for (const folder of [...step.made].reverse()) {
    await rmdir(path.join(root, folder)).catch(ignoreUsed);
  }
}

function ignoreUsed(error: NodeJS.ErrnoException): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) {
    throw error;
  }
}

/** Renamed into place, so that there is always a whole one. */
async function writeJournal(work: string, journal: readonly Step[]): Promise<void> {
  const file = path.join(work, JOURNAL);
  await writeFile(`${file}.new`, JSON.stringify(journal));
  await rename(`${file}.new`, file);
}

/** @returns undefined when nothing was moved yet */
async function readJournal(work: string): Promise<Step[] | undefined> {
  try {
    return JSON.parse(await readFile(path.join(work, JOURNAL), 'utf8')) as Step[];
  } catch (error) {
    if (isAbsence(error)) {
      return undefined;
    }
    throw error;
  }
}

async function missingFolders(root: string, folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; at !== root && !(await isThere(at)); at = path.dirname(at)) {
    missing.unshift(path.relative(root, at));
  }
  return missing;
}
