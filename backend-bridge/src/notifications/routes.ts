/** The paths below /notifications. */
import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { WHOLE_TEXTS } from '../../contract/notification.ts';
import { originQuerySchema } from '../../contract/origin.ts';
import {
  DEFAULT_LIMIT,
  deleteBodySchema,
  filterSchema,
  listQuerySchema,
  type NotificationFilter,
  patchSchema,
  resolveBodySchema,
  restoreBodySchema,
  seenBodySchema,
} from '../../contract/query.ts';
import { readPayload, readUsablePayload } from '../../contract/readPayload.ts';
import { cleanJson, show } from '../../contract/text.ts';
import { applySender } from '../access/applySender.ts';
import { actorOf } from '../audit/actor.ts';
import type { Guard } from '../http/auth.ts';
import { jsonBody } from '../http/body.ts';
import { writeJson } from '../http/directRoute.ts';
import type { Person } from '../http/identity.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readBody, readFilter, readId, readQuery } from '../http/query.ts';
import { senderOf } from '../http/rateLimit.ts';
import { joinSegments } from '../http/security.ts';
import { readFor, sendBody, sendRead } from '../http/sendRead.ts';
import type { Readers } from '../readers/service.ts';
import type { Reads } from '../storage/read.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { fitExtra, shortName } from './fit.ts';
import type { Inbox } from './inbox.ts';
import { readDetail, readFacets, readList, readOrigin, readUnseen, readWholeText } from './reads.ts';
import { onceOfKey } from './receipts.ts';
import type { NotificationStore } from './store.ts';

export interface NotificationRouteDeps {
  guard: Guard;
  limit: RequestHandler;
  inbox: Inbox;
  store: Pick<NotificationStore, 'byIds' | 'idsOfCorrelation' | 'searchable'>;
  reads: Reads;
  readers: Readers;
}

