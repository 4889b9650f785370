/**
 * Devices that subscribe in DAppNode's UI (DNP_DAPPMANAGER, packages/notifications/src/api.ts). It knows no persons: all devices belong
 * to one, and whoever may use the UI manages them.
 */
import { Router } from 'express';
import { deviceBodySchema, deviceNameBodySchema } from '../../../contract/push.ts';
import type { Push } from '../../delivery/push/service.ts';
import { jsonBody } from '../../platform/http/body.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { readBody } from '../../platform/http/query.ts';

/** To whom the devices belong; never a key of a user in Grafana. */
export const DAPPNODE: Person = {
  key: 'dappnode',
  login: 'DAppNode',
  orgId: 0,
  role: 'Viewer',
  anonymous: false,
  verified: false,
};

export type Devices = Pick<Push, 'key' | 'subscriptions' | 'add' | 'rename' | 'remove' | 'test'>;

/** A browser's `PushSubscription` with the alias that the UI gives it; the UI does not send the key with which it has subscribed. */
const subscriptionSchema = deviceBodySchema
  .omit({ key: true, name: true })
  .extend({ alias: deviceBodySchema.shape.name });
const aliasSchema = deviceNameBodySchema.omit({ name: true }).extend({ alias: deviceNameBodySchema.shape.name });

/** @returns undefined if no device has subscribed with it */
export async function deviceWith(push: Pick<Devices, 'subscriptions'>, endpoint: string) {
  return (await push.subscriptions(DAPPNODE)).find((one) => one.endpoint === endpoint);
}

/** Without a channel of type webpush, the key is null, the list is empty, and subscribing is a conflict. */
export function deviceRoutes(push: Devices): Router {
  const router = Router();
  const find = async (url: string): Promise<number> => {
    const endpoint = new URL(url, 'http://bridge').searchParams.get('endpoint') ?? '';
    const device = await deviceWith(push, endpoint);
    if (device === undefined) {
      throw new HttpProblem('not-found', 'No device has this subscription.');
    }
    return device.id;
  };
  router.get('/api/v1/vapid/public-key', async (_req, res) => void res.json(await push.key()));
  router.get('/api/v1/subscriptions', async (_req, res) => {
    const devices = await push.subscriptions(DAPPNODE);
    res.json(devices.map(({ endpoint, name }) => ({ endpoint, alias: name })));
  });
  router.post('/api/v1/subscriptions', ...jsonBody(), async (req, res) => {
    const { alias, ...subscription } = readBody(req.body, subscriptionSchema);
    const { publicKey } = await push.key();
    const { name } = await push.add(DAPPNODE, { ...subscription, key: publicKey ?? '', name: alias });
    res.status(201).json({ endpoint: subscription.endpoint, alias: name });
  });
  router.put('/api/v1/subscriptions', ...jsonBody(), async (req, res) => {
    const { alias } = readBody(req.body, aliasSchema);
    await push.rename(DAPPNODE, await find(req.url), alias);
    res.json({ alias });
  });
  router.delete('/api/v1/subscriptions', async (req, res) => {
    await push.remove(DAPPNODE, await find(req.url));
    res.json({});
  });
  return router;
}
