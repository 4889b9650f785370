/** The paths below /tokens and /admin-token: an admin makes, lists, rotates and revokes tokens. */
import { type Response, Router } from 'express';
import { findBadText, show } from '../../contract/text.ts';
import { HOUR_MS } from '../../contract/time.ts';
import {
  DEFAULT_GRACE_HOURS,
  type RotatedAdminToken,
  type RotateBody,
  rotateBodySchema,
  tokenBodySchema,
} from '../../contract/token.ts';
import { actorOf } from '../audit/actor.ts';
import type { RecordChange } from '../audit/record.ts';
import { jsonBody } from '../http/body.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody } from '../http/query.ts';
import type { Heartbeats } from '../heartbeats/service.ts';
import type { AdminToken } from './adminToken.ts';
import type { Senders } from './service.ts';

/** Stands behind the admin guard (app.ts). */
export function tokenRoutes(
  senders: Pick<Senders, 'list' | 'create' | 'rotate' | 'revoke'>,
  heartbeats: Pick<Heartbeats, 'of'>
): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json(
      senders.list().map((token) => {
        const heartbeat = token.revokedAt === null ? heartbeats.of(token.name) : undefined;
        return heartbeat ? { ...token, heartbeat } : token;
      })
    );
  });
  router.post('/', ...jsonBody(), async (req, res) => {
    const mistakes = findBadText(req.body);
    if (mistakes.length > 0) {
      throw invalid(mistakes, 'the body');
    }
    const created = await senders.create(readBody(req.body, tokenBodySchema), actorOf(req, res));
    res.status(201).set('Location', `${req.baseUrl}/${created.id}`);
    sendSecret(res, created);
  });
  router.post('/:id/rotate', ...jsonBody({ optional: true }), async (req, res) => {
    const id = String(req.params.id);
    sendSecret(res, (await senders.rotate(id, rotation(req.body), actorOf(req, res))) ?? unknownToken(id));
  });
  router.delete('/:id', async (req, res) => {
    res.json((await senders.revoke(req.params.id, actorOf(req, res))) ?? unknownToken(req.params.id));
  });
  return router;
}

function unknownToken(id: string): never {
  throw new HttpProblem('not-found', `There is no token with the id ${show(id)}. GET /api/v1/tokens lists them.`);
}

const rotation = (body: unknown): RotateBody => (body === undefined ? {} : readBody(body, rotateBodySchema));

/** The response holds a token, this once: nothing on the way may keep it (RFC 9111, section 5.2.2.5). */
function sendSecret(res: Response, body: object): void {
  res.set('Cache-Control', 'no-store').json(body);
}

export interface AdminTokenRouteDeps {
  token: AdminToken;
  record: RecordChange;
  /** UTC milliseconds. */
  now: () => number;
}

/** Stands behind the admin guard (app.ts). */
export function adminTokenRoutes({ token, record, now }: AdminTokenRouteDeps): Router {
  const router = Router();
  router.get('/', (_req, res) => {
    res.json(token.state());
  });
  router.post('/rotate', ...jsonBody({ optional: true }), async (req, res) => {
    const { graceHours = DEFAULT_GRACE_HOURS } = rotation(req.body);
    token.requireFile();
    const until = now() + graceHours * HOUR_MS;
    const after = { previousValidUntil: new Date(until).toISOString() };
    // Recorded first, since a file cannot be part of the transaction.
    await record({ by: actorOf(req, res), action: 'admin-token.rotate', object: 'admin', after });
    const made: RotatedAdminToken = { token: token.rotate(until), ...token.state() };
    sendSecret(res, made);
  });
  return router;
}
