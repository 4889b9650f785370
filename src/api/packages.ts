/** Requests for packages. */
import { z } from 'zod';
import {
  fetchedSchema,
  packageDetailSchema,
  packageFilesSchema,
  packageSummarySchema,
  previewSchema,
  type PackageBody,
  type RegisterBody,
} from '@nodebell/contract/package.ts';
import { backupRestoredSchema } from '@nodebell/contract/backup.ts';
import { dashboardListSchema } from '@nodebell/contract/dashboard.ts';
import { addressOf, request, upload } from './client';
import { chainsSchema } from '@nodebell/contract/chain.ts';
import { urlSegment } from '@nodebell/contract/url.ts';

const anything = z.unknown();

const pathOf = (dnpName: string) => `/packages/${urlSegment(dnpName)}`;

export function listPackages(signal?: AbortSignal) {
  return request('/packages', z.array(packageSummarySchema), { signal });
}

export function getPackage(dnpName: string, signal?: AbortSignal) {
  return request(pathOf(dnpName), packageDetailSchema, { signal });
}

/** Only for those who may change packages. */
export function getPackageFiles(dnpName: string, signal?: AbortSignal) {
  return request(`/package-files/${urlSegment(dnpName)}`, packageFilesSchema, { signal });
}

export function listDashboards(dnpName: string, signal?: AbortSignal) {
  return request(`${pathOf(dnpName)}/dashboards`, dashboardListSchema, { signal });
}

/** Validates the files and reports what registering them would change. Changes nothing. */
export function previewPackage(body: PackageBody, signal?: AbortSignal) {
  return request('/packages/preview', previewSchema, { method: 'POST', body, signal });
}

export function registerPackage(body: RegisterBody) {
  return request('/packages', packageDetailSchema, { method: 'POST', body });
}

export function updatePackage(dnpName: string, body: RegisterBody) {
  return request(pathOf(dnpName), packageDetailSchema, { method: 'PUT', body });
}

export function removePackage(dnpName: string) {
  return request(pathOf(dnpName), anything, { method: 'DELETE' });
}

/** Lets the bridge fetch a manifest; most servers do not allow browsers to (CORS). */
export function fetchManifest(url: string) {
  return request('/fetch', fetchedSchema, { method: 'POST', body: { url } });
}

const backupPath = (dnpName: string) => `/backups/${urlSegment(dnpName)}`;

/** The address of a package's backup: a tarball, created while it is downloaded. */
export const backupAddress = (dnpName: string): string => addressOf(backupPath(dnpName));

/** Replaces the files of a package with those of a backup. */
export function restoreBackup(dnpName: string, file: Blob, onProgress: (share: number) => void) {
  const type = 'application/gzip';
  return upload(backupPath(dnpName), { body: file, type, schema: backupRestoredSchema, onProgress });
}

export function listChains(signal?: AbortSignal) {
  return request('/chains', chainsSchema, { signal });
}
