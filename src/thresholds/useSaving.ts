import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { EndpointOverview, EndpointPatch, PackageSwitchBody } from '@nodebell/contract/endpoint.ts';
import { setEndpoint, setPackageSwitch } from '../api/thresholds';
import { putEndpoint, putPackage } from './overview';
import { overviewQuery, packageQuery } from './queries';

/** Merges a response into the cached overview. Requests in flight may carry older data and are repeated. */
async function merge(client: QueryClient, dnpName: string, change: (overview: EndpointOverview) => EndpointOverview) {
  const { queryKey } = overviewQuery();
  await client.cancelQueries({ queryKey: packageQuery(dnpName).queryKey });
  const inFlight = client.isFetching({ queryKey }) > 0;
  client.setQueryData(queryKey, (overview) => overview && change(overview));
  if (inFlight) {
    void client.invalidateQueries({ queryKey });
  }
}

/** Changes to the same package are sent one after another, so that the last one wins. */
const scopeOf = (dnpName: string) => ({ id: `thresholds ${dnpName}` });

/** Saves the settings of an endpoint. The caller shows errors. */
export function useSaveEndpoint(dnpName: string, correlationId: string) {
  const client = useQueryClient();
  return useMutation({
    scope: scopeOf(dnpName),
    meta: { quiet: true },
    mutationFn: (patch: EndpointPatch) => setEndpoint(dnpName, correlationId, patch),
    onSuccess: (endpoint) => merge(client, dnpName, (overview) => putEndpoint(overview, dnpName, endpoint)),
  }).mutateAsync;
}

/** Saves the switch of a package (null resets it), or discards saved settings of endpoints. The caller shows errors. */
export function useSavePackage(dnpName: string) {
  const client = useQueryClient();
  return useMutation({
    scope: scopeOf(dnpName),
    meta: { quiet: true },
    mutationFn: (change: PackageSwitchBody) => setPackageSwitch(dnpName, change),
    onSuccess: (one) => merge(client, dnpName, (overview) => putPackage(overview, one)),
  }).mutateAsync;
}
