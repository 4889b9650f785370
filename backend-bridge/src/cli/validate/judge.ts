/** Finds packages and judges them. */
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Dialect, Finding } from '../../../contract/finding.ts';
import { judgeManifest } from '../../../contract/manifest.ts';
import { judgeNotifications } from '../../../contract/notificationsFile.ts';
import { readCompose } from '../../../contract/readCompose.ts';
import { judgeFolder } from '../../packageFiles/judgeFolder.ts';
import { readFileWithin, refusal } from '../../packageFiles/readFile.ts';
import { kindOf, MANIFEST, readPackageFolder } from '../../packageFiles/readPackageFolder.ts';
import type { PackageFolder } from '../../packageFiles/types.ts';
import { byLine, type FileFinding, type JudgedFile, type Outcome, type UnreadableFile } from './types.ts';

/** Folders that are read at the same time: disks answer late, and the judge is busy meanwhile. */
const AT_ONCE = 16;

/** @param paths files and folders, as they were given */
export async function judgePaths(paths: readonly string[], dialect: Dialect): Promise<Outcome> {
  const files = new Map<string, JudgedFile>();
  const unreadable = new Map<string, UnreadableFile>();
  const refuse = (name: string, message: string): void =>
    void unreadable.set(shown(name), { path: shown(name), message });
  const say = (name: string, text: string, findings: readonly Finding[]): void => {
    const file = files.get(shown(name)) ?? { path: shown(name), text, findings: [] };
    files.set(file.path, file);
    file.findings.push(...findings.filter((finding) => !file.findings.some((one) => same(one, finding))));
  };
  let packages = 0;
  const folders: string[] = [];
  for (const given of paths) {
    const kind = await kindOfPath(given);
    if (kind === 'file') {
      await judgeFile(given, dialect, say, refuse);
    } else if (kind === 'folder') {
      const found = await findPackages(given, refuse);
      folders.push(...found);
      if (found.length === 0) {
        refuse(given, `It holds no package: no ${MANIFEST} was found.`);
      }
    } else {
      refuse(given, kind.message);
    }
  }
  for (let first = 0; first < folders.length; first += AT_ONCE) {
    const read = await Promise.all(folders.slice(first, first + AT_ONCE).map(readPackageFolder));
    for (const folder of read.flat()) {
      packages += 1;
      judgeOne(folder, dialect, say, refuse);
    }
  }
  for (const { findings } of files.values()) {
    findings.sort(byLine);
  }
  return { files: [...files.values()], unreadable: [...unreadable.values()], packages };
}

type Say = (name: string, text: string, findings: readonly Finding[]) => void;
type Refuse = (name: string, message: string) => void;

function judgeOne(folder: PackageFolder, dialect: Dialect, say: Say, refuse: Refuse): void {
  for (const { path: name, message } of folder.problems) {
    refuse(path.join(folder.dir, name), message);
  }
  if (!folder.texts && folder.problems.length === 0) {
    refuse(folder.dir, `It holds variants, but no ${MANIFEST}.`);
  }
  const findings = judgeFolder(folder, { dialect })?.findings ?? [];
  for (const { path: name, text } of Object.values(folder.sources).flat()) {
    const own = findings.filter((finding) => finding.path === name);
    say(
      path.join(folder.dir, name),
      text,
      own.map(({ path: _path, ...finding }) => finding)
    );
  }
}

async function judgeFile(given: string, dialect: Dialect, say: Say, refuse: Refuse): Promise<void> {
  // A file that is named may be a link to anywhere.
  const real = await realpath(given).catch(() => path.resolve(given));
  const file = await readFileWithin(path.dirname(real), path.basename(real));
  if ('message' in file) {
    refuse(given, file.message);
    return;
  }
  const { text } = file;
  switch (kindOf(path.basename(given))) {
    case 'notifications':
      return say(given, text, judgeNotifications(text).findings);
    case 'compose':
      return say(given, text, readCompose(text).findings);
    default:
      return say(given, text, judgeManifest(text, { dialect }).findings);
  }
}

async function kindOfPath(given: string): Promise<'file' | 'folder' | { message: string }> {
  try {
    return (await stat(given)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return { message: refusal(error) };
  }
}

/** Folders with a manifest, or with variants that have one, in the order of their names. */
async function findPackages(folder: string, refuse: Refuse): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const variants = entries.some((entry) => entry.name === 'package_variants');
    const own = variants || entries.some(({ name }) => name === MANIFEST) ? [folder] : [];
    const below = entries.filter((entry) => entry.isDirectory() && !leftOut(entry.name)).sort(byName);
    const found = [own];
    for (const { name } of below) {
      found.push(await findPackages(path.join(folder, name), refuse));
    }
    return found.flat();
  } catch (error) {
    refuse(folder, refusal(error));
    return [];
  }
}

const leftOut = (name: string): boolean =>
  name.startsWith('.') || name === 'node_modules' || name === 'package_variants';
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** The root's files are judged once with each variant. */
const same = (a: FileFinding, b: FileFinding): boolean =>
  a.rule === b.rule && a.pointer === b.pointer && a.line === b.line && a.column === b.column && a.detail === b.detail;

function shown(name: string): string {
  return path.relative('', path.resolve(name)).split(path.sep).join('/') || '.';
}
