/** Updates of the cached overview. Unchanged parts keep their object identity. */
import type { Endpoint, EndpointOverview, EndpointPackage } from '@nodebell/contract/endpoint.ts';

const byName = (a: EndpointPackage, b: EndpointPackage) => (a.dnpName < b.dnpName ? -1 : 1);

/** Replaces a package, or inserts it in order. */
export function putPackage(overview: EndpointOverview, one: EndpointPackage): EndpointOverview {
  const others = overview.packages.filter(({ dnpName }) => dnpName !== one.dnpName);
  return others.length < overview.packages.length
    ? { ...overview, packages: overview.packages.map((old) => (old.dnpName === one.dnpName ? one : old)) }
    : { ...overview, packages: [...others, one].sort(byName) };
}

export function dropPackage(overview: EndpointOverview, name: string): EndpointOverview {
  return { ...overview, packages: overview.packages.filter(({ dnpName }) => dnpName !== name) };
}

/** Replaces an endpoint. */
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
