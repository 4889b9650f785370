/** GET /events: server-sent events (HTML standard, section 9.2). */
import { type Request, Router } from 'express';
import type { Guard } from '../http/auth.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import type { Readers } from '../readers/service.ts';
import type { EventStream } from './stream.ts';

/** More listeners than that are no people. */
const MAX_CLIENTS = 500;

export interface EventRouteDeps {
  guard: Guard;
  stream: EventStream;
  readers: Readers;
}

export function eventRoutes({ guard, stream, readers }: EventRouteDeps): Router {
  const router = Router();
  router.get('/', guard.admin, async (req, res) => {
    if (stream.clients >= MAX_CLIENTS) {
      throw new HttpProblem(
        'unavailable',
        `${MAX_CLIENTS} clients are listening already. Poll GET /notifications instead.`,
        { headers: { 'Retry-After': '30' } }
      );
    }
    const { person } = res.locals;
    await stream.connect(res, lastEventId(req), () => readers.of(person));
  });
  return router;
}

/** The header that a browser sends by itself when it reconnects; the parameter is for a page that opens a new stream. */
function lastEventId(req: Request): number | undefined {
  const text =
    req.headers['last-event-id'] ??
    new URLSearchParams(req.url.slice(req.url.indexOf('?') + 1)).get('lastEventId') ??
    '';
  if (text === '') {
    return undefined;
  }
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) {
    return Number(text);
  }
  const allowed = 'the id of an event of this stream: a whole number';
  throw invalid([
    { pointer: '?lastEventId', found: 'something else', allowed, detail: `Last-Event-ID must be ${allowed}.` },
  ]);
}
