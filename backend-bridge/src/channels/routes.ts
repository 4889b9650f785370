/** `/channels` and `/routes`, behind the admin guard (app.ts). */
import { Router } from 'express';
import { routeTestBodySchema, undeliveredQuerySchema } from '../../contract/channel.ts';
import {
  channelChangeSchema,
  chatSearchSchema,
  newChannelSchema,
  routesBodySchema,
  undeliveredSelectionSchema,
} from '../../contract/channelChange.ts';
import { actorOf } from '../audit/actor.ts';
import { jsonBody } from '../http/body.ts';
import { readBody, readId, readQuery } from '../http/query.ts';
import type { Channels } from './service.ts';

/** `/channels`, behind the admin guard. */
export function channelRoutes(channels: Channels): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await channels.list());
  });
  router.post('/', ...jsonBody(), async (req, res) => {
    await channels.add(readBody(req.body, newChannelSchema), actorOf(req, res));
    res.status(204).end();
  });
  router.post('/test', ...jsonBody(), async (req, res) => {
    res.json(await channels.tryOut(readBody(req.body, newChannelSchema), actorOf(req, res)));
  });
  router.post('/chats', ...jsonBody(), async (req, res) => {
    res.json(await channels.chats(readBody(req.body, chatSearchSchema)));
  });
  router.get('/undelivered', async (req, res) => {
    res.json(await channels.undelivered(readQuery(req, undeliveredQuerySchema)));
  });
  router.post('/undelivered/:id/send', async (req, res) => {
    await channels.resend(readId(req), actorOf(req, res));
    res.status(204).end();
  });
  router.post('/undelivered/send', async (req, res) => {
    const { channel } = readQuery(req, undeliveredSelectionSchema);
    res.json({ count: await channels.resendAll(channel, actorOf(req, res)) });
  });
  router.delete('/undelivered/:id', async (req, res) => {
    await channels.discard(readId(req), actorOf(req, res));
    res.status(204).end();
  });
  router.delete('/undelivered', async (req, res) => {
    const { channel } = readQuery(req, undeliveredSelectionSchema);
    res.json({ count: await channels.discardAll(channel, actorOf(req, res)) });
  });
  router.put('/:name', ...jsonBody(), async (req, res) => {
    await channels.change(String(req.params.name), readBody(req.body, channelChangeSchema), actorOf(req, res));
    res.status(204).end();
  });
  router.delete('/:name', async (req, res) => {
    await channels.remove(String(req.params.name), actorOf(req, res));
    res.status(204).end();
  });
  router.post('/:name/test', async (req, res) => {
    res.json(await channels.test(String(req.params.name), actorOf(req, res)));
  });
  return router;
}

/** `/routes`, behind the admin guard. */
export function routeRoutes(channels: Pick<Channels, 'testRoutes' | 'setRoutes'>): Router {
  const router = Router();
  router.put('/', ...jsonBody(), async (req, res) => {
    const { routes, revision } = readBody(req.body, routesBodySchema);
    await channels.setRoutes(routes, revision, actorOf(req, res));
    res.status(204).end();
  });
  router.post('/test', ...jsonBody(), (req, res) => {
    res.json(channels.testRoutes(readBody(req.body, routeTestBodySchema)));
  });
  return router;
}
