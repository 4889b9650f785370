/** The paths below /tokens: an admin makes, lists and revokes the tokens of senders. */
import { Router } from 'express';
import { findBadText, show } from '../../contract/text.ts';
import { tokenBodySchema } from '../../contract/token.ts';
import { jsonBody } from '../http/body.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody } from '../http/query.ts';
import type { Senders } from './service.ts';

/** Stands behind the admin guard (app.ts). */
export function tokenRoutes(senders: Pick<Senders, 'list' | 'create' | 'revoke'>): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json(senders.list());
  });
  router.post('/', ...jsonBody(), async (req, res) => {
    const mistakes = findBadText(req.body);
    if (mistakes.length > 0) {
      throw invalid(mistakes, 'the body');
    }
    const created = await senders.create(readBody(req.body, tokenBodySchema));
    // The answer holds the token, this once: nothing on the way may keep it (RFC 9111, section 5.2.2.5).
    res
      .status(201)
      .set({ Location: `${req.baseUrl}/${created.id}`, 'Cache-Control': 'no-store' })
      .json(created);
  });
  router.delete('/:id', async (req, res) => {
    const id = req.params.id;
    const token = await senders.revoke(id);
    if (token === undefined) {
      throw new HttpProblem('not-found', `There is no token with the id ${show(id)}. GET ${req.baseUrl} lists them.`);
    }
    res.json(token);
  });
  return router;
}
