/** Reading notifications. Never writes: changes go through the write queue. */
import { sql } from 'kysely';
import { z } from 'zod';
import { LIMITS } from '../../../contract/limits.ts';
import {
  type IgnoredMember,
  ignoredMemberSchema,
  type Notification,
  type NotificationDetail,
  type SourceAlert,
  type WholeText,
} from '../../../contract/notification.ts';
import type { Origin, OriginQuery } from '../../../contract/origin.ts';
import type { Category, Facets, FacetsFilter, NotificationFilter, Unseen } from '../../../contract/query.ts';
import { isoTime } from '../../../contract/text.ts';
import { deliveriesOf } from './deliveries.ts';
import { withLabelSets } from '../labels/match.ts';
import type { ReaderId } from '../readers/unread.ts';
import { returnedThreads } from '../responses/conditions.ts';
import { timelineOf } from '../responses/store.ts';
import { inList, jsonMember, together } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { burstFigures, collapsed, isCollapsed, type ListFilter } from './bursts.ts';
import { countUnseen, listCategories } from './categoryCounts.ts';
import { readFacets } from './facets.ts';
import { conditions, every, isThreadView, threadsOf } from './filter.ts';
import { findOrigin, sourceAlert } from './origin.ts';
import { matching, type PageKey, type SelectOptions } from './select.ts';
import { type JoinedRow, joinedRows, served } from './served.ts';
import { firstWithin, servedBytes } from './texts.ts';

export interface Page {
  notifications: Notification[];
  /** Where the next page begins; undefined on the last one. */
  next: PageKey | undefined;
}

