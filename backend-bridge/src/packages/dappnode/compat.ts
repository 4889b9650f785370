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
import { deviceRoutes } from './deviceRoutes.ts';
import { PackageSync, type PackageSyncDeps } from './packageSync.ts';

export interface CompatDeps extends ClientRouteDeps {
  /** The address to listen on. */
  host: string;
  registry: PackageSyncDeps['registry'];
  log: ErrorLog & PackageSyncDeps['log'];
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

export function createCompat(settings: DappnodeSettings, deps: CompatDeps) {
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
    /**
     * Listens on the two further ports of the notifier.
     * @throws the system's error if a port is in use
     */
    async start(): Promise<CompatPorts> {
      try {
        const devices = await serve(settings.devicesPort, deviceRoutes(deps.push));
        const reload = await serve(settings.reloadPort, reloadRoutes(sync));
        return { devices, reload };
      } catch (error) {
        await close();
        throw error;
      }
    },
    /** Keeps the packages in sync with the node. @returns stops it */
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

function reloadRoutes(sync: PackageSync): Router {
  const router = Router();
  router.post('/api/v1/gatus/endpoints/reload', async (_req, res) => {
    res.json(await sync.sync());
  });
  return router;
}
