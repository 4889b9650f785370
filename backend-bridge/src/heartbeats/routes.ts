/** POST /heartbeat. */
import { Router } from 'express';
import { HttpProblem } from '../http/problem.ts';

/** Stands behind the guard of senders, which notes the use of the token. */
export function heartbeatRoutes(): Router {
  const router = Router();
  router.post('/', (_req, res) => {
    if (res.locals.sender === undefined) {
      throw new HttpProblem('forbidden', 'A heartbeat requires a sender token: it says who is alive.');
    }
    res.status(204).end();
  });
  return router;
}
