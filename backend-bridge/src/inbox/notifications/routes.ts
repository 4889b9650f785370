/** Operations on notifications. */
import type { RequestHandler } from 'express';
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import { compileRegex } from '../../../contract/matcherRegex.ts';
import { EXPECTED, MatcherError, parseMatchers } from '../../../contract/matchers.ts';
import { WHOLE_TEXTS } from '../../../contract/notification.ts';
import { DEFAULT_LIMIT, filterSchema, type NotificationFilter } from '../../../contract/query.ts';
import { show } from '../../../contract/text.ts';
import { nothingAt } from '../../platform/http/errors.ts';
import { EXPORT_STEP, formatOf, sendExport } from '../../platform/http/export.ts';
import type { Person } from '../../platform/http/guard.ts';
import { HttpProblem, invalid, notificationNotFound } from '../../platform/http/problem.ts';
import { queryOf, readFilter } from '../../platform/http/query.ts';
import { readFor, sendBody, sendRead } from '../../platform/http/sendRead.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Readers } from '../readers/service.ts';
import type { Reads } from '../../platform/storage/read.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { Inbox } from './inbox.ts';
import {
  LIST_COLUMNS,
  readDetail,
  readFacets,
  readList,
  readListStep,
  readOrigin,
  readUnseen,
  readWholeText,
} from './reads.ts';
import type { PageKey } from './select.ts';
import { sendHandlers } from './send.ts';
import type { Selected } from './selections.ts';
import type { NotificationStore } from './store.ts';

export interface NotificationDeps {
  inbox: Inbox;
  store: Pick<NotificationStore, 'byIds' | 'idsOfCorrelation' | 'searchable'>;
  reads: Reads;
  /** Rejects what has been here before (platform/http/via.ts). */
  via: RequestHandler;
  readers: Readers;
}

/** Operations of other files. */
type Others = 'sendBatch' | 'sendHeartbeat' | 'getNotificationIcon' | 'getReport' | 'listLabels';
type Own = Omit<typeof NOTIFICATIONS, Others>;
type ReadOperations =
  'listNotifications' | 'countUnseen' | 'listFacets' | 'findOrigin' | 'getNotification' | 'getNotificationText';

export const notificationHandlers = (deps: NotificationDeps): Handlers<Own> => ({
  sendNotification: [deps.via, ...sendHandlers(deps.inbox)],
  ...readHandlers(deps),
  ...changeHandlers(deps),
});

function readHandlers({ store, reads, readers }: NotificationDeps): Handlers<Pick<Own, ReadOperations>> {
  const readerIdOf = async (person: Person | undefined) => (await readers.of(person))?.id;
  return {
    async listNotifications({ query: { limit = DEFAULT_LIMIT, cursor, format, ...filter }, person, req, res }) {
      const mine = selectable(filter, person);
      const after = cursor === undefined ? undefined : readCursor(filter, cursor);
      const reader = await readerIdOf(person);
      await store.searchable(mine);
      const as = formatOf(req, format);
      if (as !== 'json') {
        const step = (from = after) =>
          readFor(reads, res, readListStep, { filter: mine, limit: EXPORT_STEP, after: from, reader, as });
        await sendExport<PageKey>(res, { name: 'nodebell', as, columns: LIST_COLUMNS, step });
        return;
      }
      const { body, next } = await readFor(reads, res, readList, { filter: mine, limit, after, reader });
      if (next) {
        const query = new URLSearchParams(queryOf(req));
        query.set('cursor', writeCursor(filter, next));
        res.set('Link', `<${req.path}?${query.toString()}>; rel="next"`);
      }
      sendBody(res, body!);
    },
    async countUnseen({ person, res }) {
      await sendRead(reads, res, readUnseen, { reader: await readerIdOf(person) });
    },
    async listFacets({ query, person, res }) {
      const filter = selectable(query, person);
      const reader = await readerIdOf(person);
      await store.searchable(filter);
      await sendRead(reads, res, readFacets, { filter, reader });
    },
    async findOrigin({ query, person, res }) {
      await sendRead(reads, res, readOrigin, { query, reader: await readerIdOf(person) });
    },
    async getNotification({ params: { id }, person, res }) {
      const args = { id, reader: await readerIdOf(person), me: person?.key };
      if (!(await sendRead(reads, res, readDetail, args))) {
        notificationNotFound();
      }
    },
    async getNotificationText({ params, req, res }) {
      const text = WHOLE_TEXTS.find((one) => one === params.text);
      if (!text) {
        throw nothingAt(req);
      }
      const { body } = await readFor(reads, res, readWholeText, { id: params.id, text });
      sendBody(res, body ?? notificationNotFound(), 'text/plain');
    },
  };
}

