/** `/retention` and `/archive`, behind the admin guard (app.ts). */
import { Router } from 'express';
import { archiveImportSchema } from '../../contract/archive.ts';
import { LIMITS } from '../../contract/limits.ts';
import { retentionPolicySchema } from '../../contract/retention.ts';
import { actorOf } from '../audit/actor.ts';
import { jsonBody } from '../http/body.ts';
import { readBody } from '../http/query.ts';
import type { Retention } from './service.ts';

/** `/retention`. 409 while a provisioning file sets the policy. */
export function retentionRoutes(retention: Pick<Retention, 'status' | 'set' | 'preview'>): Router {
  const router = Router();
  router.get('/', async (_req, res) => {
    res.json(await retention.status());
  });
  router.put('/', ...jsonBody(), async (req, res) => {
    res.json(await retention.set(readBody(req.body, retentionPolicySchema), actorOf(req, res)));
  });
  router.post('/preview', ...jsonBody(), async (req, res) => {
    res.json(await retention.preview(readBody(req.body, retentionPolicySchema)));
  });
  return router;
}

/** Members that were not understood were members of a body; here they are members of `extra` of an entry of `notifications`. */
const EXTRA_LEVELS = 3;

/** `/archive`: imports archived notifications. */
export function archiveRoutes(retention: Pick<Retention, 'import'>): Router {
  const router = Router();
  router.post(
    '/',
    ...jsonBody({ limit: LIMITS.archiveBodyBytes.value, levels: LIMITS.bodyDepth.value + EXTRA_LEVELS }),
    async (req, res) => {
      res.json(await retention.import(readBody(req.body, archiveImportSchema).notifications, actorOf(req, res)));
    }
  );
  return router;
}
