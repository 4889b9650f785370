/** GET /events: server-sent events (HTML standard, section 9.2). */
import type { Request } from 'express';
import type { EVENTS } from '../../../contract/api/events.ts';
import { parseId } from '../../../contract/id.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { invalid } from '../../platform/http/problem.ts';
import type { ReadGate } from '../../platform/http/readGate.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Readers } from '../readers/service.ts';
import { createPlaces } from './connections.ts';
import type { EventStream } from './stream.ts';

export interface EventDeps {
  stream: EventStream;
  readers: Readers;
  gate: Pick<ReadGate, 'leave'>;
}

export function eventHandlers({ stream, readers, gate }: EventDeps): Handlers<typeof EVENTS> {
  const places = createPlaces({
    inTotal: LIMITS.streams.value,
    ofPerson: LIMITS.streamsOfPerson.value,
    unidentified: LIMITS.streamsUnidentified.value,
  });
  return {
    async listenEvents({ person, req, res }) {
      const lastId = lastEventId(req);
      // The client may have left while its identity was verified; then nothing would give the place back.
      if (res.closed || res.destroyed) {
        return;
      }
      res.once('close', places.take(person));
      gate.leave(res);
      const hasOwnState = person !== undefined && !person.anonymous;
      await stream.connect(res, lastId, hasOwnState ? () => readers.of(person) : undefined);
    },
  };
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
  const detail = `Last-Event-ID must be ${allowed}.`;
  throw invalid([{ pointer: '?lastEventId', found: 'something else', allowed, detail }]);
}
