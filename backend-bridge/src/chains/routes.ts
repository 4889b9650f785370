/** The path /chains: the sync state of each node, and the history of how far it was behind. */
import { Router } from 'express';
import type { Chains } from '../../contract/chain.ts';
import { HttpProblem } from '../http/problem.ts';
import type { History } from '../monitors/prometheus/history.ts';

/** The nodes as the replica that leads sees them. */
export interface ChainsView {
  snapshot(): Promise<Chains>;
}

/** Mounted behind the admin guard (app.ts). */
export function chainRoutes(chains: ChainsView, history: Pick<History, 'hasChains' | 'ofChain'>): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json({ ...(await chains.snapshot()), ...(history.hasChains && { history: true }) } satisfies Chains);
  });
  router.get('/:dnpName/history', async (req, res) => {
    const { dnpName } = req.params;
    if (!(await chains.snapshot()).nodes.some((node) => node.dnpName === dnpName)) {
      throw new HttpProblem('not-found', `Node ${dnpName} not found: no registered package of that name has a chain.`);
    }
    res.json(await history.ofChain(dnpName));
  });
  return router;
}
