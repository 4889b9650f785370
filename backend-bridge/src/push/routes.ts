/** `/push`, behind the admin guard (app.ts). Devices belong to the person whom Grafana names. */
import { type Response, Router } from 'express';
import { personHoursSchema } from '../../contract/hours.ts';
import { deviceBodySchema, deviceNameBodySchema } from '../../contract/push.ts';
import { actorOf } from '../audit/actor.ts';
import { jsonBody } from '../http/body.ts';
import type { Person } from '../http/identity.ts';
import { HttpProblem } from '../http/problem.ts';
import { readBody, readId } from '../http/query.ts';
import type { Push } from './service.ts';

/** `/push`: the devices and quiet hours of the requesting person, and the keys. */
export function pushRoutes(push: Push): Router {
  const router = Router();
  router.get('/key', async (_req, res) => {
    res.json(await push.key());
  });
  router.post('/key', async (req, res) => {
    res.json(await push.replaceKey(actorOf(req, res)));
  });
  router.get('/quiet-hours', async (_req, res) => {
    res.json(await push.quietHours(personOf(res)));
  });
  router.put('/quiet-hours', ...jsonBody(), async (req, res) => {
    await push.setQuietHours(personOf(res), readBody(req.body, personHoursSchema));
    res.status(204).end();
  });
  router.get('/devices', async (_req, res) => {
    res.json(await push.list(personOf(res)));
  });
  router.post('/devices', ...jsonBody(), async (req, res) => {
    res.status(201).json(await push.add(personOf(res), readBody(req.body, deviceBodySchema)));
  });
  router.put('/devices/:id', ...jsonBody(), async (req, res) => {
    const { name } = readBody(req.body, deviceNameBodySchema);
    await push.rename(personOf(res), readId(req), name);
    res.status(204).end();
  });
  router.delete('/devices/:id', async (req, res) => {
    await push.remove(personOf(res), readId(req));
    res.status(204).end();
  });
  router.post('/devices/:id/test', async (req, res) => {
    res.json(await push.test(personOf(res), readId(req)));
  });
  return router;
}

/** @throws HttpProblem 409 for a request that did not come through Grafana, 403 for who has not signed in */
function personOf({ locals }: Response): Person {
  const { person } = locals;
  if (person === undefined || person.anonymous) {
    const kind = person === undefined ? 'conflict' : 'forbidden';
    throw new HttpProblem(kind, 'Devices belong to a person who has signed in to Grafana.');
  }
  return person;
}
