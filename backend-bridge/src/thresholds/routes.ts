/** Routes of endpoints and their settings, all behind the admin guard (app.ts). */
import { Router } from 'express';
import { endpointPatchSchema, packageSwitchBodySchema } from '../../contract/endpoint.ts';
import { endpointHistoryQuerySchema } from '../../contract/history.ts';
import { importBodySchema, settingHistoryQuerySchema } from '../../contract/settings.ts';
import { jsonBody } from '../http/body.ts';
import { invalid } from '../http/problem.ts';
import { readBody, readQuery } from '../http/query.ts';
import { joinSegments } from '../http/security.ts';
import { actorOf } from '../audit/actor.ts';
import type { History } from '../monitors/prometheus/history.ts';
import type { SettingsExchange } from './exchange.ts';
import type { Thresholds } from './service.ts';

/** `/endpoints` */
export function endpointRoutes(thresholds: Pick<Thresholds, 'overview'>): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await thresholds.overview());
  });
  return router;
}

/** `/settings` */
export function settingsRoutes(exchange: SettingsExchange): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await exchange.take());
  });
  router.post('/', ...jsonBody(), async (req, res) => {
    const { settings, dryRun = false } = readBody(req.body, importBodySchema);
    res.json(await exchange.put(settings, { dryRun, by: actorOf(req, res) }));
  });
  router.get('/history', async (req, res) => {
    const { limit = 100, dnpName, before } = readQuery(req, settingHistoryQuerySchema);
    const only = { ...(dnpName !== undefined && { dnpName }), ...(before !== undefined && { before }) };
    res.json(await exchange.history({ limit, ...only }));
  });
  return router;
}

/** Below `/packages/{dnpName}`. */
export function packageEndpointRoutes(
  thresholds: Pick<Thresholds, 'ofPackage' | 'setEndpoint' | 'setPackage' | 'monitoredOne'>,
  history: Pick<History, 'ofEndpoint'>
): Router {
  const router = Router();
  router.get('/:dnpName/endpoints', async (req, res) => {
    res.json(await thresholds.ofPackage(String(req.params.dnpName)));
  });
  router.get('/:dnpName/endpoints/*correlationId/history', async (req, res) => {
    const { dnpName, correlationId } = req.params;
    const { threshold } = readQuery(req, endpointHistoryQuerySchema);
    const endpoint = await thresholds.monitoredOne(dnpName, joinSegments(correlationId));
    res.json(await history.ofEndpoint(endpoint, threshold));
  });
  router.patch('/:dnpName/endpoints/*correlationId', ...jsonBody(), async (req, res) => {
    const { dnpName, correlationId } = req.params as unknown as { dnpName: string; correlationId: string[] };
    const patch = readBody(req.body, endpointPatchSchema);
    rejectEmpty(patch, 'enabled, threshold or both');
    res.json(await thresholds.setEndpoint(dnpName, joinSegments(correlationId), patch, actorOf(req, res)));
  });
  router.patch('/:dnpName/settings', ...jsonBody(), async (req, res) => {
    const change = readBody(req.body, packageSwitchBodySchema);
    rejectEmpty(change, 'enabled, forget or both');
    res.json(await thresholds.setPackage(String(req.params.dnpName), change, actorOf(req, res)));
  });
  return router;
}

/** @throws HttpProblem 400 */
function rejectEmpty(change: object, allowed: string): void {
  if (Object.values(change).every((value) => value === undefined)) {
    const detail = `The body is empty: set ${allowed}.`;
    throw invalid([{ pointer: '#', found: '{}', allowed, detail }], 'the body');
  }
}
