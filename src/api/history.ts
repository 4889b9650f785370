/** Requests for the history of values. */
import { chainHistorySchema, endpointHistorySchema } from '@nodebell/contract/history.ts';
import { request } from './client';

/** @param threshold that is counted with */
export function getEndpointHistory(dnpName: string, correlationId: string, threshold: number, signal?: AbortSignal) {
  const path = `/packages/${encodeURIComponent(dnpName)}/endpoints/${encodeURIComponent(correlationId)}/history`;
  return request(`${path}?threshold=${threshold}`, endpointHistorySchema, { signal });
}

export function getChainHistory(dnpName: string, signal?: AbortSignal) {
  return request(`/chains/${encodeURIComponent(dnpName)}/history`, chainHistorySchema, { signal });
}
