/** The path /status: what the bridge says of itself. */
import { Router } from 'express';
import type { BridgeStatus } from '../../contract/status.ts';

/** Stands behind the admin guard (app.ts), so that an answer also tells that the token is right. */
export function statusRoutes(status: () => Promise<BridgeStatus>): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await status());
  });
  return router;
}
