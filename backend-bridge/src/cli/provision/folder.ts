/** Reads the provisioning folder for a command, with findings in a common format. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { GRAFANA_FOLDERS, loadGrafana } from '../../grafana/provisioning/load.ts';
import { type LoadedFolder, loadFolder } from '../../provisioning/loadFolder.ts';
import { readText } from '../../provisioning/readText.ts';
import { type CliIo, DEFAULT_DIR, usageError } from '../io.ts';
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
  return withFolder(dir, async () => {
    const { bridge = dir } = await partsOf(dir);
    const folder = await loadFolder(bridge, io.env, typeOf);
    return { folder, outcome: await outcomeOf(bridge, bridgeFiles(folder)) };
  });
}

/** As readFolder, including findings in Grafana's files next to the bridge's. */
export async function validateFolder(given: string | undefined, io: CliIo): Promise<Outcome> {
  const dir = given ?? (io.env.NODEBELL_PROVISIONING_DIR || DEFAULT_DIR);
  return withFolder(dir, async () => {
    const { bridge, grafana } = await partsOf(dir);
    const outcomes: Outcome[] = [];
    if (grafana !== undefined) {
      outcomes.push(await outcomeOf(grafana, { ...(await loadGrafana(grafana)), packages: 0 }));
    }
    if (bridge !== undefined) {
      outcomes.push(await outcomeOf(bridge, bridgeFiles(await loadFolder(bridge, io.env))));
    }
    return {
      files: outcomes.flatMap(({ files }) => files),
      unreadable: outcomes.flatMap(({ unreadable }) => unreadable),
      packages: outcomes.reduce((sum, { packages }) => sum + packages, 0),
    };
  });
}

async function withFolder<T>(dir: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) {
      throw error;
    }
    throw usageError(`cannot read the folder ${dir} (${code}). Use --dir to select another one.`);
  }
}

/** A folder without YAML files that contains `nodebell` or one of Grafana's folders is the parent of both. */
async function partsOf(dir: string): Promise<{ bridge?: string; grafana?: string }> {
  const entries = await readdir(dir, { withFileTypes: true });
  const isWhole = !entries.some((one) => /\.ya?ml$/i.test(one.name));
  const has = (name: string): boolean => isWhole && entries.some((one) => one.name === name && !one.isFile());
  const parts = {
    ...(has('nodebell') && { bridge: path.join(dir, 'nodebell') }),
    ...(GRAFANA_FOLDERS.some(has) && { grafana: dir }),
  };
  return Object.keys(parts).length > 0 ? parts : { bridge: dir };
}

interface Validated {
  /** Provisioning files, relative to the folder. */
  files: string[];
  /** In these files, and in the packages they refer to. */
  findings: ProvisioningFinding[];
  packages: number;
}

function bridgeFiles({ files, packages }: LoadedFolder): Validated {
  return {
    files: files.map(({ file }) => file),
    findings: files.flatMap((one) => one.findings),
    packages: packages.length,
  };
}

async function outcomeOf(dir: string, { files, findings, packages }: Validated): Promise<Outcome> {
  const unreadable = findings.filter(({ rule }) => rule === 'file');
  const names = new Set([...files, ...findings.map(({ file }) => file)]);
  unreadable.forEach(({ file }) => names.delete(file));
  return {
    files: await Promise.all([...names].map((name) => validatedFile(dir, name, findings, files.includes(name)))),
    unreadable: unreadable.map(({ file, detail }) => ({ path: shown(dir, file), message: detail })),
    packages,
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
function withoutSecrets(text: string): string {
  return text.replace(/((?:token|password|secret|credentials|url)["']?\s*:\s*).*$/gim, '$1…');
}

function shown(dir: string, name: string): string {
  return path.relative('', path.resolve(dir, name)).split(path.sep).join('/');
}
