/** Reads all provisioning files without a bridge, and validates them together, including conflicts between files. */
import path from 'node:path';
import { type ValidatedPackage, validatePackage } from '../validation/package/validatePackage.ts';
import { DEFAULT_DIALECT } from '../../contract/finding.ts';
import type { ProvisioningFinding } from '../../contract/provisioning.ts';
import { clashes, type LoadedFile, loadFile } from './loadFile.ts';
import type { WantedPackage } from './kinds/loadPackage.ts';
import { listFiles } from './service.ts';

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
    const found = clashes(one, ({ kind, key }) => {
      const owner = owners.get(`${kind.name} ${key}`) ?? one.file;
      owners.set(`${kind.name} ${key}`, owner);
      return owner;
    });
    one.findings.push(...found, ...refusals(one, packages));
  }
  return { files, packages };
}

function validate(file: string, wanted: WantedPackage, typeOf?: (name: string) => string | undefined): FolderPackage {
  const options = { dialect: wanted.dialect ?? DEFAULT_DIALECT, ...(typeOf && { typeOf }) };
  return { file, wanted, validated: validatePackage(wanted.texts, options) };
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
