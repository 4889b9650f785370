/** Requests for endpoints and their settings. */
import { CHAINS } from '@nodebell/contract/api/chains.ts';
import { THRESHOLDS } from '@nodebell/contract/api/thresholds.ts';
import type { EndpointPatch, PackageSwitchBody } from '@nodebell/contract/endpoint.ts';
import { call } from './client';

export const listEndpoints = (signal?: AbortSignal) => call(THRESHOLDS.listEndpoints, { signal });

export const getEndpoints = (dnpName: string, signal?: AbortSignal) =>
  call(THRESHOLDS.packageEndpoints, { params: { dnpName }, signal });

/** @returns the updated endpoint */
export const setEndpoint = (dnpName: string, correlationId: string, body: EndpointPatch) =>
  call(THRESHOLDS.setEndpoint, { params: { dnpName, correlationId }, body });

/** @returns the updated package */
export const setPackageSwitch = (dnpName: string, body: PackageSwitchBody) =>
  call(THRESHOLDS.setPackage, { params: { dnpName }, body });

export const takeSettings = () => call(THRESHOLDS.exportSettings, {});

/**
 * Imports settings; values out of range are left out and listed.
 * @param settings YAML or JSON
 * @param dryRun only reports what would change
 */
export const importSettings = (settings: string, dryRun: boolean) =>
  call(THRESHOLDS.importSettings, { body: { settings, dryRun } });

/** Newest first. @param before only what is older than the change of this id */
export const listChanges = (limit: number, before: number | undefined, signal?: AbortSignal) =>
  call(THRESHOLDS.settingHistory, { query: { limit, before }, signal });

/** @param threshold that is counted with */
export const getEndpointHistory = (dnpName: string, correlationId: string, threshold: number, signal?: AbortSignal) =>
  call(THRESHOLDS.endpointHistory, { params: { dnpName, correlationId }, query: { threshold }, signal });

export const getChainHistory = (dnpName: string, signal?: AbortSignal) =>
  call(CHAINS.chainHistory, { params: { dnpName }, signal });
