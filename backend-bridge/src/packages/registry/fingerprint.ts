/** Compares the files of packages. */
import { hash } from 'node:crypto';
import type { PackageRow } from '../../platform/storage/schema.ts';

export type Content = Pick<PackageRow, 'dialect' | 'manifest' | 'notifications' | 'compose' | 'targets' | 'dashboards'>;

/**
 * Equal for equal files, to compare a folder with a running bridge. The path of the package's files is excluded, since it
 * differs inside and outside of a container.
 */
export function fingerprintOf({ dialect, manifest, notifications, compose, targets, dashboards }: Content): string {
  const all = [dialect, manifest, notifications, compose, targets, dashboards];
  return hash('sha256', JSON.stringify(all), 'hex').slice(0, 32);
}
