/** Requests for packages. */
import { CHAINS } from '@nodebell/contract/api/chains.ts';
import { PACKAGES } from '@nodebell/contract/api/packages.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import type { PackageBody, RegisterBody } from '@nodebell/contract/package.ts';
import { queryOptions } from '@tanstack/react-query';
import { addressOf, call, upload } from './client';

export const listPackages = (signal?: AbortSignal) => call(PACKAGES.listPackages, { signal });

export const packagesKey = ['packages'] as const;

export const packagesQuery = () =>
  queryOptions({ queryKey: [...packagesKey, 'list'], queryFn: ({ signal }) => listPackages(signal) });

export const getPackage = (dnpName: string, signal?: AbortSignal) =>
  call(PACKAGES.getPackage, { params: { dnpName }, signal });

/** Only for those who may change packages. */
export const getPackageFiles = (dnpName: string, signal?: AbortSignal) =>
  call(PACKAGES.getPackageFiles, { params: { dnpName }, signal });

export const listDashboards = (dnpName: string, signal?: AbortSignal) =>
  call(PACKAGES.listDashboards, { params: { dnpName }, signal });

/** Validates the files and reports what registering them would change. Changes nothing. */
export const previewPackage = (body: PackageBody, signal?: AbortSignal) =>
  call(PACKAGES.previewPackage, { body, signal });

export const registerPackage = (body: RegisterBody) => call(PACKAGES.registerPackage, { body });

export const updatePackage = (dnpName: string, body: RegisterBody) =>
  call(PACKAGES.updatePackage, { params: { dnpName }, body });

export const removePackage = (dnpName: string) => call(PACKAGES.removePackage, { params: { dnpName } });

/** Lets the bridge fetch a manifest; most servers do not allow browsers to (CORS). */
export const fetchManifest = (url: string) => call(PACKAGES.fetchManifest, { body: { url } });

/** The address of a package's backup: a tarball, created while it is downloaded. */
export const backupAddress = (dnpName: string): string =>
  addressOf(requestOf(PACKAGES.downloadBackup, { params: { dnpName } }).path);

/** Replaces the files of a package with those of a backup. */
export const restoreBackup = (dnpName: string, body: Blob, onProgress: (share: number) => void) =>
  upload(PACKAGES.restoreBackup, { params: { dnpName } }, { body, onProgress });

export const listChains = (signal?: AbortSignal) => call(CHAINS.listChains, { signal });