export function notificationRoutes({ guard, limit, inbox, store, reads, readers }: NotificationRouteDeps): Router {
  const router = Router();
  const readerOf = (res: Response) => readers.of(res.locals.person);

  router.post('/', ...sendHandlers({ guard, limit, inbox }));

  router.get('/', guard.admin, async (req, res) => {
    const { limit: size = DEFAULT_LIMIT, cursor, ...filter } = readQuery(req, listQuerySchema, ALIASES);
    refuseContradiction(filter);
    const mine = ofMe(filter, res);
    const after = cursor === undefined ? undefined : readCursor(filter, cursor);
    const reader = (await readerOf(res))?.id;
    await store.searchable(mine);
    const { body, next } = await readFor(reads, res, readList, { filter: mine, limit: size, after, reader });
    if (next) {
      const query = new URLSearchParams(queryOf(req));
      query.set('cursor', writeCursor(filter, next));
      res.set('Link', `<${req.baseUrl}?${query.toString()}>; rel="next"`);
    }
    sendBody(res, body!);
  });

  router.get('/unseen', guard.admin, async (_req, res) => {
    await sendRead(reads, res, readUnseen, { reader: (await readerOf(res))?.id });
  });

  router.get('/facets', guard.admin, async (req, res) => {
    const filter = ofMe(readContradictionFree(req), res);
    const reader = (await readerOf(res))?.id;
    await store.searchable(filter);
    await sendRead(reads, res, readFacets, { filter, reader });
  });

  router.get('/origin', guard.admin, async (req, res) => {
    const query = readQuery(req, originQuerySchema);
    await sendRead(reads, res, readOrigin, { query, reader: (await readerOf(res))?.id });
  });

  router.put('/seen', guard.admin, ...jsonBody({ optional: true }), async (req, res) => {
    const filter = ofMe(readContradictionFree(req), res);
    const body = req.body === undefined ? {} : readBody(req.body, seenBodySchema);
    const { ids, wholeThreads = false, seen = true } = body;
    if (ids) {
      res.json(await inbox.markIds(ids, wholeThreads, seen, await readerOf(res)));
    } else if (!seen && Object.keys(filter).length === 0) {
      const allowed = 'true without ids or a filter';
      throw invalid([
        {
          pointer: '/seen',
          found: 'false',
          allowed,
          detail: 'Give "ids" or a filter of what to mark as unseen.',
        },
      ]);
    } else {
      res.json(await inbox.markMatching(filter, await readerOf(res), seen));
    }
  });

  router.post('/delete', guard.admin, ...jsonBody(), async (req, res) => {
    const body = readBody(req.body, deleteBodySchema);
    if ('ids' in body) {
      res.json(await inbox.deleteIds(body.ids, body.wholeThreads ?? false, actorOf(req, res)));
    } else {
      const filter = readFilter(body.filter, filterSchema);
      refuseContradiction(filter);
      res.json(await inbox.deleteMatching(ofMe(filter, res), actorOf(req, res), await readerOf(res)));
    }
  });

  router.post('/resolve', guard.admin, ...jsonBody(), async (req, res) => {
    const body = readBody(req.body, resolveBodySchema);
    if ('ids' in body) {
      res.json(await inbox.resolveIds(body.ids, actorOf(req, res)));
    } else {
      const filter = readFilter(body.filter, filterSchema);
      refuseContradiction(filter);
      res.json(await inbox.resolveMatching(ofMe(filter, res), actorOf(req, res), await readerOf(res)));
    }
  });

  router.post('/restore', guard.admin, ...jsonBody(), async (req, res) => {
    const restored = await inbox.restore(readBody(req.body, restoreBodySchema).undo, actorOf(req, res));
    if (restored === 0) {
      throw new HttpProblem('gone', 'Nothing to undo: it was undone already, or the 30 seconds have expired.');
    }
    res.json({ restored });
  });

  router.put('/*correlationId/seen', guard.admin, ...jsonBody({ optional: true }), async (req, res) => {
    const correlationId = joinSegments(req.params.correlationId);
    const ids = await store.idsOfCorrelation(correlationId);
    if (ids.length === 0) {
      throw new HttpProblem('not-found', 'No thread has this correlationId.');
    }
    res.json(await inbox.markIds(ids, true, true, await readerOf(res)));
  });

  router.get('/:id', guard.admin, async (req, res) => {
    const id = readId(String(req.params.id));
    const reader = (await readerOf(res))?.id;
    const found = await sendRead(reads, res, readDetail, { id, reader, me: res.locals.person?.key });
    if (!found) {
      absent();
    }
  });

  router.get('/:id/:text', guard.admin, async (req, res, next) => {
    const text = WHOLE_TEXTS.find((one) => one === req.params.text);
    if (!text) {
      next();
      return;
    }
    const { body } = await readFor(reads, res, readWholeText, { id: readId(String(req.params.id)), text });
    sendBody(res, body ?? absent(), 'text/plain');
  });

  router.patch('/:id', guard.admin, ...jsonBody(), async (req, res) => {
    const id = readId(String(req.params.id));
    const { seen } = readBody(req.body, patchSchema);
    const reader = await readerOf(res);
    await inbox.markIds([id], false, seen, reader);
    const [notification] = await store.byIds([id], reader?.id);
    res.json(notification ?? absent());
  });

  router.delete('/:id', guard.admin, async (req, res) => {
    const deleted = await inbox.deleteIds([readId(String(req.params.id))], false, actorOf(req, res));
    res.json(deleted.deleted === 0 ? absent() : deleted);
  });

  router.post('/:id/resolve', guard.admin, ...jsonBody({ optional: true }), async (req, res) => {
    const result = await inbox.resolveByHand(readId(String(req.params.id)), actorOf(req, res), await readerOf(res));
    if (result === 'not-open') {
      throw new HttpProblem('conflict', 'The thread is not open, so it cannot be resolved.');
    }
    res.status(201).json(result === 'absent' ? absent() : result);
  });

  return router;
}

/** Where notifications are sent to. */
export const SEND_PATH = '/api/v1/notifications';

/** The handlers of a send. They use the members of Node's own request and response only: see http/directRoute.ts. */
export function sendHandlers({
  guard,
  limit,
  inbox,
}: Pick<NotificationRouteDeps, 'guard' | 'limit' | 'inbox'>): RequestHandler[] {
  // What is nested too deep is left out, or rejected, by the reader of the payload.
  return [guard.sender, limit, ...jsonBody({ levels: Infinity }), (req, res) => send(inbox, req, res)];
}

function absent(): never {
  throw new HttpProblem('not-found', 'Notification not found; it may have been deleted.');
}

