/** The chain paths of the bridge, typed. */
import { chainsSchema } from '@nodebell/contract/chain.ts';
import { ask } from './client';

export function listChains(signal?: AbortSignal) {
  return ask('/chains', chainsSchema, { signal });
}
