/** The path /chains: how far each node has synced. */
import { Router } from 'express';
import type { Chains } from '../../contract/chain.ts';

/** Stands behind the admin guard (app.ts). */
export function chainRoutes(snapshot: () => Chains): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json(snapshot());
  });
  return router;
}
