/** Silences at the source of alerts, over HTTP. */
import { type RequestHandler, type Response, Router } from 'express';
import { LIMITS } from '../../contract/limits.ts';
import { includesRole } from '../../contract/roles.ts';
import {
  silenceBodySchema,
  silencedBodySchema,
  silencePreviewSchema,
  silenceQuerySchema,
} from '../../contract/silence.ts';
import { actorOf } from '../audit/actor.ts';
import type { Guard } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import type { Person } from '../http/identity.ts';
import { HttpProblem } from '../http/problem.ts';
import { readBody, readId, readQuery, readUntil } from '../http/query.ts';
import type { Silencing } from './service.ts';

export interface SilenceRouteDeps {
  guard: Guard;
  silencing: Silencing;
  /** UTC milliseconds. */
  now: () => number;
}

/** Silences at the source, below `/silences` and `/notifications/{id}/silences`. With the service account: role Editor. */
export function silenceRoutes({ guard, silencing, now }: SilenceRouteDeps): Router {
  const router = Router();

  router.get('/silences', guard.admin, async (_req, res) => {
    res.json(await silencing.list());
  });

  router.post('/notifications/:id/silences/preview', guard.admin, editorsOnly, ...jsonBody(), async (req, res) => {
    const { alertmanager, matchers } = readBody(req.body, silencePreviewSchema);
    res.json({ alerts: await silencing.covered(alertmanager, matchers) });
  });

  router.post('/notifications/:id/silences/record', guard.admin, ...jsonBody(), async (req, res) => {
    const done = readBody(req.body, silencedBodySchema);
    await silencing.record(readId(req), done, actorOf(req, res));
    res.status(204).end();
  });

  router.post('/notifications/:id/silences', guard.admin, editorsOnly, ...jsonBody(), async (req, res) => {
    const body = readBody(req.body, silenceBodySchema);
    const until = new Date(readUntil(body.until, LIMITS.silenceDays.value, now())).toISOString();
    const id = await silencing.save(readId(req), { ...body, until }, actorOf(req, res));
    res.status(201).json({ id });
  });

  router.delete('/notifications/:id/silences/:silence', guard.admin, editorsOnly, async (req, res) => {
    const { alertmanager } = readQuery(req, silenceQuerySchema);
    await silencing.end(readId(req), alertmanager, String(req.params.silence), actorOf(req, res));
    res.status(204).end();
  });
  return router;
}

/** The service account may do what not everybody may who was granted `inbox:write`. */
const editorsOnly: RequestHandler = (_req, res: Response, next) => {
  const person: Person | undefined = res.locals.person;
  if (person !== undefined && !includesRole(person.role, 'Editor')) {
    throw new HttpProblem('forbidden', 'Silencing with the service account of the bridge requires the role Editor.');
  }
  next();
};
