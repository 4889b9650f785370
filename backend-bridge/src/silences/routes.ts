/** Silences at the source of alerts, over HTTP. */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { DAY_MS, LIMITS } from '../../contract/limits.ts';
import { includesRole } from '../../contract/roles.ts';
import {
  silenceBodySchema,
  silencedBodySchema,
  silencePathSchema,
  silencePreviewSchema,
  silenceQuerySchema,
} from '../../contract/silence.ts';
import { actorOf } from '../audit/actor.ts';
import type { Guard } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import type { Person } from '../http/identity.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody, readId, readParameters, readQuery } from '../http/query.ts';
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
  const idOf = (req: Request): number => readId(String(req.params.id));

  router.get('/silences', guard.admin, async (_req, res) => {
    res.json(await silencing.list());
  });

  router.post('/notifications/:id/silences/preview', guard.admin, editorsOnly, ...jsonBody(), async (req, res) => {
    const { alertmanager, matchers } = readBody(req.body, silencePreviewSchema);
    res.json({ alerts: await silencing.covered(alertmanager, matchers) });
  });

  router.post('/notifications/:id/silences/record', guard.admin, ...jsonBody(), async (req, res) => {
    const done = readBody(req.body, silencedBodySchema);
    await silencing.record(idOf(req), done, actorOf(req, res));
    res.status(204).end();
  });

  router.post('/notifications/:id/silences', guard.admin, editorsOnly, ...jsonBody(), async (req, res) => {
    const body = readBody(req.body, silenceBodySchema);
    const until = readEnd(body.until, now());
    const id = await silencing.save(idOf(req), { ...body, until }, actorOf(req, res));
    res.status(201).json({ id });
  });

  router.delete('/notifications/:id/silences/:silence', guard.admin, editorsOnly, async (req, res) => {
    const { alertmanager } = readQuery(req, silenceQuerySchema);
    const { silence } = readParameters(req, silencePathSchema);
    await silencing.end(idOf(req), alertmanager, silence, actorOf(req, res));
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

/** @returns ISO 8601, UTC */
function readEnd(text: string, now: number): string {
  const until = Date.parse(text);
  const allowed = `in the future, and in at most ${LIMITS.silenceDays.value} days`;
  if (until <= now || until > now + LIMITS.silenceDays.value * DAY_MS) {
    throw invalid([{ pointer: '/until', found: text, allowed, detail: `"until" must be ${allowed}; found ${text}.` }]);
  }
  return new Date(until).toISOString();
}
