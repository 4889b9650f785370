/** `NODEBELL_COMPAT=dappnode`: the bridge in place of DAppNode's notifier, for its manager and UI as they are. */
import express, { type Express, type RequestHandler, Router } from 'express';
import { readAddressRules, rulesForSetting } from '../../platform/http/addresses.ts';
import { type ErrorLog, errorWriter, notFound } from '../../platform/http/errors.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { hostGuard, sameSiteOnly, securityHeaders } from '../../platform/http/security.ts';
import { createOutbound } from '../../platform/http/outbound.ts';
import { listen, type Listening } from '../../platform/http/server.ts';
import { FETCH_LIMIT, FETCH_TIMEOUT } from '../registry/routes.ts';
import { type ClientRouteDeps, clientRoutes, isClient } from './clientRoutes.ts';
import { PackageSync, type PackageSyncDeps } from './packageSync.ts';

export interface CompatDeps extends ClientRouteDeps {
  /** The address to listen on. */
  host: string;
  registry: PackageSyncDeps['registry'];
  log: ErrorLog & PackageSyncDeps['log'];
}

export interface Compat {
  /** Undefined without NODEBELL_COMPAT. */
  routes: Router | undefined;
  /**
   * Listens on the two further ports of the notifier.
   * @throws the system's error if a port is in use
   */
  start(): Promise<CompatPorts | undefined>;
  /** Keeps the packages in sync with the node. @returns stops it */
  lead(): () => Promise<void>;
  close(): Promise<void>;
}

export interface CompatPorts {
  devices: number;
  reload: number;
}

/** For NODEBELL_COMPAT: see docs/configure.md. */
export interface DappnodeSettings {
  /** Base URL of DAppNode's manager, without a slash at its end. */
  managerUrl: string;
  /** Devices and web push; 0: any free port. */
  devicesPort: number;
  /** Reload of the packages; 0: any free port. */
  reloadPort: number;
}

export function createCompat(settings: DappnodeSettings | undefined, deps: CompatDeps): Compat {
  if (settings === undefined) {
    return {
      routes: undefined,
      start: () => Promise.resolve(undefined),
      lead: () => () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  const { host, limit, registry, log } = deps;
  const outbound = createOutbound({
    allow: readAddressRules(rulesForSetting(settings.managerUrl)),
    timeoutMs: FETCH_TIMEOUT,
    maxBytes: FETCH_LIMIT,
  });
  const sync = new PackageSync({ managerUrl: settings.managerUrl, outbound, registry, log });
  const listening: Listening[] = [];
  const serve = async (port: number, routes: Router): Promise<number> => {
    listening.push(await listen(appOf(routes, limit, log), { host, port }));
    return listening.at(-1)!.port;
  };
  const close = async (): Promise<void> => {
    await sync.close();
    await Promise.all(listening.map((one) => one.close()));
  };
  return {
    routes: clientRoutes(deps),
    async start() {
      try {
        const devices = await serve(settings.devicesPort, deviceRoutes());
        const reload = await serve(settings.reloadPort, reloadRoutes(sync));
        return { devices, reload };
      } catch (error) {
        await close();
        throw error;
      }
    },
    lead: () => sync.start(),
    close,
  };
}

function appOf(routes: Router, limit: RequestHandler, log: ErrorLog): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(hostGuard(undefined), securityHeaders(), sameSiteOnly({ reads: true }), clientsOnly, limit);
  app.use(routes);
  app.use(notFound());
  app.use(errorWriter(log));
  return app;
}

const clientsOnly: RequestHandler = (req, _res, next) => {
  if (!isClient(req)) {
    throw new HttpProblem('forbidden', "Only DAppNode's private network may use this port, without a proxy.");
  }
  next();
};

/** Nothing is subscribed, and nothing can be: a client is to show that, not to believe in a subscription that is never used. */
function deviceRoutes(): Router {
  const router = Router();
  const refuse = (): never => {
    throw new HttpProblem(
      'not-implemented',
      'Web push is not available at this address. Use the pages of Nodebell in Grafana.'
    );
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
