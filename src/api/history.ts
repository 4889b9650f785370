/** What values have been, typed: the paths that end in `history`. */
import { chainHistorySchema, endpointHistorySchema } from '@nodebell/contract/history.ts';
import { ask } from './client';

/** @param threshold that is counted with */
export function getEndpointHistory(dnpName: string, correlationId: string, threshold: number, signal?: AbortSignal) {
  const path = `/packages/${encodeURIComponent(dnpName)}/endpoints/${encodeURIComponent(correlationId)}/history`;
  return ask(`${path}?threshold=${threshold}`, endpointHistorySchema, { signal });
}

export function getChainHistory(dnpName: string, signal?: AbortSignal) {
  return ask(`/chains/${encodeURIComponent(dnpName)}/history`, chainHistorySchema, { signal });
}
