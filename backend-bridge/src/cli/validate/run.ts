/** `nodebell validate`: finds packages and validates them. */
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Dialect, FILE_KINDS, type FileKind } from '../../../contract/finding.ts';
import {
  kindOf,
  type LocatedFinding,
  MANIFEST,
  type PackageFile,
  type PackageFolder,
  readFileWithin,
  readPackageFolder,
  refusal,
} from '../../packages/files/readPackageFolder.ts';
import { validateFolder } from '../../packages/files/validateFolder.ts';
import { validateNotifications } from '../../validation/notifications/validateNotifications.ts';
import { validateCompose } from '../../validation/validateCompose.ts';
import { type CliIo, EXIT, type ExitCode } from '../shared/io.ts';
import {
  byLine,
  countOf,
  type FileFinding,
  type Format,
  formatOutcome,
  type ValidatedFile,
  type Outcome,
  type ReportUnreadable,
  type ReportFindings,
  type UnreadableFile,
} from './output.ts';

export interface ValidateFlags {
  format: Format;
  dialect: Dialect;
  quiet?: boolean;
  /** Whether warnings are a failure, too. */
  strict?: boolean;
}

/** @returns 2 if a file could not be read, else 1 if there are errors, or with `strict` warnings */
export async function validate(paths: readonly string[], flags: ValidateFlags, io: CliIo): Promise<ExitCode> {
  const outcome = await validatePaths(paths.length === 0 ? ['.'] : paths, flags.dialect);
  io.out(formatOutcome(flags.format, flags.quiet ? errorsOnly(outcome) : outcome, io));
  if (outcome.unreadable.length > 0) {
    return EXIT.usage;
  }
  const failures = countOf(outcome, 'error') + (flags.strict ? countOf(outcome, 'warning') : 0);
  return failures > 0 ? EXIT.refused : EXIT.ok;
}

function errorsOnly(outcome: Outcome): Outcome {
  return {
    ...outcome,
    files: outcome.files.map((file) => ({
      ...file,
      findings: file.findings.filter(({ verdict }) => verdict === 'error'),
    })),
  };
}

/** Folders that are read concurrently. */
const AT_ONCE = 16;

/** @param paths files and folders as given; files in the same folder are validated as a package */
export async function validatePaths(paths: readonly string[], dialect: Dialect): Promise<Outcome> {
  const files = new Map<string, ValidatedFile>();
  const unreadable = new Map<string, UnreadableFile>();
  const reportUnreadable: ReportUnreadable = (name, message) =>
    void unreadable.set(shown(name), { path: shown(name), message });
  const reportFindings: ReportFindings = (name, text, findings) => {
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
      const found = await findPackages(given, reportUnreadable);
      folders.push(...found);
      if (found.length === 0 && !unreadable.has(shown(given))) {
        reportUnreadable(given, `No package found: ${MANIFEST} is missing.`);
      }
    } else {
      reportUnreadable(given, kind.message);
    }
  }
  const validator = packageValidator(dialect, reportFindings, reportUnreadable);
  for (const group of await readNamed(named, dialect, reportFindings, reportUnreadable)) {
    validator.take(group);
  }
  let packages = 0;
  for (let first = 0; first < folders.length; first += AT_ONCE) {
    const read = await Promise.all(folders.slice(first, first + AT_ONCE).map(readPackageFolder));
    for (const folder of read.flat()) {
      packages += 1;
      validator.take(folder);
    }
  }
  validator.libraries();
  for (const { findings } of files.values()) {
    findings.sort(byLine);
  }
  return { files: [...files.values()], unreadable: [...unreadable.values()], packages };
}

interface PackageValidator {
  take: (folder: PackageFolder) => void;
  /** Validated last, since their dependencies may be read after them. */
  libraries: () => void;
}

