/** Reads the provisioning folder for a command, with findings in a common format. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { HIDDEN } from '../../../contract/channelTypes/index.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { type LoadedFolder, loadFolder } from '../../provisioning/loadFolder.ts';
import { readText } from '../../provisioning/kinds/readText.ts';
import { type CliIo, DEFAULT_DIR, usageError } from '../shared/io.ts';
import { byLine, type ValidatedFile, type Outcome } from '../validate/output.ts';

export interface ReadFolder {
  folder: LoadedFolder;
  outcome: Outcome;
}

/**
 * @param given the folder of --dir: the bridge's, or one that contains it as `nodebell` next to Grafana's
 * @param typeOf types of registered packages
 * @throws CliError if the folder cannot be read
 */
export async function readFolder(
  given: string | undefined,
  io: CliIo,
  typeOf?: (dnpName: string) => string | undefined
): Promise<ReadFolder> {
  const dir = given ?? (io.env.NODEBELL_PROVISIONING_DIR || DEFAULT_DIR);
  try {
    const bridge = await bridgeFolder(dir);
    const folder = await loadFolder(bridge, io.env, typeOf);
    return { folder, outcome: await outcomeOf(bridge, folder) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) {
      throw error;
    }
    throw usageError(`cannot read the folder ${dir} (${code}). Use --dir to select another one.`);
  }
}

/** A folder without YAML files that contains `nodebell` is its parent, with Grafana's folders. */
async function bridgeFolder(dir: string): Promise<string> {
  const entries = await readdir(dir, { withFileTypes: true });
  const isParent = !entries.some((one) => /\.ya?ml$/i.test(one.name));
  return isParent && entries.some((one) => one.name === 'nodebell' && !one.isFile()) ? path.join(dir, 'nodebell') : dir;
}

async function outcomeOf(dir: string, { files, packages }: LoadedFolder): Promise<Outcome> {
  const own = new Set(files.map(({ file }) => file));
  /** In these files, and in the packages they refer to. */
  const findings = files.flatMap((one) => one.findings);
  const unreadable = findings.filter(({ rule }) => rule === 'file');
  const names = new Set([...own, ...findings.map(({ file }) => file)]);
  unreadable.forEach(({ file }) => names.delete(file));
  return {
    files: await Promise.all([...names].map((name) => validatedFile(dir, name, findings, own.has(name)))),
    unreadable: unreadable.map(({ file, detail }) => ({ path: shown(dir, file), message: detail })),
    packages: packages.length,
  };
}

/** @param isOwn whether it is a provisioning file, which may contain secrets, and not a file of a package */
async function validatedFile(
  dir: string,
  name: string,
  all: readonly ProvisioningFinding[],
  isOwn: boolean
): Promise<ValidatedFile> {
  const findings = all
    .filter(({ file }) => file === name)
    .map(({ file: _file, ...finding }) => finding)
    .sort(byLine);
  const read = findings.length === 0 ? { text: '' } : await readText(path.resolve(dir, name));
  const text = 'text' in read ? read.text : '';
  return { path: shown(dir, name), text: isOwn ? withoutSecrets(text) : text, findings };
}

/** Lines of the file are printed, possibly to a CI log. URLs may contain a password. */
const SECRET = new RegExp(`((?:token|password|secret|credentials|url|${HIDDEN.join('|')})["']?\\s*:\\s*).*$`, 'gim');
const withoutSecrets = (text: string): string => text.replace(SECRET, '$1…');

function shown(dir: string, name: string): string {
  return path.relative('', path.resolve(dir, name)).split(path.sep).join('/');
}
