/** The overview as it is kept in the page, and what changes in it. Pure; what does not change stays the same object. */
import type { Endpoint, EndpointOverview, EndpointPackage } from '@nodebell/contract/endpoint.ts';

const byName = (a: EndpointPackage, b: EndpointPackage) => (a.dnpName < b.dnpName ? -1 : 1);

/** Puts a package in its place, whether it was there or not. */
export function putPackage(overview: EndpointOverview, one: EndpointPackage): EndpointOverview {
  const others = overview.packages.filter(({ dnpName }) => dnpName !== one.dnpName);
  return others.length < overview.packages.length
    ? { ...overview, packages: overview.packages.map((old) => (old.dnpName === one.dnpName ? one : old)) }
    : { ...overview, packages: [...others, one].sort(byName) };
}

export function dropPackage(overview: EndpointOverview, name: string): EndpointOverview {
  return { ...overview, packages: overview.packages.filter(({ dnpName }) => dnpName !== name) };
}

/** Puts an endpoint in the place of the one that it was. */
export function putEndpoint(overview: EndpointOverview, dnpName: string, endpoint: Endpoint): EndpointOverview {
  return {
    ...overview,
    packages: overview.packages.map((one) =>
      one.dnpName === dnpName ? { ...one, endpoints: one.endpoints.map((old) => replaces(endpoint, old)) } : one
    ),
  };
}

const replaces = (next: Endpoint, old: Endpoint): Endpoint =>
  old.correlationId === next.correlationId && old.kind === next.kind ? next : old;
