/** What packages expose to other rooms. */
import type { Dialect, Finding } from '../../contract/finding.ts';
import type { PackageChange, PackageDashboard } from '../../contract/package.ts';
import type { ValidatedPackage, PackageTexts } from '../validation/validatePackage.ts';
import type { ChangePackages } from './writes.ts';

/** A file that a package ships, by its name or its path in the package's folder. */
export interface ShippedFile {
  path: string;
  text: string;
}

/** A package as a provisioning file names it. */
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
  /** That the operator has approved the disclaimer as it stands in the manifest. */
  disclaimerAccepted?: boolean;
}

/**
 * Why a file could not be applied: `findings`: its files have errors; `duplicate`: the file names a package twice;
 * `other-file`: another file provisions it; `disclaimer`: not approved.
 */
export interface ProvisionMistake {
  kind: 'findings' | 'duplicate' | 'other-file' | 'disclaimer';
  /** Which of the packages that were handed in. */
  index: number;
  /** Absent when the manifest cannot be read. */
  dnpName?: string;
  /** A sentence that says what to do. */
  message: string;
  /** All of the package, not the errors alone. */
  findings: Finding[];
}

export type AppliedProvision =
  | {
      applied: true;
      /** In the order in which they were handed in. */
      packages: { dnpName: string; change: PackageChange; findings: Finding[] }[];
      /** What the file no longer names. */
      removed: string[];
    }
  | { applied: false; mistakes: ProvisionMistake[] };

/** What provisioning needs of the registry. */
export interface ProvisionedRegistry {
  /**
   * Makes the packages of a provisioning file those that are handed in, all of them or none: registers and updates them, and
   * removes those of this file that it no longer names. A package that was registered over HTTP becomes the file's. A
   * downgrade is taken for meant. An empty list removes all of the file's.
   * @param file its name relative to the folder, as admins are shown it
   * @throws HttpProblem 503 when the store cannot write
   */
  applyProvisioned(file: string, packages: readonly ProvisionedPackage[]): Promise<AppliedProvision>;
  /** Files that packages come from, with their names: also of files that are there no longer. */
  provisionedFiles(): Promise<{ file: string; packages: string[] }[]>;
}

/** A registered package with all that other rooms make something of. */
export interface RegisteredPackage {
  dnpName: string;
  version: string;
  texts: PackageTexts;
  validated: ValidatedPackage;
  targets: ShippedFile[];
  dashboards: ShippedFile[];
  filesDir: string | undefined;
}

/** Tells the dashboards of a package for its card. Pure; called once for each registration. */
export type DashboardsOf = (registered: RegisteredPackage) => PackageDashboard[];

/**
 * Hands changes to the writer: all of them, or none.
 * @returns the package that has changed since the change was decided, and then nothing was done; else null
 */
export type Submit = (changes: Partial<ChangePackages>) => Promise<string | null>;

export interface PackageWorld {
  /** The registered version of a package; undefined when it is not registered. */
  versionOf: (dnpName: string) => string | undefined;
  /** service, library or dncore; undefined when it is not registered. */
  typeOf: (dnpName: string) => string | undefined;
  /** Of the node that the bridge runs for; undefined where nobody has said it. */
  nodeVersion: string | undefined;
}
