/** Packages, with their files. */
import { PACKAGES } from '../../../contract/api/packages.ts';
import { z } from 'zod';
import { DEFAULT_DIALECT } from '../../../contract/finding.ts';
import { type PackageChange, type PackageSummary, packageSummarySchema } from '../../../contract/package.ts';
import type { ProvisionedPackageEntry } from '../../../contract/provisioningFile.ts';
import { jsonOfShipped } from '../../packages/registry/change.ts';
import { fingerprintOf } from '../../packages/registry/fingerprint.ts';
import { decideChange, warningsFor } from '../../validation/updateDecision.ts';
import { loadPackage, type WantedPackage } from './loadPackage.ts';
import { type InUse, type Kind, listed, ownersOf, ownerText } from './kind.ts';

export type Registered = Pick<PackageSummary, 'dnpName' | 'version' | 'type' | 'fingerprint' | 'origin'>;

/** Only the required members, for compatibility with other versions. */
const registeredSchema = packageSummarySchema.pick({
  dnpName: true,
  version: true,
  type: true,
  fingerprint: true,
  origin: true,
});

export const packages: Kind<'packages', ProvisionedPackageEntry, WantedPackage, Registered> = {
  name: 'package',
  member: 'packages',
  entries: (file) => listed('packages', file.packages),
  load: loadPackage,
  unique: (_entry, wanted) => (wanted ? [claimOf(wanted)] : []),
  claim: claimOf,
  async owners({ registry }) {
    const files = await registry.provisionedFiles();
    return ownersOf(files.flatMap((one) => one.packages.map((name) => [name, one.file] as const)));
  },
  movable: true,
  async register({ registry }, { file, at }, wanted, moving) {
    const result = await registry.applyProvisioned(file, wanted, moving);
    return result.applied
      ? []
      : result.mistakes.map(({ kind, index, message }) =>
          at(['packages', index], { rule: kind, verdict: 'error', title: 'Registration rejected', detail: message })
        );
  },
  dryRun: {
    async inUse(get) {
      const all = await get(PACKAGES.listPackages, z.array(registeredSchema));
      return all.map((value) => ({ key: value.dnpName, file: value.origin.file, value }));
    },
    key: ({ name }) => name,
    difference(wanted, before, { file, packages: all }) {
      const change = changeOf(wanted, before);
      const facts = all.find((one) => one.wanted === wanted)?.validated.facts;
      const warnings = facts ? warningsFor(change, { ...facts, warnings: facts.facts.warnings }) : [];
      if (before === undefined) {
        return { change, action: 'add', detail: wanted.version, warnings };
      }
      const owner = before.file === file ? [] : [ownerText(before.file, 'registered')];
      const detail = [...changeText(change), ...owner].join('; ');
      return detail === '' ? undefined : { change, action: 'change', detail, warnings };
    },
    removal: ({ value }) => value.version,
  },
};

function claimOf({ name }: WantedPackage) {
  return { key: name, label: `The package ${name}` };
}

function changeOf(wanted: WantedPackage, before: InUse<Registered> | undefined): PackageChange {
  const registered = before && { version: before.value.version, content: before.value.fingerprint };
  return decideChange(registered, { version: wanted.version, content: fingerprintOfWanted(wanted) });
}

/** As the bridge computes it from its row. */
function fingerprintOfWanted({ texts, dialect = DEFAULT_DIALECT, targets, dashboards }: WantedPackage): string {
  const { manifest, notifications = null, compose = null } = texts;
  const shipped = { targets: jsonOfShipped(targets), dashboards: jsonOfShipped(dashboards) };
  return fingerprintOf({ dialect, manifest, notifications, compose, ...shipped });
}

function changeText({ kind, level, from, to }: PackageChange): string[] {
  switch (kind) {
    case 'update':
      return [`${from} → ${to}, ${level === 'patch' ? 'a patch' : `a ${level} update`}`];
    case 'downgrade':
      return [`${from} → ${to}, a downgrade`];
    case 'changed':
      return [`${to}, with other files`];
    default:
      return [];
  }
}
