/** Requests for endpoints and their settings. */
import {
  endpointOverviewSchema,
  endpointPackageSchema,
  endpointSchema,
  type EndpointPatch,
  type PackageSwitchBody,
} from '@nodebell/contract/endpoint.ts';
import { request } from './client';

const pathOf = (dnpName: string) => `/packages/${encodeURIComponent(dnpName)}`;

export function listEndpoints(signal?: AbortSignal) {
  return request('/endpoints', endpointOverviewSchema, { signal });
}

export function getEndpoints(dnpName: string, signal?: AbortSignal) {
  return request(`${pathOf(dnpName)}/endpoints`, endpointPackageSchema, { signal });
}

/** @returns the updated endpoint */
export function setEndpoint(dnpName: string, correlationId: string, body: EndpointPatch) {
  const path = `${pathOf(dnpName)}/endpoints/${encodeURIComponent(correlationId)}`;
  return request(path, endpointSchema, { method: 'PATCH', body });
}

/** @returns the updated package */
export function setPackageSwitch(dnpName: string, body: PackageSwitchBody) {
  return request(`${pathOf(dnpName)}/settings`, endpointPackageSchema, { method: 'PATCH', body });
}
