/** A package's folder on the disk, as it was read. */
import type { FileKind, Finding } from '../../contract/finding.ts';
import type { JudgedPackage, PackageTexts } from '../validation/validatePackage.ts';

/** A file of the folder. */
export interface PackageFile {
  /** Relative to the folder, with slashes. */
  path: string;
  text: string;
}

/** A file that could not be read, or must not be. */
export interface FileProblem {
  /** Relative to the folder, with slashes; empty: the folder itself. */
  path: string;
  /** A sentence. */
  message: string;
}

/** A package, or one variant of it. */
export interface PackageFolder {
  /** As it was given. */
  dir: string;
  /** The name of the variant's folder in `package_variants`; absent where there are no variants. */
  variant?: string;
  /** What is judged and registered: the variant's files merged over those of the root. Absent when no manifest could be read. */
  texts?: PackageTexts;
  /** Which files the texts come from, root first. */
  sources: Record<FileKind, PackageFile[]>;
  dashboards: PackageFile[];
  /** Prometheus targets. */
  targets?: PackageFile;
  /** Files that could not be read. */
  problems: FileProblem[];
}

/** A finding that points into one of the files of the folder. */
export interface LocatedFinding extends Finding {
  /** Relative to the folder, with slashes. */
  path: string;
}

export interface JudgedFolder extends JudgedPackage {
  findings: LocatedFinding[];
}
