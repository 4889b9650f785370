/**
 * The paths below /backups. Not below /packages: they hand out keys and passwords, so that they need another role, which Grafana's
 * proxy tells apart by the beginning of a path (plugin.json).
 */
import { Router } from 'express';
import { actorOf } from '../audit/actor.ts';
import type { RecordChange } from '../audit/record.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Backups } from './service.ts';

const TYPES = ['application/gzip', 'application/x-gzip', 'application/octet-stream'];

/** Stands behind the admin guard (app.ts). */
export function backupRoutes(backups: Pick<Backups, 'download' | 'restore'>, record: RecordChange): Router {
  const router = Router();
  router.get('/:dnpName', async (req, res) => {
    const { fileName, send } = await backups.download(String(req.params.dnpName));
    res.set({
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    });
    await send(res);
  });
  router.post('/:dnpName', async (req, res) => {
    const type = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    // None that a page of another origin may send without a preflight (Fetch standard, CORS-safelisted content types).
    if (type === undefined || !TYPES.includes(type)) {
      throw new HttpProblem('unsupported-type', `Content-Type must be one of ${TYPES.join(', ')}.`);
    }
    const object = String(req.params.dnpName);
    const report = await backups.restore(object, req);
    const { backupVersion, createdAt, restored } = report;
    const after = { backupVersion, createdAt, entries: restored.length };
    await record({ by: actorOf(req, res), action: 'package.restore', object, after });
    res.json(report);
  });
  return router;
}
