/** Requests for endpoints and their settings. */
import {
  endpointOverviewSchema,
  endpointPackageSchema,
  endpointSchema,
  type EndpointPatch,
  type PackageSwitchBody,
} from '@nodebell/contract/endpoint.ts';
import { request } from './client';
import { z } from 'zod';
import { importedSchema, settingChangeSchema, settingsDocumentSchema } from '@nodebell/contract/settings.ts';
import { chainHistorySchema, endpointHistorySchema } from '@nodebell/contract/history.ts';
import { urlSegment } from '@nodebell/contract/url.ts';

const pathOf = (dnpName: string) => `/packages/${urlSegment(dnpName)}`;

export function listEndpoints(signal?: AbortSignal) {
  return request('/endpoints', endpointOverviewSchema, { signal });
}

export function getEndpoints(dnpName: string, signal?: AbortSignal) {
  return request(`${pathOf(dnpName)}/endpoints`, endpointPackageSchema, { signal });
}

/** @returns the updated endpoint */
export function setEndpoint(dnpName: string, correlationId: string, body: EndpointPatch) {
  const path = `${pathOf(dnpName)}/endpoints/${urlSegment(correlationId)}`;
  return request(path, endpointSchema, { method: 'PATCH', body });
}

/** @returns the updated package */
export function setPackageSwitch(dnpName: string, body: PackageSwitchBody) {
  return request(`${pathOf(dnpName)}/settings`, endpointPackageSchema, { method: 'PATCH', body });
}

export function takeSettings() {
  return request('/settings', settingsDocumentSchema);
}

/**
 * Imports settings; values out of range are left out and listed.
 * @param text YAML or JSON
 * @param dryRun only reports what would change
 */
export function importSettings(text: string, dryRun: boolean) {
  return request('/settings', importedSchema, { method: 'POST', body: { settings: text, dryRun } });
}

/** Newest first. @param before only what is older than the change of this id */
export function listChanges(limit: number, before: number | undefined, signal?: AbortSignal) {
  const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before: String(before) }) });
  return request(`/settings/history?${query.toString()}`, z.array(settingChangeSchema), { signal });
}

/** @param threshold that is counted with */
export function getEndpointHistory(dnpName: string, correlationId: string, threshold: number, signal?: AbortSignal) {
  const path = `/packages/${urlSegment(dnpName)}/endpoints/${urlSegment(correlationId)}/history`;
  return request(`${path}?threshold=${threshold}`, endpointHistorySchema, { signal });
}

export function getChainHistory(dnpName: string, signal?: AbortSignal) {
  return request(`/chains/${urlSegment(dnpName)}/history`, chainHistorySchema, { signal });
}
