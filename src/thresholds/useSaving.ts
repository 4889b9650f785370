import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { EndpointOverview, EndpointPatch, PackageSwitchBody } from '@nodebell/contract/endpoint.ts';
import { setEndpoint, setPackageSwitch } from '../api/endpoints';
import { putEndpoint, putPackage } from './overview';
import { overviewQuery, packageQuery } from './queries';

/** Puts an answer into what is kept. What was asked for before it may be older than it, and is asked for again. */
async function keep(client: QueryClient, dnpName: string, change: (overview: EndpointOverview) => EndpointOverview) {
  const { queryKey } = overviewQuery();
  await client.cancelQueries({ queryKey: packageQuery(dnpName).queryKey });
  const late = client.isFetching({ queryKey }) > 0;
  client.setQueryData(queryKey, (overview) => overview && change(overview));
  if (late) {
    void client.invalidateQueries({ queryKey });
  }
}

/** Changes of the same package are sent one after another, so that the last one wins. */
const scopeOf = (dnpName: string) => ({ id: `thresholds ${dnpName}` });

/** Saves what is set of an endpoint. The caller says what went wrong. */
export function useSaveEndpoint(dnpName: string, correlationId: string) {
  const client = useQueryClient();
  return useMutation({
    scope: scopeOf(dnpName),
    meta: { quiet: true },
    mutationFn: (patch: EndpointPatch) => setEndpoint(dnpName, correlationId, patch),
    onSuccess: (endpoint) => keep(client, dnpName, (overview) => putEndpoint(overview, dnpName, endpoint)),
  }).mutateAsync;
}

/** Saves the switch of a package, null takes it off; or forgets what is kept for endpoints. The caller says what went wrong. */
export function useSavePackage(dnpName: string) {
  const client = useQueryClient();
  return useMutation({
    scope: scopeOf(dnpName),
    meta: { quiet: true },
    mutationFn: (change: PackageSwitchBody) => setPackageSwitch(dnpName, change),
    onSuccess: (one) => keep(client, dnpName, (overview) => putPackage(overview, one)),
  }).mutateAsync;
}
