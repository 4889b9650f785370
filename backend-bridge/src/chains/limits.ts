/** The limits of a node: what is shipped, with what an admin has set laid over it. */
import { chainEndpoints } from '../../contract/chainEndpoints.ts';
import type { ChainLimits } from '../../contract/chain.ts';

/** @returns what an admin has set; undefined: nothing, what is shipped counts */
export type ThresholdOf = (dnpName: string, correlationId: string) => number | undefined;

/** Limits of a chain that the bridge cannot ask: nobody looks at them. */
const NONE: ChainLimits = { behind: 0, stalledMinutes: 0, unreachableMinutes: 0, peers: 0 };

export function limitsOf(dnpName: string, driver: string, thresholdOf: ThresholdOf): ChainLimits {
  const own = chainEndpoints({ chain: { driver } }).map(
    ({ limit, correlationId, threshold }) => [limit, thresholdOf(dnpName, correlationId) ?? threshold] as const
  );
  return { ...NONE, ...Object.fromEntries(own) };
}
