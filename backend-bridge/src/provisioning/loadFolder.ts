/** Reads all provisioning files without a bridge, and validates them together, including conflicts between files. */
import path from 'node:path';
import { type ValidatedPackage, validatePackage } from '../validation/validatePackage.ts';
import { DEFAULT_DIALECT } from '../../contract/finding.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { loadFile } from './loadFile.ts';
import { listFiles } from './service.ts';
import type { LoadedFile, WantedPackage } from './types.ts';

export interface LoadedFolder {
  /** Files by name. */
  files: LoadedFile[];
  /** Packages of all files, in their order. */
  packages: FolderPackage[];
}

export interface FolderPackage {
  /** The file that names it. */
  file: string;
  wanted: WantedPackage;
  validated: ValidatedPackage;
}

/**
 * @param env environment variables for the files
 * @param typeOf the type of a package that is registered already, for libraries, which may not depend on services
 * @throws if the folder cannot be read
 */
export async function loadFolder(
  dir: string,
  env: Record<string, string | undefined>,
  typeOf: (dnpName: string) => string | undefined = () => undefined
): Promise<LoadedFolder> {
  const names = await listFiles(dir);
  const files = await Array.fromAsync(names, (name) => loadFile(path.resolve(dir), name, env));
  const first = files.flatMap(({ file, wanted }) => (wanted?.packages ?? []).map((one) => validate(file, one)));
  const types = new Map(first.map((one) => [one.wanted.name, one.validated.facts?.summary.type]));
  const packages = first.map(({ file, wanted }) => validate(file, wanted, (name) => types.get(name) ?? typeOf(name)));
  const owners = new Map<string, string>();
  for (const one of files) {
    one.findings.push(...clashes(one, owners), ...refusals(one, packages));
  }
  return { files, packages };
}

function validate(file: string, wanted: WantedPackage, typeOf?: (name: string) => string | undefined): FolderPackage {
  const options = { dialect: wanted.dialect ?? DEFAULT_DIALECT, ...(typeOf && { typeOf }) };
  return { file, wanted, validated: validatePackage(wanted.texts, options) };
}

/** @param owners which file has what, of the files before; added to */
function clashes({ file, wanted, at }: LoadedFile, owners: Map<string, string>): ProvisioningFinding[] {
  const claim = (place: PropertyKey[], key: string, what: string): ProvisioningFinding[] => {
    const owner = owners.get(key);
    owners.set(key, owner ?? file);
    const base = { rule: 'other-file', verdict: 'error', title: 'Another file provisions this' } as const;
    const detail = `${what} is provisioned by ${owner}: keep it in one of the two.`;
    return owner === undefined || owner === file ? [] : [at(place, { ...base, detail })];
  };
  const {
    packages = [],
    categories = [],
    senders = [],
    chains = [],
    channels = [],
    heartbeats = [],
    retention,
  } = wanted ?? {};
  return [
    ...packages.flatMap(({ name }, index) => claim(['packages', index], `package ${name}`, `The package ${name}`)),
    ...categories.flatMap(({ category }) =>
      claim(['categories', category], `category ${category}`, `The category ${JSON.stringify(category)}`)
    ),
    ...chains.flatMap(({ dnpName }) => claim(['chains', dnpName], `chain ${dnpName}`, `The node of ${dnpName}`)),
    ...channels.flatMap(({ name }, index) =>
      claim(['channels', index, 'name'], `channel ${name}`, `The channel ${name}`)
    ),
    ...heartbeats.flatMap(({ name }, index) =>
      claim(['heartbeats', index, 'name'], `heartbeat ${name}`, `The heartbeat ${name}`)
    ),
    ...(retention ? claim(['retention'], 'retention', 'Retention') : []),
    ...senders.flatMap(({ name, hash }, index) => claim(['senders', index], `token ${hash}`, `The token of ${name}`)),
  ];
}

/** Errors that depend on the other packages. */
function refusals({ file, at }: LoadedFile, packages: readonly FolderPackage[]): ProvisioningFinding[] {
  return packages
    .filter((one) => one.file === file)
    .flatMap(({ validated: { findings } }, index) =>
      findings
        .filter(({ verdict }) => verdict === 'error')
        .map(({ rule, verdict, title, detail }) => at(['packages', index], { rule, verdict, title, detail }))
    );
}
