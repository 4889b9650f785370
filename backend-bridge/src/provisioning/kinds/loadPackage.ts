/** Reads and validates one package of a provisioning file. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_DIALECT } from '../../../contract/finding.ts';
import type { ProvisionedPackageEntry } from '../../../contract/provisioningFile.ts';
import type { ProvisioningFinding } from '../../../contract/provisioning.ts';
import { pointerPath } from '../../../contract/text.ts';
import { validateFolder } from '../../packages/files/validateFolder.ts';
import {
  type ValidatedFolder,
  type PackageFile,
  type PackageFolder,
  readPackageFolder,
  textsToRegister,
} from '../../packages/files/readPackageFolder.ts';
import type { ProvisionedPackage } from '../../packages/registry/types.ts';
import { checkSettings, unknownEndpoint } from '../../monitoring/thresholds/changes.ts';
import { NO_OVERLAY } from '../../monitoring/thresholds/overlay.ts';
import { shippedEndpoints } from '../../monitoring/thresholds/shipped.ts';
import type { SettingChange } from '../../monitoring/thresholds/writes.ts';
import type { LoadContext, Loaded } from './kind.ts';
import { readText } from './readText.ts';

/** A package of a file; its files have been validated without errors. */
export interface WantedPackage extends ProvisionedPackage {
  name: string;
  version: string;
  /** Its settings in the file. */
  settings: SettingChange[];
}

export async function loadPackage(entry: ProvisionedPackageEntry, place: LoadContext): Promise<Loaded<WantedPackage>> {
  const found = entry.path === undefined ? await fromFiles(entry, place) : await fromFolder(entry, place, entry.path);
  if (!('folder' in found)) {
    return found;
  }
  const { folder } = found;
  const validated = validateFolder(folder, { dialect: entry.dialect ?? DEFAULT_DIALECT });
  const settings = settingsOf(entry, validated, place);
  const findings = [
    ...found.findings,
    ...(await filesFindings(entry, place)),
    ...verdicts(validated, folder, entry, place),
    ...settings.findings,
  ];
  const summary = validated?.facts?.summary;
  const texts = textsToRegister(folder);
  if (!texts || !summary || findings.some(({ verdict }) => verdict === 'error')) {
    return { findings, names: found.names };
  }
  return {
    findings,
    names: found.names,
    wanted: {
      name: summary.dnpName,
      version: summary.version,
      settings: settings.changes,
      texts,
      dialect: entry.dialect ?? DEFAULT_DIALECT,
      disclaimerAccepted: entry.disclaimerAccepted ?? false,
      ...(entry.files !== undefined && { filesDir: path.resolve(place.dir, entry.files) }),
      ...(folder.targets && { targets: [folder.targets] }),
      dashboards: folder.dashboards,
    },
  };
}

/** Settings of the package: invalid ones are errors; an unknown endpoint may come with another version, so it is a warning. */
function settingsOf(
  { settings = {} }: ProvisionedPackageEntry,
  validated: ValidatedFolder | undefined,
  { file, at }: LoadContext
): { changes: SettingChange[]; findings: ProvisioningFinding[] } {
  const dnpName = validated?.facts?.summary.dnpName;
  if (validated === undefined || dnpName === undefined) {
    return { changes: [], findings: [] };
  }
  const endpoints = shippedEndpoints(validated);
  const checked = checkSettings(settings, { dnpName, endpoints, overlay: NO_OVERLAY, file, at: ['settings'] });
  return {
    changes: checked.changes,
    findings: [
      ...[...checked.mistakes, ...checked.rejected].map(({ pointer, detail }) =>
        at(pointerPath(pointer), { rule: 'settings', verdict: 'error', title: 'Invalid setting', detail })
      ),
      ...checked.unknown.map((id) => {
        const detail = `${unknownEndpoint(id, endpoints)} The setting is kept until the package has it.`;
        const base = { rule: 'settings', verdict: 'warning', title: 'Unknown endpoint' } as const;
        return at(['settings', 'endpoints', id], { ...base, detail });
      }),
    ],
  };
}

/** Errors at their place in the package's file; warnings are shown with the package. */
function verdicts(
  validated: ValidatedFolder | undefined,
  folder: PackageFolder,
  entry: ProvisionedPackageEntry,
  { dir, at }: LoadContext
): ProvisioningFinding[] {
  if (validated === undefined) {
    return [];
  }
  const errors = validated.findings.filter(({ verdict }) => verdict === 'error');
  const findings = errors.map(({ path: file, ...finding }) => ({
    ...finding,
    file: shown(path.resolve(folder.dir, file), dir),
  }));
  if (validated.facts?.facts.disclaimer !== undefined && entry.disclaimerAccepted !== true) {
    findings.push(
      at(entry.disclaimerAccepted === undefined ? [] : ['disclaimerAccepted'], {
        rule: 'disclaimer',
        verdict: 'error',
        title: 'The disclaimer is not accepted',
        detail: `${validated.facts.summary.dnpName} has a disclaimer. Read it, and set disclaimerAccepted: true to accept it.`,
      })
    );
  }
  return findings;
}

