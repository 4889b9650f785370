/** GET /events: server-sent events (HTML standard, section 9.2). */
import { type Request, Router } from 'express';
import { parseId } from '../../contract/id.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Guard } from '../http/auth.ts';
import { invalid } from '../http/problem.ts';
import type { ReadGate } from '../http/readGate.ts';
import type { Readers } from '../readers/service.ts';
import { createPlaces } from './connections.ts';
import type { EventStream } from './stream.ts';

export interface EventRouteDeps {
  guard: Guard;
  stream: EventStream;
  readers: Readers;
  gate: Pick<ReadGate, 'leave'>;
}

export function eventRoutes({ guard, stream, readers, gate }: EventRouteDeps): Router {
  const router = Router();
  const places = createPlaces({
    inTotal: LIMITS.streams.value,
    ofPerson: LIMITS.streamsOfPerson.value,
    unidentified: LIMITS.streamsUnidentified.value,
  });
  router.get('/', guard.admin, async (req, res) => {
    const lastId = lastEventId(req);
    // The client may have left while its identity was verified; then nothing would give the place back.
    if (res.closed || res.destroyed) {
      return;
    }
    const { person } = res.locals;
    res.once('close', places.take(person));
    gate.leave(res);
    const hasOwnState = person !== undefined && !person.anonymous;
    await stream.connect(res, lastId, hasOwnState ? () => readers.of(person) : undefined);
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
  const id = typeof text === 'string' ? parseId(text) : undefined;
  if (id !== undefined) {
    return id;
  }
  const allowed = 'the id of an event of this stream: a whole number';
  throw invalid([
    { pointer: '?lastEventId', found: 'something else', allowed, detail: `Last-Event-ID must be ${allowed}.` },
  ]);
}
