/** The path /provisioning: what became of the operator's files. */
import { Router } from 'express';
import type { Provisioning } from '../../contract/provisioning.ts';

/** Stands behind the admin guard (app.ts). */
export function provisioningRoutes(status: () => Promise<Provisioning>): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await status());
  });
  return router;
}