type Found =
  | (Loaded<WantedPackage> & { wanted?: undefined })
  | { folder: PackageFolder; findings: ProvisioningFinding[]; names: string[] };

async function fromFolder(
  entry: ProvisionedPackageEntry,
  { dir, at }: LoadContext,
  folderPath: string
): Promise<Found> {
  const folder = path.resolve(dir, folderPath);
  const read = await readPackageFolder(folder);
  const variants = read.flatMap(({ variant }) => variant ?? []);
  const names = [folder, ...variants.map((variant) => path.join(folder, 'package_variants', variant))];
  const refuse = (member: string, title: string, detail: string): Found => ({
    findings: [at([member], { rule: 'package', verdict: 'error', title, detail })],
    names,
  });
  const chosen = entry.variant === undefined ? read : read.filter(({ variant }) => variant === entry.variant);
  const allowed = variants.length === 0 ? 'it has none' : `it has ${variants.join(', ')}`;
  if (chosen.length === 0) {
    return refuse('variant', 'Unknown variant', `${folderPath} has no variant ${entry.variant}; ${allowed}.`);
  }
  if (chosen.length > 1) {
    return refuse('path', 'Ambiguous variant', `${folderPath} has several variants: add "variant"; ${allowed}.`);
  }
  const [one] = chosen as [PackageFolder];
  const problems = one.problems.map(({ path: file, message }) =>
    at(['path'], {
      rule: 'package-file',
      verdict: 'error',
      title: 'A file of the package cannot be read',
      detail: `${shown(path.join(folder, file), dir)}: ${message}`,
    })
  );
  if (one.texts === undefined && problems.length === 0) {
    return refuse('path', 'No package found', `${folderPath} does not contain dappnode_package.json.`);
  }
  return { folder: one, findings: problems, names };
}

async function fromFiles(entry: ProvisionedPackageEntry, { dir, at }: LoadContext): Promise<Found> {
  const findings: ProvisioningFinding[] = [];
  const names: string[] = [];
  const read = async (member: readonly PropertyKey[], file: string | undefined): Promise<PackageFile[]> => {
    if (file === undefined) {
      return [];
    }
    names.push(path.resolve(dir, file));
    const result = await readText(path.resolve(dir, file));
    if ('problem' in result) {
      const base = { rule: 'package-file', verdict: 'error', title: 'A file cannot be read' } as const;
      findings.push(at(member, { ...base, detail: `${file} ${result.problem}.` }));
      return [];
    }
    return [{ path: file, text: result.text }];
  };
  const [manifest, notifications, compose, targets] = (await Promise.all(
    (['manifest', 'notifications', 'compose', 'targets'] as const).map((member) => read([member], entry[member]))
  )) as [PackageFile[], PackageFile[], PackageFile[], PackageFile[]];
  const dashboards = (
    await Promise.all((entry.dashboards ?? []).map((file, index) => read(['dashboards', index], file)))
  ).flat();
  if (manifest[0] === undefined) {
    return { findings, names };
  }
  const folder: PackageFolder = {
    dir,
    texts: {
      manifest: manifest[0].text,
      ...(notifications[0] && { notifications: notifications[0].text }),
      ...(compose[0] && { compose: compose[0].text }),
    },
    sources: { manifest, notifications, compose },
    dashboards,
    ...(targets[0] && { targets: targets[0] }),
    problems: [],
  };
  return { folder, findings, names };
}

/** The folder may be mounted later: a warning. */
async function filesFindings(
  { files }: ProvisionedPackageEntry,
  { dir, at }: LoadContext
): Promise<ProvisioningFinding[]> {
  const there = files === undefined || (await stat(path.resolve(dir, files)).catch(() => undefined))?.isDirectory();
  const base = { rule: 'files-folder', verdict: 'warning', title: 'Folder not found' } as const;
  return there
    ? []
    : [at(['files'], { ...base, detail: `${files} is not a folder: the package cannot be backed up.` })];
}

/** Relative where it is in the folder, with slashes. */
function shown(file: string, dir: string): string {
  const relative = path.relative(dir, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.split(path.sep).join('/');
}
