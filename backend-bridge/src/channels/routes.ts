/** `/channels` and `/routes`, behind the admin guard (app.ts). */
import { Router } from 'express';
import { routeTestBodySchema, undeliveredQuerySchema } from '../../contract/channel.ts';
import { actorOf } from '../audit/actor.ts';
import { jsonBody } from '../http/body.ts';
import { readBody, readId, readQuery } from '../http/query.ts';
import type { Channels } from './service.ts';

export function channelRoutes(channels: Channels): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await channels.list());
  });
  router.get('/undelivered', async (req, res) => {
    res.json(await channels.undelivered(readQuery(req, undeliveredQuerySchema)));
  });
  router.post('/undelivered/:id/send', async (req, res) => {
    await channels.resend(readId(String(req.params.id)), actorOf(req, res));
    res.status(204).end();
  });
  router.post('/:name/test', async (req, res) => {
    res.json(await channels.test(String(req.params.name), actorOf(req, res)));
  });
  return router;
}

export function routeRoutes(channels: Pick<Channels, 'testRoutes'>): Router {
  const router = Router();
  router.post('/test', ...jsonBody(), (req, res) => {
    res.json(channels.testRoutes(readBody(req.body, routeTestBodySchema)));
  });
  return router;
}
