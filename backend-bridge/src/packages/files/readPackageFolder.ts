/** Reads the folder of a package: its files, merged with those of its variants. */
import { isUtf8 } from 'node:buffer';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FileKind, Finding } from '../../../contract/finding.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ValidatedPackage, PackageTexts } from '../../validation/package/validatePackage.ts';
import { mergeComposes, mergeManifests, mergeNotifications } from './mergeVariant.ts';
import { readRegularFile } from './regularFile.ts';

/** A file of the folder. */
export interface PackageFile {
  /** Relative to the folder, with slashes. */
  path: string;
  text: string;
}

/** A file that could not be read, or is not allowed. */
export interface FileProblem {
  /** Relative to the folder, with slashes; empty: the folder itself. */
  path: string;
  /** A sentence. */
  message: string;
}

/** A package, or one variant of it. */
export interface PackageFolder {
  dir: string;
  /** The name of the variant's folder in `package_variants`; absent without variants. */
  variant?: string;
  /** The files to validate and register: those of the variant merged over those of the root. Absent without a readable manifest. */
  texts?: PackageTexts;
  /** The files that the texts come from, root first. */
  sources: Record<FileKind, PackageFile[]>;
  dashboards: PackageFile[];
  /** Prometheus targets. */
  targets?: PackageFile;
  /** The image of the package, a PNG. */
  avatar?: Buffer;
  /** Files that could not be read. */
  problems: FileProblem[];
}

/** A finding that points into one of the files of the folder. */
export interface LocatedFinding extends Finding {
  /** Relative to the folder, with slashes. */
  path: string;
}

export interface ValidatedFolder extends ValidatedPackage {
  findings: LocatedFinding[];
}

/** Dashboards are the largest; validation rejects texts over 1 MiB itself. */
const MAX_BYTES = LIMITS.fileBytes.value;

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'File not found.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  ENOTDIR: 'Part of the path is not a folder.',
  ELOOP: 'Too many levels of symbolic links.',
  ENAMETOOLONG: 'File name too long.',
};

/** The message for a file system error. */
export function refusal(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && MESSAGES[code]) || `Cannot read the file (${code ?? (error as Error).message}).`;
}

/**
 * Reads a text file, but none outside of the folder.
 * @param root a resolved path, without links: links that lead out of it are not followed
 * @param name of the file below it, with slashes
 */
export async function readFileWithin(root: string, name: string): Promise<PackageFile | FileProblem> {
  const bytes = await readBytesWithin(root, name, MAX_BYTES);
  if (!Buffer.isBuffer(bytes)) {
    return bytes;
  }
  return isUtf8(bytes)
    ? { path: name, text: bytes.toString('utf8') }
    : { path: name, message: 'The file is not UTF-8 text.' };
}

async function readBytesWithin(root: string, name: string, maxBytes: number): Promise<Buffer | FileProblem> {
  const problem = (message: string): FileProblem => ({ path: name, message });
  try {
    const real = await realpath(path.join(root, name));
    const relative = path.relative(root, real);
    if (relative.startsWith('..') || path.isAbsolute(relative)) {
      return problem('The symbolic link points outside of the folder.');
    }
    const bytes = await readRegularFile(real, maxBytes);
    if (bytes === 'not-a-file') {
      return problem('Not a regular file.');
    }
    if (bytes === 'too-large') {
      return problem(`The file is larger than ${maxBytes / 1024 / 1024} MiB.`);
    }
    return bytes;
  } catch (error) {
    return problem(refusal(error));
  }
}

export const MANIFEST = 'dappnode_package.json';
const VARIANTS = 'package_variants';

/** File names by kind. */
const NAMES = {
  manifest: /^dappnode_package\.json$/,
  notifications: /^(?:.+-)?notifications\.(?:ya?ml|json)$/,
  compose: /^docker-compose\.ya?ml$/,
  targets: /^(?:.+-)?prometheus-targets\.json$/,
  dashboards: /grafana-dashboard\.json$/,
  avatar: /^(?:.+-)?avatar\.png$/,
} as const;
const MAX_DASHBOARDS = 50;

/** The kind of a file by its name, which may have a prefix, such as `old-docker-compose.yml`. */
export function kindOf(name: string): FileKind {
  if (NAMES.notifications.test(name)) {
    return 'notifications';
  }
  return /compose\.ya?ml$/.test(name) ? 'compose' : 'manifest';
}

/** The files of one folder. */
interface Level {
  found: Partial<Record<FileKind | 'targets', PackageFile>>;
  dashboards: PackageFile[];
  avatar?: Buffer;
  problems: FileProblem[];
}

/**
 * Reads the folder of a package. Files that cannot be read are among the problems. Never throws.
 * @returns one entry per variant, or a single one without variants
 */
export async function readPackageFolder(dir: string): Promise<PackageFolder[]> {
  let root: string;
  let names: string[];
  try {
    root = await realpath(dir);
    names = await readdir(root);
  } catch (error) {
    return [
      folderOf(dir, undefined, [{ found: {}, dashboards: [], problems: [{ path: '', message: refusal(error) }] }]),
    ];
  }
  const base = await readLevel(root, '', names);
  const variants = names.includes(VARIANTS) ? await readVariants(root) : { levels: [], problems: [] };
  base.problems.push(...variants.problems);
  return variants.levels.length === 0
    ? [folderOf(dir, undefined, [base])]
    : variants.levels.map(({ variant, level }) => folderOf(dir, variant, [base, level]));
}

