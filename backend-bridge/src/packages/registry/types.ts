/** Interface of the packages area for others. */
import type { Dialect, Finding } from '../../../contract/finding.ts';
import type { PackageChange, PackageDashboard } from '../../../contract/package.ts';
import type { ValidatedPackage, PackageTexts } from '../../validation/package/validatePackage.ts';
import type { ChangePackages } from './writes.ts';

/** A file of a package, by its name or its path in the package's folder. */
export interface ShippedFile {
  path: string;
  text: string;
}

/** A package of a provisioning file. */
export interface ProvisionedPackage {
  texts: PackageTexts;
  /** Default `dappnode`. */
  dialect?: Dialect;
  /** Files of Prometheus targets: JSON, `[{ targets, labels }]`. */
  targets?: readonly ShippedFile[];
  /** Grafana dashboards that it ships. */
  dashboards?: readonly ShippedFile[];
  /** The folder that holds the package's files, absolute: `<folder>/<service>/<path>`. With it there are backups. */
  filesDir?: string;
  /** Whether the operator has accepted the disclaimer of the manifest. */
  disclaimerAccepted?: boolean;
}

/**
 * Why a file could not be applied: `findings`: its files have errors; `duplicate`: the file lists a package twice;
 * `disclaimer`: not accepted.
 */
export interface ProvisionMistake {
  kind: 'findings' | 'duplicate' | 'disclaimer';
  /** Index of the package. */
  index: number;
  /** Absent if the manifest cannot be parsed. */
  dnpName?: string;
  /** Advice, as a sentence. */
  message: string;
  /** All findings of the package. */
  findings: Finding[];
}

export type AppliedProvision =
  | {
      applied: true;
      /** In the given order. */
      packages: { dnpName: string; change: PackageChange; findings: Finding[] }[];
      /** Packages that are no longer in the file. */
      removed: string[];
    }
  | { applied: false; mistakes: ProvisionMistake[] };

/** The interface for provisioning. */
export interface ProvisionedRegistry {
  /**
   * Applies the packages of a provisioning file, all or none: registers and updates them, and removes packages that are no
   * longer in the file. A package that was registered over HTTP or by another file becomes one of this file. Downgrades are allowed.
   * An empty list removes all packages of the file.
   * @param file its name relative to the folder, as shown to admins
   * @param kept names of packages that are not removed
   * @throws StoreUnavailable when the store cannot write
   */
  applyProvisioned(
    file: string,
    packages: readonly ProvisionedPackage[],
    kept?: readonly string[]
  ): Promise<AppliedProvision>;
  /** Provisioning files with their packages, including files that no longer exist. */
  provisionedFiles(): Promise<{ file: string; packages: string[] }[]>;
}

/** A registered package as other rooms use it. */
export interface RegisteredPackage {
  dnpName: string;
  version: string;
  texts: PackageTexts;
  validated: ValidatedPackage;
  targets: ShippedFile[];
  dashboards: ShippedFile[];
  filesDir: string | undefined;
}

/** Returns the dashboards of a package for its summary. Pure; called once per registration. */
export type DashboardsOf = (registered: RegisteredPackage) => PackageDashboard[];

/**
 * Submits changes to the writer, all or none.
 * @returns the package that was changed concurrently, in which case nothing was done; else null
 */
export type Submit = (changes: Partial<ChangePackages>) => Promise<string | null>;

export interface PackageWorld {
  /** The registered version of a package; undefined if not registered. */
  versionOf: (dnpName: string) => string | undefined;
  /** service, library or dncore; undefined if not registered. */
  typeOf: (dnpName: string) => string | undefined;
  /** The version of the node; undefined if not configured. */
  nodeVersion: string | undefined;
}