const isAlert = ({ source }: Notification): boolean => source === 'grafana' || source === 'alertmanager';
/** Before all rows. */
const NEWEST: PageKey = { ts: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
const RETURNED = LIMITS.returnedThreads.value;

/** With a reader, read and unread are the reader's own: contract/notification.ts, `read`. */
export class NotificationStore {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #textIndex: { ready(): Promise<void> };

  /**
   * @param now the clock, UTC milliseconds
   * @param textIndex updates the search index before a search
   */
  constructor(db: Database, now: () => number, textIndex: { ready(): Promise<void> }) {
    this.#db = db;
    this.#now = now;
    this.#textIndex = textIndex;
  }

  /** Adds what has arrived to the search index if the filter searches. If the store cannot write, a search finds what is indexed already. */
  async searchable({ q }: NotificationFilter): Promise<void> {
    return q === undefined ? undefined : this.#textIndex.ready().catch(() => undefined);
  }

  async list(given: ListFilter, limit: number, after?: PageKey, reader?: ReaderId): Promise<Page> {
    await this.searchable(given);
    const filter = await withLabelSets(this.#db, given);
    for (;;) {
      const at = this.#now();
      const returned = await this.#returnedOnTop(filter, reader, at, Math.min(Math.floor(limit / 2), RETURNED));
      const top = after ? [] : returned.map(({ id }) => id);
      const selection = { ...filter, without: returned.map(({ thread }) => thread) };
      const options = { filter: selection, reader, now: at, after, limit: limit + 1 - top.length };
      const others = (await (isCollapsed(filter) ? collapsed : matching)(this.#db, options)).map(({ id }) => id);
      const found = [...top, ...others];
      const { notifications, complete, last } = await this.#readWithin(found.slice(0, limit), reader);
      if (isCollapsed(filter)) {
        await this.#addFigures(notifications, options);
      }
      const more = found.length > limit || !complete;
      // Without a last one, all that were found have been deleted since.
      if (last || found.length === 0) {
        const end = notifications.length > top.length ? last : NEWEST;
        return { notifications, next: more && last && end ? { ts: end.ts, id: end.id } : undefined };
      }
    }
  }

  /** A text as sent; undefined if absent. */
  async wholeText(id: number, text: WholeText): Promise<string | undefined> {
    const row = await this.#db.selectFrom('notifications').select(text).where('id', '=', id).executeTakeFirst();
    return row?.[text] ?? undefined;
  }

  /** Existing notifications, in the order requested. */
  async byIds(ids: readonly number[], reader?: ReaderId): Promise<Notification[]> {
    return this.#read(await this.#rowsOf(ids, reader), reader);
  }

  /** @param me Person.key: whose comments are `own` */
  async detail(id: number, reader?: ReaderId, me?: string): Promise<NotificationDetail | undefined> {
    const [row] = await this.#rowsOf([id], reader);
    if (!row) {
      return undefined;
    }
    const members = await this.#db
      .selectFrom('notifications as n')
      .select('n.id')
      .where('n.thread_id', '=', row.thread_id)
      .orderBy('n.id', 'desc')
      .limit(LIMITS.threadMembers.value)
      .execute();
    const { notifications } = await this.#readWithin(
      members.map((member) => member.id),
      reader
    );
    const ignored = await ignoredOf(this.#db, id);
    // The newest alert of a thread that was resolved by hand.
    const alert = await alertOf(
      this.#db,
      notifications.find((one) => one.id === id && isAlert(one))?.id ?? notifications.find(isAlert)?.id ?? id
    );
    const timeline = row.answered === 1 ? await timelineOf(this.#db, row.thread_id, me) : [];
    return {
      ...(await this.#read([row], reader))[0]!,
      ...(ignored && { ignored }),
      ...(alert && { alert }),
      ...(await deliveriesOf(this.#db, id)),
      ...(timeline.length > 0 && { timeline }),
      members: notifications,
    };
  }

  /** The icon as sent; null when it has none, undefined when there is no such notification. */
  async icon(id: number): Promise<string | null | undefined> {
    const row = await this.#db.selectFrom('notifications').select('icon').where('id', '=', id).executeTakeFirst();
    return row?.icon;
  }

  /** Ids of the newest member of each thread with this correlationId, in whatever package. */
  async idsOfCorrelation(correlationId: string): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('threads as t')
      .innerJoin('notifications as n', 'n.thread_id', 't.id')
      .select((all) => all.fn.max('n.id').as('id'))
      .where('t.correlation_id', '=', correlationId)
      .groupBy('t.id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Notifications of an alert, a rule or a panel. */
  origin(query: OriginQuery, reader?: ReaderId): Promise<Origin> {
    return findOrigin(this.#db, query, async (id) => (await this.byIds([id], reader))[0]);
  }

  /** When the newest one arrived, ISO 8601, UTC. */
  async newestAt(): Promise<string | undefined> {
    const [row] = await this.#db.selectFrom('notifications').select('ts').orderBy('id', 'desc').limit(1).execute();
    return row && isoTime(row.ts);
  }

  async facets(filter: FacetsFilter, reader?: ReaderId): Promise<Facets> {
    await this.searchable(filter);
    return readFacets(this.#db, await withLabelSets(this.#db, filter), this.#now(), reader);
  }

  unseen(reader?: ReaderId): Promise<Unseen> {
    return countUnseen(this.#db, reader);
  }

  categories(reader?: ReaderId): Promise<Category[]> {
    return listCategories(this.#db, reader);
  }

  async #read(rows: JoinedRow[], reader: ReaderId): Promise<Notification[]> {
    return (await served(this.#db, rows, { now: this.#now(), reader })).map(({ notification }) => notification);
  }

  async #rowsOf(ids: readonly number[], reader: ReaderId): Promise<JoinedRow[]> {
    const [rows] = await together(this.#db, joinedRows(this.#db, reader).where(inList('n.id', ids)));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Reads as many of the first notifications as fit into a response, and at least one. The others are not read. */
  async #readWithin(ids: readonly number[], reader: ReaderId) {
    const [sizes] = await together(
      this.#db,
      this.#db
        .selectFrom('notifications as n')
        .select(['n.id', 'n.ts', servedBytes().as('bytes')])
        .where(inList('n.id', ids))
    );
    const known = new Map(sizes.map((size) => [size.id, size]));
    const existing = ids.flatMap((id) => known.get(id) ?? []);
    let left: number = LIMITS.listBytes.value;
    const end = existing.findIndex(({ bytes }, index) => (left -= bytes) < 0 && index > 0);
    const taken = existing.slice(0, end < 0 ? undefined : end);
    const rows = await this.#rowsOf(
      taken.map(({ id }) => id),
      reader
    );
    const notifications = firstWithin(await this.#read(rows, reader), LIMITS.listBytes.value);
    const last = notifications.at(-1);
    return {
      notifications,
      complete: notifications.length === rows.length && taken.length === existing.length,
      last: last && known.get(last.id),
    };
  }

  /** Threads whose snooze has ended, on top of the first page until they are read, and on no other. */
  async #returnedOnTop(
    filter: ListFilter,
    reader: ReaderId,
    at: number,
    most: number
  ): Promise<{ thread: number; id: number }[]> {
    if (!isThreadView(filter) || filter.q?.trim() || filter.snoozed === 'true' || filter.burst) {
      return [];
    }
    const threads = await returnedThreads(this.#db, reader, most);
    if (threads.length === 0) {
      return [];
    }
    const unread = { ...filter, read: false };
    const narrowed = conditions(unread, threadsOf(unread), { now: at, reader });
    const { rows } = await sql<{ thread: number; id: number }>`select t.id as thread, t.head_id as id from threads t
      where ${every([inList('t.id', threads), ...narrowed])}`.execute(this.#db);
    const places = new Map(threads.map((thread, index) => [thread, index]));
    return filter.read === true ? [] : rows.sort((a, b) => places.get(a.thread)! - places.get(b.thread)!);
  }

  async #addFigures(notifications: Notification[], { filter, reader, now: at }: SelectOptions): Promise<void> {
    const bursts = notifications.flatMap(({ thread }) => thread.burst?.id ?? []);
    const figures = await burstFigures(this.#db, bursts, { filter, reader, now: at });
    for (const notification of notifications) {
      const { burst } = notification.thread;
      if (burst) {
        notification.thread = { ...notification.thread, burst: { ...burst, ...figures.get(burst.id) } };
      }
    }
  }
}

async function ignoredOf(db: Database, id: number): Promise<IgnoredMember[] | undefined> {
  const row = await db
    .selectFrom('notifications')
    .select(jsonMember('extra', 'ignored').as('ignored'))
    .where('id', '=', id)
    .executeTakeFirst();
  // Before the name was reserved, a sender could store anything there.
  return z.array(ignoredMemberSchema).safeParse(JSON.parse(row?.ignored ?? 'null')).data;
}

async function alertOf(db: Database, id: number): Promise<SourceAlert | undefined> {
  const row = await db
    .selectFrom('notifications')
    .select(['source', 'extra'])
    .where('id', '=', id)
    .where('source', 'in', ['grafana', 'alertmanager'])
    .executeTakeFirst();
  return row && sourceAlert(row);
}
