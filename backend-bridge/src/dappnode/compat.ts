/** `NODEBELL_COMPAT=dappnode`: the bridge in place of DAppNode's notifier, for its manager and UI as they are. */
import express, { type Express, Router } from 'express';
import type { DappnodeSettings } from '../config.ts';
import { type ErrorLog, errorWriter, notFound } from '../http/errors.ts';
import { HttpProblem } from '../http/problem.ts';
import { hostGuard, sameSiteOnly, securityHeaders } from '../http/security.ts';
import { listen } from '../http/server.ts';
import { NOTIFIER_HOST } from './clientRoutes.ts';
import type { PackageSync } from './packageSync.ts';

export interface CompatDeps {
  settings: DappnodeSettings;
  host: string;
  allowedHosts: readonly string[] | undefined;
  sync: PackageSync;
  log: ErrorLog;
}

export interface Compat {
  devicesPort: number;
  reloadPort: number;
  close(): Promise<void>;
}

/**
 * Listens on the two further ports of the notifier, and syncs the packages of the node.
 * @throws the system's error if a port is in use
 */
export async function startCompat({ settings, host, allowedHosts, sync, log }: CompatDeps): Promise<Compat> {
  const hosts = [NOTIFIER_HOST, ...(allowedHosts ?? [])];
  const serve = (port: number, routes: Router) => listen(appOf(routes, hosts, log), { host, port });
  const devices = await serve(settings.devicesPort, deviceRoutes());
  try {
    const reload = await serve(settings.reloadPort, reloadRoutes(sync));
    sync.start();
    return {
      devicesPort: devices.port,
      reloadPort: reload.port,
      async close() {
        sync.close();
        await Promise.all([devices.close(), reload.close()]);
      },
    };
  } catch (error) {
    await devices.close();
    throw error;
  }
}

function appOf(routes: Router, hosts: readonly string[], log: ErrorLog): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(hostGuard(hosts), securityHeaders(), sameSiteOnly());
  app.use(routes);
  app.use(notFound());
  app.use(errorWriter(log));
  return app;
}

/** Nothing is subscribed, and nothing can be: a client is to show that, not to believe in a subscription that is never used. */
function deviceRoutes(): Router {
  const router = Router();
  const refuse = (): never => {
    throw new HttpProblem('not-implemented', 'Nodebell does not support web push yet.');
  };
  router.get('/api/v1/vapid/public-key', refuse);
  router.get('/api/v1/subscriptions', (_req, res) => void res.json([]));
  router.post('/api/v1/subscriptions', refuse);
  const absent = (): never => {
    throw new HttpProblem('not-found', 'No device has this subscription.');
  };
  router.put('/api/v1/subscriptions', absent);
  router.delete('/api/v1/subscriptions', absent);
  return router;
}

function reloadRoutes(sync: PackageSync): Router {
  const router = Router();
  router.post('/api/v1/gatus/endpoints/reload', async (_req, res) => {
    res.json(await sync.sync());
  });
  return router;
}
