/** Reads and validates the files of a package for a request. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type PackageFile,
  type PackageFolder,
  readPackageFolder,
  textsToRegister,
} from '../../packages/files/readPackageFolder.ts';
import { validateFolder } from '../../packages/files/validateFolder.ts';
import { readText } from '../../provisioning/kinds/readText.ts';
import type { PackageTexts } from '../../validation/package/validatePackage.ts';
import { unreadable, usageError } from '../shared/io.ts';
import type { Outcome } from '../validate/output.ts';
import type { ConnectionFlags } from '../shared/connection.ts';
import type { Dialect } from '../../../contract/finding.ts';

export interface PackageFlags extends ConnectionFlags {
  json?: boolean;
}

/** Flags of commands that require confirmation. */
export interface ConfirmFlags extends PackageFlags {
  yes?: boolean;
}

export interface ChangeFlags extends ConfirmFlags {
  dialect: Dialect;
  variant?: string;
  notifications?: string;
  compose?: string;
  acceptDisclaimer?: boolean;
  allowDowngrade?: boolean;
}

export interface ReadPackage {
  texts: PackageTexts;
  /** The findings in its files. */
  outcome: Outcome;
  /** Files that are used by provisioning only. */
  unused: string[];
}

/** @throws CliError if a file cannot be read, or the variant is ambiguous */
export async function readPackage(given: string, flags: ChangeFlags): Promise<ReadPackage> {
  const stats = await stat(given).catch((error: unknown) => {
    throw unreadable(given, error);
  });
  const folder = stats.isDirectory() ? await fromFolder(given, flags) : await fromFiles(given, flags);
  const [problem] = folder.problems;
  if (problem !== undefined) {
    throw usageError(`${path.join(folder.dir, problem.path)}: ${problem.message}`);
  }
  const texts = textsToRegister(folder);
  if (texts === undefined) {
    throw usageError(`${given} is not a package: dappnode_package.json not found.`);
  }
  const { findings } = validateFolder(folder, { dialect: flags.dialect }) ?? { findings: [] };
  const files = Object.values(folder.sources)
    .flat()
    .map(({ path: name, text }) => ({
      path: path.relative('', path.resolve(folder.dir, name)).split(path.sep).join('/'),
      text,
      findings: findings.filter((one) => one.path === name).map(({ path: _path, ...finding }) => finding),
    }));
  const unused = [...folder.dashboards, ...(folder.targets ? [folder.targets] : [])].map((file) => file.path);
  return { texts, outcome: { files, unreadable: [], packages: 1 }, unused };
}

async function fromFolder(given: string, flags: ChangeFlags): Promise<PackageFolder> {
  if (flags.notifications !== undefined || flags.compose !== undefined) {
    throw usageError('--notifications and --compose cannot be used with a folder.');
  }
  const read = await readPackageFolder(given);
  const variants = read.flatMap(({ variant }) => variant ?? []);
  const chosen = flags.variant === undefined ? read : read.filter(({ variant }) => variant === flags.variant);
  const [one] = chosen;
  if (one === undefined || chosen.length > 1) {
    const found = flags.variant === undefined ? 'several' : `no variant ${flags.variant}`;
    const allowed = variants.length === 0 ? 'It has no variants.' : `Set --variant to one of ${variants.join(', ')}.`;
    throw usageError(`${given} has ${found === 'several' ? 'several variants' : found}. ${allowed}`);
  }
  return one;
}

async function fromFiles(given: string, flags: ChangeFlags): Promise<PackageFolder> {
  if (flags.variant !== undefined) {
    throw usageError('--variant requires a folder.');
  }
  const read = async (file: string | undefined): Promise<PackageFile[]> => {
    const result = file === undefined ? undefined : await readText(file);
    if (result !== undefined && 'problem' in result) {
      throw usageError(`${file} ${result.problem}.`);
    }
    return file === undefined || result === undefined ? [] : [{ path: file, text: result.text }];
  };
  const manifest = await read(given);
  const notifications = await read(flags.notifications);
  const compose = await read(flags.compose);
  return {
    dir: '',
    texts: {
      manifest: manifest[0]?.text ?? '',
      ...(notifications[0] && { notifications: notifications[0].text }),
      ...(compose[0] && { compose: compose[0].text }),
    },
    sources: { manifest, notifications, compose },
    dashboards: [],
    problems: [],
  };
}
