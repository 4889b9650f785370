/**
 * Puts unpacked files in their places, all of them or none. They are copied beside their places first, so that the rest is
 * renaming; what stood there is kept aside until everything is in place, and put back when anything fails. A journal lets the
 * next look at the folder put back what a bridge that was killed has left.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, chmod, chown, lstat, mkdir, realpath, rename, rm, rmdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { type Journal, readJournal, removeJournal, type Restored, type Step, writeJournal } from './journal.ts';
import { isAbsence, isThere, WORK_PREFIX } from './places.ts';
import type { Staged } from './unpack.ts';

/** An entry to restore. */
export interface Putting {
  /** Index of the staged entry. */
  entry: number;
  /** Absolute, without links, below the folder. */
  target: string;
}

/** Disk operations; tests let them fail. */
export interface Disk {
  copyFile: (from: string, to: string) => Promise<void>;
  rename: (from: string, to: string) => Promise<void>;
}
export const REAL_DISK: Disk = { copyFile: (from, to) => copyFile(from, to), rename };

/**
 * @param restored the only entry of its journal ({@link recover})
 * @throws whatever the disk says; then everything is as it was
 */
export async function putInPlace(
  restored: Restored,
  staged: readonly Staged[],
  puttings: readonly Putting[],
  disk: Disk = REAL_DISK
): Promise<void> {
  const journal: Journal = { root: restored.root, work: `${WORK_PREFIX}${randomUUID()}`, done: false, steps: [] };
  const work = path.join(restored.root, journal.work);
  try {
    await writeJournal(restored, journal);
    await mkdir(work, { mode: 0o700 });
    await mkdir(path.join(work, 'new'), { mode: 0o700 });
    await mkdir(path.join(work, 'old'), { mode: 0o700 });
    const wanted = new Set(puttings.map(({ entry }) => entry));
    await copyAll(
      path.join(work, 'new'),
      staged.filter(({ entry }) => wanted.has(entry)),
      disk
    );
    await moveAll(restored, journal, puttings, disk);
    await writeJournal(restored, { ...journal, done: true });
  } catch (error) {
    await recover(restored, disk).catch((cause: unknown) => {
      const old = path.join(work, 'old');
      throw new Error(`The previous file could not be put back; it is in ${old}`, { cause });
    });
    throw error;
  }
  // All is in place: what cannot be thrown away now is thrown away the next time.
  await throwAway(restored, work).catch(() => undefined);
}

/**
 * Undoes what the journal says, as far as it was done. Can be repeated after an interruption.
 * @throws when something could not be put back; it is tried again the next time
 */
export async function recover(restored: Restored, disk: Disk = REAL_DISK): Promise<void> {
  const journal = await readJournal(restored);
  if (journal === undefined) {
    return;
  }
  const work = path.join(restored.root, journal.work);
  if (await isThere(work)) {
    if (!(await lstat(work)).isDirectory()) {
      throw new Error(`${work} is not the folder that a restore has made.`);
    }
    if (!journal.done) {
      for (const step of [...journal.steps].reverse()) {
        await undo(restored.root, work, step, disk);
      }
    }
  }
  await throwAway(restored, work);
}

async function throwAway(restored: Restored, work: string): Promise<void> {
  await rm(work, { recursive: true, force: true });
  await removeJournal(restored);
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
  // Folders last, innermost first: adding a file changes a folder's time, and may no longer be allowed.
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

async function moveAll(restored: Restored, journal: Journal, puttings: readonly Putting[], disk: Disk): Promise<void> {
  const { root } = restored;
  const work = path.join(root, journal.work);
  // Parents before children.
  const ordered = [...puttings].sort((a, b) => a.target.length - b.target.length);
  for (const { entry, target } of ordered) {
    const made = await missingFolders(root, path.dirname(target));
    const step = { entry, target: path.relative(root, target), hadOld: await isThere(target), made };
    journal.steps.push(step);
    await writeJournal(restored, journal);
    for (const folder of made) {
      await mkdir(path.join(root, folder), { mode: 0o755 });
    }
    const fresh = path.join(work, 'new', String(entry));
    const old = path.join(work, 'old', String(entry));
    await withoutLinks(target, fresh, old);
    if (step.hadOld) {
      await disk.rename(target, old);
    }
    await disk.rename(fresh, target);
  }
}

/**
 * The package can put a link in the place of any folder meanwhile, to have the bridge rename what is elsewhere.
 * @throws when the folder of one of them is another than it says; one that is not there yet is none
 */
async function withoutLinks(...files: string[]): Promise<void> {
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    const real = await realpath(folder).catch((error: unknown) => {
      if (isAbsence(error)) {
        return folder;
      }
      throw error;
    });
    if (real !== folder) {
      throw new Error(`A link leads from ${folder} to ${real}: nothing is moved there.`);
    }
  }
}

async function undo(root: string, work: string, step: Step, disk: Disk): Promise<void> {
  const place = path.join(root, step.target);
  const fresh = path.join(work, 'new', String(step.entry));
  const old = path.join(work, 'old', String(step.entry));
  await withoutLinks(place, fresh, old);
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
    await withoutLinks(path.join(root, folder));
    await rmdir(path.join(root, folder)).catch(ignoreUsed);
  }
}

function ignoreUsed(error: NodeJS.ErrnoException): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) {
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