function packageValidator(
  dialect: Dialect,
  reportFindings: ReportFindings,
  reportUnreadable: ReportUnreadable
): PackageValidator {
  const libraries: PackageFolder[] = [];
  const types = new Map<string, Set<string>>();
  /** The type of a package of this run; undefined if two of the same name differ. */
  const typeOf = (dnpName: string): string | undefined => {
    const [type, other] = types.get(dnpName) ?? [];
    return other === undefined ? type : undefined;
  };
  const reportFolder = (folder: PackageFolder, findings: readonly LocatedFinding[]): void => {
    for (const { path: name, text } of Object.values(folder.sources).flat()) {
      const own = findings.filter((finding) => finding.path === name);
      reportFindings(
        path.join(folder.dir, name),
        text,
        own.map(({ path: _path, ...finding }) => finding)
      );
    }
  };
  return {
    take(folder) {
      for (const { path: name, message } of folder.problems) {
        reportUnreadable(path.join(folder.dir, name), message);
      }
      if (!folder.texts && folder.problems.length === 0) {
        reportUnreadable(folder.dir, `The folder has variants, but no ${MANIFEST}.`);
      }
      const validated = validateFolder(folder, { dialect });
      const own = validated?.facts?.summary;
      if (own) {
        types.set(own.dnpName, (types.get(own.dnpName) ?? new Set()).add(own.type));
      }
      const isLibrary = own?.type === 'library';
      reportFolder(folder, isLibrary ? [] : (validated?.findings ?? []));
      if (isLibrary) {
        libraries.push(folder);
      }
    },
    libraries() {
      for (const folder of libraries) {
        reportFolder(folder, validateFolder(folder, { dialect, typeOf })?.findings ?? []);
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

/** Folders with a manifest, or with variants that have one, sorted by name. */
async function findPackages(folder: string, reportUnreadable: ReportUnreadable): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const variants = entries.some((entry) => entry.name === 'package_variants');
    const own = variants || entries.some(({ name }) => name === MANIFEST) ? [folder] : [];
    const below = entries.filter((entry) => entry.isDirectory() && !leftOut(entry.name)).sort(byName);
    const found = [own];
    for (const { name } of below) {
      found.push(await findPackages(path.join(folder, name), reportUnreadable));
    }
    return found.flat();
  } catch (error) {
    reportUnreadable(folder, refusal(error));
    return [];
  }
}

const leftOut = (name: string): boolean =>
  name.startsWith('.') || name === 'node_modules' || name === 'package_variants';
const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** The files of the root are validated once per variant. */
const same = (a: FileFinding, b: FileFinding): boolean =>
  a.rule === b.rule && a.pointer === b.pointer && a.line === b.line && a.column === b.column && a.detail === b.detail;

function shown(name: string): string {
  return path.relative('', path.resolve(name)).split(path.sep).join('/') || '.';
}

/** The given files of a folder, by kind. */
type Level = Record<FileKind, PackageFile[]>;

/**
 * Reads given files. A manifest is returned with the compose and notifications file given from the same folder as a package; files
 * without a single manifest are validated by themselves.
 */
export async function readNamed(
  paths: readonly string[],
  dialect: Dialect,
  reportFindings: ReportFindings,
  reportUnreadable: ReportUnreadable
): Promise<PackageFolder[]> {
  const levels = new Map<string, Level>();
  for (const given of new Set(paths.map((one) => path.resolve(one)))) {
    // A given file may be a symbolic link to anywhere.
    const real = await realpath(given).catch(() => given);
    const file = await readFileWithin(path.dirname(real), path.basename(real));
    if ('message' in file) {
      reportUnreadable(given, file.message);
      continue;
    }
    reportFindings(given, file.text, []); // keeps the given order
    const dir = path.dirname(given);
    const level = levels.get(dir) ?? { manifest: [], notifications: [], compose: [] };
    levels.set(dir, level);
    level[kindOf(path.basename(given))].push({ path: path.basename(given), text: file.text });
  }
  return [...levels].flatMap(([dir, level]) => packagesOf(dir, level, dialect, reportFindings));
}

/** With several manifests or several files of a kind, files cannot be assigned and are validated separately. */
function packagesOf(dir: string, level: Level, dialect: Dialect, reportFindings: ReportFindings): PackageFolder[] {
  const isOne = level.manifest.length === 1;
  const joined = (kind: FileKind): PackageFile[] => (isOne && level[kind].length === 1 ? level[kind] : []);
  for (const kind of FILE_KINDS) {
    if (kind !== 'manifest' && joined(kind).length === 0) {
      const check = kind === 'compose' ? validateCompose : validateNotifications;
      level[kind].forEach((file) =>
        reportFindings(path.join(dir, file.path), file.text, check(file.text, dialect).findings)
      );
    }
  }
  return level.manifest.map((manifest) => {
    const sources = { manifest: [manifest], notifications: joined('notifications'), compose: joined('compose') };
    const [notifications] = sources.notifications;
    const [compose] = sources.compose;
    return {
      dir,
      texts: {
        manifest: manifest.text,
        ...(notifications && { notifications: notifications.text }),
        ...(compose && { compose: compose.text }),
      },
      sources,
      dashboards: [],
      problems: [],
    };
  });
}
