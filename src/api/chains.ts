/** Requests for chains. */
import { chainsSchema } from '@nodebell/contract/chain.ts';
import { request } from './client';

export function listChains(signal?: AbortSignal) {
  return request('/chains', chainsSchema, { signal });
}
