/** The texts of a package's files: as they come in a request, and as they are kept. Pure. */
import { hash } from 'node:crypto';
import type { PackageTexts } from '../validation/validatePackage.ts';
import type { PackageBody } from '../../contract/package.ts';
import type { PackageRow } from '../storage/schema.ts';
import type { ShippedFile } from './types.ts';

/** An object is given as it would stand in a file, so that findings have lines. */
export function textsOfBody({ manifest, notifications, compose }: PackageBody): PackageTexts {
  const text = (file: string | Record<string, unknown>): string =>
    typeof file === 'string' ? file : JSON.stringify(file, null, 2);
  return {
    manifest: text(manifest),
    ...(notifications !== undefined && { notifications: text(notifications) }),
    ...(compose !== undefined && { compose: text(compose) }),
  };
}

export function textsOfRow({ manifest, notifications, compose }: PackageRow): PackageTexts {
  return {
    manifest,
    ...(notifications !== null && { notifications }),
    ...(compose !== null && { compose }),
  };
}

/** Equal when all files are, byte for byte. */
export function contentOf({ manifest, notifications, compose }: PackageTexts): string {
  return JSON.stringify([manifest, notifications ?? null, compose ?? null]);
}

export type Content = Pick<PackageRow, 'dialect' | 'manifest' | 'notifications' | 'compose' | 'targets' | 'dashboards'>;

/**
 * The same for the same files, so that a folder can be compared with a running bridge. Where the package's own files lie is
 * left out: it is another place in a container than outside of it.
 */
export function fingerprintOf({ dialect, manifest, notifications, compose, targets, dashboards }: Content): string {
  const all = [dialect, manifest, notifications, compose, targets, dashboards];
  return hash('sha256', JSON.stringify(all), 'hex').slice(0, 32);
}

export function shippedOf(json: string | null): ShippedFile[] {
  return json === null ? [] : (JSON.parse(json) as ShippedFile[]);
}

/** @returns null for none, as it stands in the table */
export function jsonOfShipped(files: readonly ShippedFile[] | undefined): string | null {
  return files === undefined || files.length === 0
    ? null
    : JSON.stringify(files.map(({ path, text }) => ({ path, text })));
}
