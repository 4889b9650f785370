/** Operations on nodes: their sync status, and how far they were behind. */
import type { CHAINS } from '../../../contract/api/chains.ts';
import type { Chains } from '../../../contract/chain.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { History } from '../monitors/prometheus/history.ts';

/** @param chains the nodes as the leading replica sees them */
export const chainHandlers = (
  chains: { snapshot(): Promise<Chains> },
  history: Pick<History, 'hasChains' | 'ofChain'>
): Handlers<typeof CHAINS> => ({
  listChains: async () => ({ ...(await chains.snapshot()), ...(history.hasChains && { history: true }) }),
  async chainHistory({ params: { dnpName } }) {
    if (!(await chains.snapshot()).nodes.some((node) => node.dnpName === dnpName)) {
      throw new HttpProblem('not-found', `Node ${dnpName} not found: no registered package of that name has a chain.`);
    }
    return history.ofChain(dnpName);
  },
});
