/** The package paths of the bridge, typed. */
import { z } from 'zod';
import {
  packageDetailSchema,
  packageSummarySchema,
  previewSchema,
  type PackageBody,
  type RegisterBody,
} from '@nodebell/contract/package.ts';
import { ask } from './client';

const anything = z.unknown();

const pathOf = (dnpName: string) => `/packages/${encodeURIComponent(dnpName)}`;

export function listPackages(signal?: AbortSignal) {
  return ask('/packages', z.array(packageSummarySchema), { signal });
}

export function getPackage(dnpName: string, signal?: AbortSignal) {
  return ask(pathOf(dnpName), packageDetailSchema, { signal });
}

/** Judges the files and says what registering them would do. Changes nothing. */
export function previewPackage(body: PackageBody, signal?: AbortSignal) {
  return ask('/packages/preview', previewSchema, { method: 'POST', body, signal });
}

export function registerPackage(body: RegisterBody) {
  return ask('/packages', packageDetailSchema, { method: 'POST', body });
}

export function updatePackage(dnpName: string, body: RegisterBody) {
  return ask(pathOf(dnpName), packageDetailSchema, { method: 'PUT', body });
}

export function removePackage(dnpName: string) {
  return ask(pathOf(dnpName), anything, { method: 'DELETE' });
}
