/** The path /chains: how far each node has synced, and how far it was behind. */
import { Router } from 'express';
import type { Chains } from '../../contract/chain.ts';
import { HttpProblem } from '../http/problem.ts';
import type { History } from '../prometheus/history.ts';

/** Stands behind the admin guard (app.ts). */
export function chainRoutes(snapshot: () => Chains, history: Pick<History, 'hasChains' | 'ofChain'>): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json({ ...snapshot(), ...(history.hasChains && { history: true }) } satisfies Chains);
  });
  router.get('/:dnpName/history', async (req, res) => {
    const { dnpName } = req.params;
    if (!snapshot().nodes.some((node) => node.dnpName === dnpName)) {
      throw new HttpProblem(
        'not-found',
        `There is no node ${dnpName}: no package of that name that names a chain is registered.`
      );
    }
    res.json(await history.ofChain(dnpName));
  });
  return router;
}
