/** The path /packages/{dnpName}/dashboards. */
import { Router } from 'express';
import { HttpProblem } from '../http/problem.ts';
import type { Registry } from '../packages/service.ts';
import { show } from '../../contract/text.ts';
import { dashboardsOf } from './dashboards.ts';

/** Stands behind the admin guard (app.ts). */
export function dashboardRoutes(registry: Pick<Registry, 'find'>): Router {
  const router = Router();
  router.get('/:dnpName/dashboards', async (req, res) => {
    const dnpName = String(req.params.dnpName);
    const registered = await registry.find(dnpName);
    if (registered === undefined) {
      throw new HttpProblem('not-found', `No package ${show(dnpName)} is registered.`);
    }
    res.json(dashboardsOf(registered));
  });
  return router;
}
