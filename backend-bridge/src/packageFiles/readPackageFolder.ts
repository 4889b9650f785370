/** Reads the folder of a package: its files, and those of its variants merged over them. */
import type { PackageFolder } from './types.ts';

/**
 * Reads the folder of a package. What cannot be read is among the problems; nothing is thrown.
 * @returns one for each variant; one alone where there are none
 */
export function readPackageFolder(dir: string): Promise<PackageFolder[]> {
  return Promise.resolve([
    { dir, sources: { manifest: [], notifications: [], compose: [] }, dashboards: [], problems: [] },
  ]);
}
