/** Reads an operator's folder for a command, with what is to be said of its files as the other commands print it. */
import path from 'node:path';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { type LoadedFolder, loadFolder } from '../../provisioning/loadFolder.ts';
import { readText } from '../../provisioning/readText.ts';
import { type CliIo, usageError } from '../io.ts';
import { DEFAULT_DIR } from '../provision.ts';
import { byLine, type JudgedFile, type Outcome } from '../validate/types.ts';

export interface ReadFolder {
  folder: LoadedFolder;
  outcome: Outcome;
}

/**
 * @param given a folder, when one was named
 * @param typeOf of packages that are registered already
 * @throws CliError when there is no such folder
 */
export async function readFolder(
  given: string | undefined,
  io: CliIo,
  typeOf?: (dnpName: string) => string | undefined
): Promise<ReadFolder> {
  const dir = given ?? (io.env.NODEBELL_PROVISIONING_DIR || DEFAULT_DIR);
  try {
    const folder = await loadFolder(dir, io.env, typeOf);
    return { folder, outcome: await outcomeOf(dir, folder) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) {
      throw error;
    }
    throw usageError(`The folder ${dir} cannot be read (${code}). --dir names another.`);
  }
}

async function outcomeOf(dir: string, { files, packages }: LoadedFolder): Promise<Outcome> {
  const findings = files.flatMap((one) => one.findings);
  const unreadable = findings.filter(({ rule }) => rule === 'file');
  const names = new Set([...files.map(({ file }) => file), ...findings.map(({ file }) => file)]);
  unreadable.forEach(({ file }) => names.delete(file));
  return {
    files: await Promise.all(
      [...names].map((name) =>
        judgedFile(
          dir,
          name,
          findings,
          files.some(({ file }) => file === name)
        )
      )
    ),
    unreadable: unreadable.map(({ file, detail }) => ({ path: shown(dir, file), message: detail })),
    packages: packages.length,
  };
}

/** @param isOwn whether it is one of the operator's, in which there can be secrets, and not one of a package */
async function judgedFile(
  dir: string,
  name: string,
  all: readonly ProvisioningFinding[],
  isOwn: boolean
): Promise<JudgedFile> {
  const findings = all
    .filter(({ file }) => file === name)
    .map(({ file: _file, ...finding }) => finding)
    .sort(byLine);
  const read = findings.length === 0 ? { text: '' } : await readText(path.resolve(dir, name));
  const text = 'text' in read ? read.text : '';
  return { path: shown(dir, name), text: isOwn ? withoutSecrets(text) : text, findings };
}

/** Lines of the file are printed, also in the log of a pipeline, which many can read. An address may hold a password. */
function withoutSecrets(text: string): string {
  return text.replace(/(\b(?:token|password|url)["']?\s*:\s*).*$/gm, '$1…');
}

function shown(dir: string, name: string): string {
  return path.relative('', path.resolve(dir, name)).split(path.sep).join('/');
}