async function send(inbox: Inbox, req: Request, res: Response): Promise<void> {
  const read = isStrict(req) ? readPayload(req.body) : readUsablePayload(req.body, shortName);
  if (!read.ok) {
    throw invalid(read.errors, 'the notification');
  }
  const { ignored } = read.value;
  const notes: string[] = [];
  const extra = fitExtra(withTarget(read.value.extra, req), (note) => notes.push(note));
  const payload = applySender(read.value.payload, res.locals.sender);
  const key = idempotencyKey(req);
  const sender = senderOf(req, res);
  const once = key === undefined ? undefined : onceOfKey(res.locals.sender?.id, sender, key);
  const hash = once && hashOf(ignored ? cleanJson(req.body).value : req.body);
  const [received] = await inbox.receive([
    { payload, extra, ignored, source: 'api', sender, once: once && { ...once, hash } },
  ]);
  switch (received?.outcome) {
    case 'stored': {
      const all = [...notes, ...(received.note === undefined ? [] : [received.note])];
      const sent = { ...received.notification, ignored, ...(all.length > 0 && { notes: all }) };
      writeJson(res, 201, sent, { Location: `${SEND_PATH}/${received.id}` });
      return;
    }
    case 'duplicate':
      // The same key means the same body, of which the same was ignored.
      writeJson(res, 200, { ...received.notification, ignored });
      return;
    case 'conflict':
      throw new HttpProblem(
        'conflict',
        'This Idempotency-Key was used with another body. Use a new key for a new notification.'
      );
    default:
      throw new HttpProblem('gone', 'This Idempotency-Key was used for a notification that has been deleted since.');
  }
}

/** Other parameters do not concern the bridge, and lose no notification. */
function isStrict(req: Request): boolean {
  const given = parameterOf(req, 'strict') ?? 'false';
  if (given === 'true' || given === 'false') {
    return given === 'true';
  }
  const allowed = 'true or false';
  const found = show(given);
  throw invalid([{ pointer: '?strict', found, allowed, detail: `"strict" must be ${allowed}; found ${found}.` }]);
}

/** The one device that DAppNode's manager sends it to; its client escapes the value twice. */
function withTarget(extra: Record<string, unknown> | undefined, req: Request): Record<string, unknown> | undefined {
  const escaped = parameterOf(req, 'subscriptionEndpoint');
  return escaped === null ? extra : { ...extra, subscriptionEndpoint: unescaped(escaped) };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param body not nested deeper than {@link cleanJson} leaves it: stringify is recursive */
const hashOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('base64url');

function idempotencyKey(req: Request): string | undefined {
  const key = req.headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key))) {
    return key;
  }
  const allowed = '1 to 200 visible ASCII characters';
  throw invalid([
    {
      pointer: 'Idempotency-Key',
      found: 'something else',
      allowed,
      detail: `The header Idempotency-Key must be ${allowed}.`,
    },
  ]);
}

/** All after the first question mark: a later one belongs to the query (RFC 3986, section 3.4). */
const queryOf = (req: Request): string => (req.url.includes('?') ? req.url.slice(req.url.indexOf('?') + 1) : '');

const parameterOf = (req: Request, name: string): string | null =>
  req.url.includes('?') ? new URLSearchParams(queryOf(req)).get(name) : null;

/** DAppNode's name for a parameter. */
const ALIASES = { timestamp: 'from' };

function readContradictionFree(req: Request): NotificationFilter {
  const filter = readQuery(req, filterSchema, ALIASES);
  refuseContradiction(filter);
  return filter;
}

/** With the requesting person in place of `assignee=me`. */
export function ofMe<T extends NotificationFilter>(filter: T, res: Response): T {
  if (filter.assignee !== 'me') {
    return filter;
  }
  const person: Person | undefined = res.locals.person;
  if (person === undefined || person.anonymous) {
    const allowed = 'the key of a person, or none';
    const detail = `"assignee" must be ${allowed}, since the request comes from no user of Grafana.`;
    throw invalid([{ pointer: '?assignee', found: 'me', allowed, detail }]);
  }
  return { ...filter, assignee: person.key };
}

/** The newest SHOWN member of each thread: what is not shown cannot be requested at the same time. */
function refuseContradiction(filter: NotificationFilter): void {
  if (filter.latest !== true && filter.open === undefined) {
    return;
  }
  const hidden =
    filter.muted !== undefined && filter.muted !== 'false'
      ? 'muted'
      : filter.errors !== undefined && filter.errors !== 'hidden'
        ? 'errors'
        : undefined;
  if (hidden) {
    const allowed = 'left out together with "latest" or "open"';
    throw invalid([
      {
        pointer: `?${hidden}`,
        found: String(filter[hidden]),
        allowed,
        detail: `"${hidden}" must be ${allowed}: these views contain only shown notifications.`,
      },
    ]);
  }
}
