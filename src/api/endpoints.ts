/** The endpoint paths of the bridge, typed: what packages notify of, and what is set for it. */
import {
  endpointOverviewSchema,
  endpointPackageSchema,
  endpointSchema,
  type EndpointPatch,
  type PackageSwitchBody,
} from '@nodebell/contract/endpoint.ts';
import { ask } from './client';

const pathOf = (dnpName: string) => `/packages/${encodeURIComponent(dnpName)}`;

export function listEndpoints(signal?: AbortSignal) {
  return ask('/endpoints', endpointOverviewSchema, { signal });
}

export function getEndpoints(dnpName: string, signal?: AbortSignal) {
  return ask(`${pathOf(dnpName)}/endpoints`, endpointPackageSchema, { signal });
}

/** Answers the endpoint as it is then. */
export function setEndpoint(dnpName: string, correlationId: string, body: EndpointPatch) {
  const path = `${pathOf(dnpName)}/endpoints/${encodeURIComponent(correlationId)}`;
  return ask(path, endpointSchema, { method: 'PATCH', body });
}

/** Answers the package as it is then. */
export function setPackageSwitch(dnpName: string, body: PackageSwitchBody) {
  return ask(`${pathOf(dnpName)}/settings`, endpointPackageSchema, { method: 'PATCH', body });
}
