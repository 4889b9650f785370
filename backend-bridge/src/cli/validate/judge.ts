/** Finds packages and judges them. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Dialect } from '../../../contract/finding.ts';
import { judgeFolder } from '../../packageFiles/judgeFolder.ts';
import { refusal } from '../../packageFiles/readFile.ts';
import { MANIFEST, readPackageFolder } from '../../packageFiles/readPackageFolder.ts';
import type { LocatedFinding, PackageFolder } from '../../packageFiles/types.ts';
import { readNamed } from './named.ts';
import {
  byLine,
  type FileFinding,
  type JudgedFile,
  type Outcome,
  type Refuse,
  type Say,
  type UnreadableFile,
} from './types.ts';

/** Folders that are read at the same time: disks answer late, and the judge is busy meanwhile. */
const AT_ONCE = 16;

/** @param paths files and folders, as they were given; files of one folder are judged as one package */
export async function judgePaths(paths: readonly string[], dialect: Dialect): Promise<Outcome> {
  const files = new Map<string, JudgedFile>();
  const unreadable = new Map<string, UnreadableFile>();
  const refuse: Refuse = (name, message) => void unreadable.set(shown(name), { path: shown(name), message });
  const say: Say = (name, text, findings) => {
    const file = files.get(shown(name)) ?? { path: shown(name), text, findings: [] };
    files.set(file.path, file);
    file.findings.push(...findings.filter((finding) => !file.findings.some((one) => same(one, finding))));
  };
  const named: string[] = [];
  const folders: string[] = [];
  for (const given of paths) {
    const kind = await kindOfPath(given);
    if (kind === 'file') {
      named.push(given);
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
  const judge = packageJudge(dialect, say, refuse);
  for (const group of await readNamed(named, say, refuse)) {
    judge.take(group);
  }
  let packages = 0;
  for (let first = 0; first < folders.length; first += AT_ONCE) {
    const read = await Promise.all(folders.slice(first, first + AT_ONCE).map(readPackageFolder));
    for (const folder of read.flat()) {
      packages += 1;
      judge.take(folder);
    }
  }
  judge.libraries();
  for (const { findings } of files.values()) {
    findings.sort(byLine);
  }
  return { files: [...files.values()], unreadable: [...unreadable.values()], packages };
}

interface PackageJudge {
  take: (folder: PackageFolder) => void;
  /** What a library depends on may have come after it: they are judged when all is read. */
  libraries: () => void;
}

function packageJudge(dialect: Dialect, say: Say, refuse: Refuse): PackageJudge {
  const libraries: PackageFolder[] = [];
  const types = new Map<string, Set<string>>();
  /** Of a package of the same call; unknown where two of one name are of different types. */
  const typeOf = (dnpName: string): string | undefined => {
    const [type, other] = types.get(dnpName) ?? [];
    return other === undefined ? type : undefined;
  };
  const tell = (folder: PackageFolder, findings: readonly LocatedFinding[]): void => {
    for (const { path: name, text } of Object.values(folder.sources).flat()) {
      const own = findings.filter((finding) => finding.path === name);
      say(
        path.join(folder.dir, name),
        text,
        own.map(({ path: _path, ...finding }) => finding)
      );
    }
  };
  return {
    take(folder) {
      for (const { path: name, message } of folder.problems) {
        refuse(path.join(folder.dir, name), message);
      }
      if (!folder.texts && folder.problems.length === 0) {
        refuse(folder.dir, `It holds variants, but no ${MANIFEST}.`);
      }
      const judged = judgeFolder(folder, { dialect });
      const own = judged?.facts?.summary;
      if (own) {
        types.set(own.dnpName, (types.get(own.dnpName) ?? new Set()).add(own.type));
      }
      const isLibrary = own?.type === 'library';
      tell(folder, isLibrary ? [] : (judged?.findings ?? []));
      if (isLibrary) {
        libraries.push(folder);
      }
    },
    libraries() {
      for (const folder of libraries) {
        tell(folder, judgeFolder(folder, { dialect, typeOf })?.findings ?? []);
      }
    },
  };
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
