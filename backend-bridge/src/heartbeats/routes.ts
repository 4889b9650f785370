/** POST /heartbeat. */
import { Router } from 'express';
import { invalid } from '../http/problem.ts';

/** Stands behind the guard of senders, which notes the use of the token. */
export function heartbeatRoutes(): Router {
  const router = Router();
  router.post('/', (_req, res) => {
    if (res.locals.sender === undefined) {
      const detail = 'A heartbeat requires a sender token, which says who is alive.';
      throw invalid([{ pointer: 'Authorization', found: 'nothing', allowed: 'Bearer and a sender token', detail }]);
    }
    res.status(204).end();
  });
  return router;
}
