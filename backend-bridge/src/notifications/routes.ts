/** Operations on notifications. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { NOTIFICATIONS } from '../../contract/api/notifications.ts';
import { WHOLE_TEXTS } from '../../contract/notification.ts';
import { DEFAULT_LIMIT, filterSchema, type NotificationFilter } from '../../contract/query.ts';
import { readPayload, readUsablePayload } from '../../contract/readPayload.ts';
import { cleanJson, show } from '../../contract/text.ts';
import { applySender } from '../access/applySender.ts';
import { jsonBody } from '../http/body.ts';
import { writeJson } from '../http/directRoute.ts';
import { nothingAt } from '../http/errors.ts';
import type { Person } from '../http/identity.ts';
import { HttpProblem, invalid } from '../http/problem.ts';
import { readFilter } from '../http/query.ts';
import { senderOf } from '../http/rateLimit.ts';
import type { Handlers } from '../http/serve.ts';
import type { Readers } from '../readers/service.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { fitExtra, shortName } from './fit.ts';
import type { Inbox } from './inbox.ts';
import { onceOfKey } from './receipts.ts';
import type { NotificationStore } from './store.ts';

export interface NotificationDeps {
  inbox: Inbox;
  store: NotificationStore;
  readers: Readers;
}

/** Operations of other files. */
type Others = 'sendBatch' | 'sendHeartbeat' | 'getNotificationIcon' | 'getReport';

export function notificationHandlers({
  inbox,
  store,
  readers,
}: NotificationDeps): Handlers<Omit<typeof NOTIFICATIONS, Others>> {
  const readerIdOf = async (person: Person | undefined) => (await readers.of(person))?.id;
  return {
    sendNotification: sendHandlers(inbox),
    async listNotifications({ query: { limit = DEFAULT_LIMIT, cursor, ...filter }, person, req, res }) {
      const mine = selectable(filter, person);
      const after = cursor === undefined ? undefined : readCursor(filter, cursor);
      const page = await store.list(mine, limit, after, await readerIdOf(person));
      if (page.next) {
        const next = new URLSearchParams(queryOf(req));
        next.set('cursor', writeCursor(filter, page.next));
        res.set('Link', `<${req.path}?${next.toString()}>; rel="next"`);
      }
      return page.notifications;
    },
    countUnseen: async ({ person }) => store.unseen(await readerIdOf(person)),
    listFacets: async ({ query, person }) => store.facets(selectable(query, person), await readerIdOf(person)),
    findOrigin: async ({ query, person }) => store.origin(query, await readerIdOf(person)),
    async markSeen({ query, body: { ids, wholeThreads = false, seen = true } = {}, person }) {
      const filter = selectable(query, person);
      if (ids) {
        return inbox.markIds(ids, wholeThreads, seen, await readers.of(person));
      }
      if (!seen && Object.keys(filter).length === 0) {
        const allowed = 'true without ids or a filter';
        const detail = 'Give "ids" or a filter of what to mark as unseen.';
        throw invalid([{ pointer: '/seen', found: 'false', allowed, detail }]);
      }
      return inbox.markMatching(filter, await readers.of(person), seen);
    },
    async deleteNotifications({ body, person, by }) {
      return 'ids' in body
        ? inbox.deleteIds(body.ids, body.wholeThreads ?? false, by)
        : inbox.deleteMatching(selectionOf(body.filter, person), by, await readers.of(person));
    },
    async resolveNotifications({ body, person, by }) {
      return 'ids' in body
        ? inbox.resolveIds(body.ids, by)
        : inbox.resolveMatching(selectionOf(body.filter, person), by, await readers.of(person));
    },
    async restoreNotifications({ body, by }) {
      const restored = await inbox.restore(body.undo, by);
      if (restored === 0) {
        throw new HttpProblem('gone', 'Nothing to undo: it was undone already, or the 30 seconds have expired.');
      }
      return { restored };
    },
    async markThreadSeen({ params, person }) {
      const ids = await store.idsOfCorrelation(params.correlationId);
      if (ids.length === 0) {
        throw new HttpProblem('not-found', 'No thread has this correlationId.');
      }
      return inbox.markIds(ids, true, true, await readers.of(person));
    },
    getNotification: async ({ params, person }) =>
      (await store.detail(params.id, await readerIdOf(person), person?.key)) ?? absent(),
    async getNotificationText({ params, req, res }) {
      const text = WHOLE_TEXTS.find((one) => one === params.text);
      if (!text) {
        throw nothingAt(req);
      }
      const whole = await store.wholeText(params.id, text);
      res.type('text/plain').send(whole ?? absent());
    },
    async patchNotification({ params: { id }, body: { seen }, person }) {
      const reader = await readers.of(person);
      await inbox.markIds([id], false, seen, reader);
      const [notification] = await store.byIds([id], reader?.id);
      return notification ?? absent();
    },
    async deleteNotification({ params, by }) {
      const deleted = await inbox.deleteIds([params.id], false, by);
      return deleted.deleted === 0 ? absent() : deleted;
    },
    async resolveNotification({ params, person, by }) {
      const result = await inbox.resolveByHand(params.id, by, await readers.of(person));
      if (result === 'not-open') {
        throw new HttpProblem('conflict', 'The thread is not open, so it cannot be resolved.');
      }
      return result === 'absent' ? absent() : result;
    },
  };
}

const selectionOf = (filter: Record<string, unknown>, person: Person | undefined): NotificationFilter =>
  selectable(readFilter(filter, filterSchema), person);

/** Where notifications are sent to. */
export const SEND_PATH = '/api/v1/notifications';

/** Reads and answers a send. Uses the members of Node's own request and response only: see http/directRoute.ts. */
export function sendHandlers(inbox: Inbox): RequestHandler[] {
  // Excessive nesting is left out, or rejected, by the reader of the payload.
  return [...jsonBody({ levels: Infinity }), (req, res) => send(inbox, req, res)];
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

/** @throws HttpProblem 400 for a filter that contradicts itself */
function selectable<T extends NotificationFilter>(filter: T, person: Person | undefined): T {
  refuseContradiction(filter);
  return ofMe(filter, person);
}

/** With the requesting person in place of `assignee=me`. */
export function ofMe<T extends NotificationFilter>(filter: T, person: Person | undefined): T {
  if (filter.assignee !== 'me') {
    return filter;
  }
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