function changeHandlers({
  inbox,
  store,
  readers,
}: NotificationDeps): Handlers<Omit<Own, ReadOperations | 'sendNotification'>> {
  return {
    async markSeen({ query, body: { ids, wholeThreads, seen = true } = {}, person }) {
      const filter = selectable(query, person);
      if (!ids && !seen && Object.keys(filter).length === 0) {
        const allowed = 'true without ids or a filter';
        const detail = 'Give "ids" or a filter of what to mark as unseen.';
        throw invalid([{ pointer: '/seen', found: 'false', allowed, detail }]);
      }
      return inbox.mark(ids ? { ids, wholeThreads } : { filter }, seen, await readers.of(person));
    },
    async markThreadSeen({ params, person }) {
      const ids = await store.idsOfCorrelation(params.correlationId);
      if (ids.length === 0) {
        throw new HttpProblem('not-found', 'No thread has this correlationId.');
      }
      return inbox.mark({ ids, wholeThreads: true }, true, await readers.of(person));
    },
    async patchNotification({ params: { id }, body: { seen }, person }) {
      const reader = await readers.of(person);
      await inbox.mark({ ids: [id] }, seen, reader);
      const [notification] = await store.byIds([id], reader?.id);
      return notification ?? notificationNotFound();
    },
    async deleteNotifications({ body, person, by }) {
      return inbox.remove(await selectedBy(body, person, readers), by);
    },
    async deleteNotification({ params, by }) {
      const deleted = await inbox.remove({ ids: [params.id] }, by);
      return deleted.deleted === 0 ? notificationNotFound() : deleted;
    },
    async resolveNotifications({ body, person, by }) {
      return inbox.resolve(await selectedBy(body, person, readers), by);
    },
    async resolveNotification({ params, person, by }) {
      const result = await inbox.resolveByHand(params.id, by, await readers.of(person));
      if (result === 'not-open') {
        throw new HttpProblem('conflict', 'The thread is not open, so it cannot be resolved.');
      }
      return result === 'absent' ? notificationNotFound() : result;
    },
    async restoreNotifications({ body, by }) {
      const restored = await inbox.restore(body.undo, by);
      if (restored === 0) {
        throw new HttpProblem('gone', 'Nothing to undo: it was undone already, or the 30 seconds have expired.');
      }
      return { restored };
    },
  };
}

/** Body of a bulk action: ids, or a filter as in a query. */
interface SelectionBody {
  ids?: number[] | undefined;
  filter?: Record<string, unknown> | undefined;
  wholeThreads?: boolean | undefined;
}

/** The notifications that a bulk action changes. @throws HttpProblem 400 */
export async function selectedBy(
  { ids, filter = {}, wholeThreads }: SelectionBody,
  person: Person | undefined,
  readers: Readers
): Promise<Selected> {
  return ids
    ? { ids, wholeThreads }
    : { filter: selectable(readFilter(filter, filterSchema), person), reader: (await readers.of(person))?.id };
}

/** @throws HttpProblem 400 for a filter that contradicts itself */
function selectable<T extends NotificationFilter>(filter: T, person: Person | undefined): T {
  refuseContradiction(filter);
  refuseMatchers(filter);
  return ofMe(filter, person);
}

function refuseMatchers({ matchers }: NotificationFilter): void {
  try {
    parseMatchers(matchers ?? '', compileRegex);
  } catch (error) {
    if (!(error instanceof MatcherError)) {
      throw error;
    }
    const detail = `"matchers" is invalid. ${error.message}`;
    throw invalid([{ pointer: '?matchers', found: show(matchers), allowed: EXPECTED[error.expected], detail }]);
  }
}

/** With the requesting person in place of `assignee=me`. */
function ofMe<T extends NotificationFilter>(filter: T, person: Person | undefined): T {
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
    const detail = `"${hidden}" must be ${allowed}: these views contain only shown notifications.`;
    throw invalid([{ pointer: `?${hidden}`, found: String(filter[hidden]), allowed, detail }]);
  }
}