async function readVariants(root: string): Promise<{
  levels: { variant: string; level: Level }[];
  problems: FileProblem[];
}> {
  const levels: { variant: string; level: Level }[] = [];
  try {
    const entries = await readdir(path.join(root, VARIANTS), { withFileTypes: true });
    for (const variant of entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()) {
      const names = await readdir(path.join(root, VARIANTS, variant));
      const level = await readLevel(root, `${VARIANTS}/${variant}/`, names, variant);
      if (Object.keys(level.found).length > 0 || level.problems.length > 0) {
        levels.push({ variant, level });
      }
    }
    return { levels, problems: [] };
  } catch (error) {
    return { levels, problems: [{ path: VARIANTS, message: refusal(error) }] };
  }
}

/** @param prefix of the folder below the root, with a slash at its end */
async function readLevel(root: string, prefix: string, names: readonly string[], variant?: string): Promise<Level> {
  const level: Level = { found: {}, dashboards: [], problems: [] };
  const read = async (name: string): Promise<PackageFile | undefined> => {
    const file = await readFileWithin(root, prefix + name);
    if ('text' in file) {
      return file;
    }
    level.problems.push(file);
    return undefined;
  };
  for (const kind of ['manifest', 'notifications', 'compose', 'targets'] as const) {
    const name = preferred(
      names.filter((one) => NAMES[kind].test(one)),
      variant
    );
    const file = name === undefined ? undefined : await read(name);
    if (file) {
      level.found[kind] = file;
    }
  }
  for (const name of names
    .filter((one) => NAMES.dashboards.test(one))
    .sort()
    .slice(0, MAX_DASHBOARDS)) {
    const file = await read(name);
    if (file) {
      level.dashboards.push(file);
    }
  }
  const avatar = preferred(
    names.filter((one) => NAMES.avatar.test(one)),
    variant
  );
  // An image that is too large to show is no reason to reject a package.
  const image = avatar === undefined ? undefined : await readBytesWithin(root, prefix + avatar, LIMITS.iconBytes.value);
  if (Buffer.isBuffer(image)) {
    level.avatar = image;
  }
  return level;
}

/** Selects the file named after the variant, else the one with the shortest name: `notifications.yaml` before `old-notifications.yaml`. */
function preferred(names: readonly string[], variant: string | undefined): string | undefined {
  const own = variant === undefined ? undefined : names.find((name) => name.startsWith(`${variant}-`));
  return own ?? [...names].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}

/** @param levels the root, and the variant over it */
function folderOf(dir: string, variant: string | undefined, levels: readonly Level[]): PackageFolder {
  const last = <T>(values: readonly T[]): T[] => values.slice(-1);
  const files = (kind: FileKind | 'targets'): PackageFile[] => levels.flatMap(({ found }) => found[kind] ?? []);
  const sources = {
    manifest: files('manifest'),
    notifications: files('notifications'),
    compose: files('compose'),
  };
  const texts = textsOf(sources);
  const [targets] = last(files('targets'));
  const [avatar] = last(levels.flatMap((level) => level.avatar ?? []));
  return {
    dir,
    ...(variant !== undefined && { variant }),
    ...(texts && { texts }),
    sources,
    dashboards: last(levels.map(({ dashboards }) => dashboards).filter((some) => some.length > 0)).flat(),
    ...(targets && { targets }),
    ...(avatar && { avatar }),
    problems: levels.flatMap(({ problems }) => problems),
  };
}

function textsOf({ manifest, notifications, compose }: PackageFolder['sources']): PackageTexts | undefined {
  const merged = textOf(manifest, mergeManifests);
  if (merged === undefined) {
    return undefined;
  }
  const composed = textOf(compose, mergeComposes);
  const notified = textOf(notifications, mergeNotifications);
  return {
    manifest: merged,
    ...(notified !== undefined && { notifications: notified }),
    ...(composed !== undefined && { compose: composed }),
  };
}

/** If the files cannot be merged, returns the first invalid one, which validation rejects. */
function textOf(
  files: readonly PackageFile[],
  mergeTwo: (root: string, variant: string) => string | undefined
): string | undefined {
  const [root, variant] = files;
  if (root === undefined || variant === undefined) {
    return root?.text;
  }
  return mergeTwo(root.text, variant.text) ?? (mergeTwo(root.text, root.text) === undefined ? root.text : variant.text);
}

/** The texts to register: the image of the folder is embedded in the manifest as `avatar`, unless that names an image itself. */
export function textsToRegister({ texts, avatar }: Pick<PackageFolder, 'texts' | 'avatar'>): PackageTexts | undefined {
  return texts && avatar ? { ...texts, manifest: withAvatar(texts.manifest, avatar) } : texts;
}

const IMAGE_MEMBERS = ['icon', 'avatarUrl', 'avatar'];

function withAvatar(manifest: string, image: Buffer): string {
  try {
    const members = Object.keys(JSON.parse(manifest.replace(/^\uFEFF/, '')) as object);
    const end = manifest.lastIndexOf('}');
    const embedded = `"avatar": "data:image/png;base64,${image.toString('base64')}"`;
    return end < 0 || members.length === 0 || members.some((member) => IMAGE_MEMBERS.includes(member))
      ? manifest
      : `${manifest.slice(0, end).trimEnd()},\n  ${embedded}\n${manifest.slice(end)}`;
  } catch {
    return manifest; // validation reports what is wrong
  }
}
