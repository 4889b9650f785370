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
import type { Category, Facets, NotificationFilter, Unseen } from '../../../contract/query.ts';
import { isoTime } from '../../../contract/text.ts';
import { deliveriesOf } from './deliveries.ts';
import { type OwnState, ownColumns, type ReaderId, unreadNotifications } from '../readers/unread.ts';
import { addResponses, returnedThreads } from '../responses/conditions.ts';
import { timelineOf } from '../responses/store.ts';
import { inList, jsonMember, together } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { burstFigures, collapsed, isCollapsed, type ListFilter } from './bursts.ts';
import { EVER, NOTIFICATIONS } from './counts.ts';
import { firstItems, readFacets } from './facets.ts';
import { conditions, every, isThreadView, threadsOf } from './filter.ts';
import { addFlapping } from './flapping.ts';
import { findOrigin, sourceAlert } from './origin.ts';
import { type ThreadFields, toNotification } from './rows.ts';
import { matching, type PageKey, type SelectOptions } from './select.ts';
import { firstWithin, listedName, servedBytes, servedColumns, type ServedRow } from './texts.ts';

export interface Page {
  notifications: Notification[];
  /** Where the next page begins; undefined on the last one. */
  next: PageKey | undefined;
}

/** With a reader, read and unread are the reader's own: contract/notification.ts, `read`. */
export interface NotificationStore {
  /** Adds what has arrived to the search index if the filter searches. If the store cannot write, a search finds what is indexed already. */
  searchable(filter: NotificationFilter): Promise<void>;
  list(filter: ListFilter, limit: number, after?: PageKey, reader?: ReaderId): Promise<Page>;
  /** A text as sent; undefined if absent. */
  wholeText(id: number, text: WholeText): Promise<string | undefined>;
  /** Existing notifications, in the order requested. */
  byIds(ids: readonly number[], reader?: ReaderId): Promise<Notification[]>;
  /** @param me Person.key: whose comments are `own` */
  detail(id: number, reader?: ReaderId, me?: string): Promise<NotificationDetail | undefined>;
  /** The icon as sent; null when it has none, undefined when there is no such notification. */
  icon(id: number): Promise<string | null | undefined>;
  /** Ids of the newest member of each thread with this correlationId, in whatever package. */
  idsOfCorrelation(correlationId: string): Promise<number[]>;
  /** Notifications of an alert, a rule or a panel. */
  origin(query: OriginQuery, reader?: ReaderId): Promise<Origin>;
  unseen(reader?: ReaderId): Promise<Unseen>;
  /** When the newest one arrived, ISO 8601, UTC. */
  newestAt(): Promise<string | undefined>;
  facets(filter: NotificationFilter, reader?: ReaderId): Promise<Facets>;
  categories(reader?: ReaderId): Promise<Category[]>;
}

const THREAD_COLUMNS = [
  't.state',
  't.opened_ts',
  't.closed_ts',
  't.last_ts',
  't.closed_by_hand',
  't.count',
  't.unseen',
  't.answered',
] as const;
const isAlert = ({ source }: Notification): boolean => source === 'grafana' || source === 'alertmanager';
/** Before all rows. */
const NEWEST: PageKey = { ts: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
const RETURNED = LIMITS.returnedThreads.value;

type JoinedRow = ServedRow & ThreadFields & Partial<OwnState>;

/**
 * @param now the clock, UTC milliseconds
 * @param textIndex updates the search index before a search
 */
export function createNotificationStore(
  db: Database,
  now: () => number,
  textIndex: { ready(): Promise<void> }
): NotificationStore {
  const searchable = async ({ q }: NotificationFilter): Promise<void> =>
    q === undefined ? undefined : textIndex.ready().catch(() => undefined);

  const joined = (reader?: ReaderId) =>
    db
      .selectFrom('notifications as n')
      .innerJoin('threads as t', 't.id', 'n.thread_id')
      .leftJoin('bursts as b', 'b.id', 't.burst')
      .select([...servedColumns()])
      .select([...THREAD_COLUMNS, 't.burst', 'b.name as burst_name'])
      .$if(reader !== undefined, (query) => query.select([...ownColumns(reader!)]));
  const read = async (rows: JoinedRow[], reader: ReaderId): Promise<Notification[]> => {
    const found = rows.map((row) => ({
      threadId: row.thread_id,
      answered: row.answered === 1,
      notification: toNotification(row, row, now(), row.own_unread === undefined ? undefined : (row as OwnState)),
    }));
    await addFlapping(db, found, now());
    await addResponses(db, found, reader);
    return found.map(({ notification }) => notification);
  };
  const rowsOf = async (ids: readonly number[], reader: ReaderId): Promise<JoinedRow[]> => {
    const [rows] = await together(db, joined(reader).where(inList(sql.ref('n.id'), ids)));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };

  /** Reads as many of the first notifications as fit into a response, and at least one. The others are not read. */
  const readWithin = async (ids: readonly number[], reader: ReaderId) => {
    const [sizes] = await together(
      db,
      db
        .selectFrom('notifications as n')
        .select(['n.id', 'n.ts', servedBytes().as('bytes')])
        .where(inList(sql.ref('n.id'), ids))
    );
    const known = new Map(sizes.map((size) => [size.id, size]));
    const existing = ids.flatMap((id) => known.get(id) ?? []);
    let left: number = LIMITS.listBytes.value;
    const end = existing.findIndex(({ bytes }, index) => (left -= bytes) < 0 && index > 0);
    const taken = existing.slice(0, end < 0 ? undefined : end);
    const rows = await rowsOf(
      taken.map(({ id }) => id),
      reader
    );
    const notifications = firstWithin(await read(rows, reader), LIMITS.listBytes.value);
    const last = notifications.at(-1);
    return {
      notifications,
      complete: notifications.length === rows.length && taken.length === existing.length,
      last: last && known.get(last.id),
    };
  };

  /** Threads whose snooze has ended, on top of the first page until they are read, and on no other. */
  const returnedOnTop = async (
    filter: ListFilter,
    reader: ReaderId,
    at: number,
    most: number
  ): Promise<{ thread: number; id: number }[]> => {
    if (!isThreadView(filter) || filter.q?.trim() || filter.snoozed === 'true' || filter.burst) {
      return [];
    }
    const threads = await returnedThreads(db, reader, most);
    if (threads.length === 0) {
      return [];
    }
    const unread = { ...filter, read: false };
    const narrowed = conditions(unread, threadsOf(unread), { now: at, reader });
    const { rows } = await sql<{ thread: number; id: number }>`select t.id as thread, t.head_id as id from threads t
      where ${every([inList(sql.ref('t.id'), threads), ...narrowed])}`.execute(db);
    const places = new Map(threads.map((thread, index) => [thread, index]));
    return filter.read === true ? [] : rows.sort((a, b) => places.get(a.thread)! - places.get(b.thread)!);
  };

  const addFigures = async (
    notifications: Notification[],
    { filter, reader, now: at }: SelectOptions
  ): Promise<void> => {
    const bursts = notifications.flatMap(({ thread }) => thread.burst?.id ?? []);
    const figures = await burstFigures(db, bursts, { filter, reader, now: at });
    for (const notification of notifications) {
      const { burst } = notification.thread;
      if (burst) {
        notification.thread = { ...notification.thread, burst: { ...burst, ...figures.get(burst.id) } };
      }
    }
  };

  const ignoredOf = async (id: number): Promise<IgnoredMember[] | undefined> => {
    const row = await db
      .selectFrom('notifications')
      .select(jsonMember('extra', 'ignored').as('ignored'))
      .where('id', '=', id)
      .executeTakeFirst();
    // Before the name was reserved, a sender could store anything there.
    return z.array(ignoredMemberSchema).safeParse(JSON.parse(row?.ignored ?? 'null')).data;
  };

  const alertOf = async (id: number): Promise<SourceAlert | undefined> => {
    const row = await db
      .selectFrom('notifications')
      .select(['source', 'extra'])
      .where('id', '=', id)
      .where('source', 'in', ['grafana', 'alertmanager'])
      .executeTakeFirst();
    return row && sourceAlert(row);
  };

  const unseenByCategory = () =>
    db
      .selectFrom('counts')
      .select([listedName('category').as('category'), (all) => all.fn.sum<number>('n').as('n')])
      .where('scope', '=', NOTIFICATIONS)
      .where('span', '=', EVER)
      .where('hidden', '=', 0)
      .where('muted', '=', 0)
      .where('seen', '=', 0)
      .groupBy(sql`1`)
      .having((all) => all.fn.sum('n'), '>', 0)
      .execute();

  return {
    searchable,

    async list(filter, limit, after, reader) {
      await searchable(filter);
      for (;;) {
        const at = now();
        const returned = await returnedOnTop(filter, reader, at, Math.min(Math.floor(limit / 2), RETURNED));
        const top = after ? [] : returned.map(({ id }) => id);
        const selection = { ...filter, without: returned.map(({ thread }) => thread) };
        const options = { filter: selection, reader, now: at, after, limit: limit + 1 - top.length };
        const others = (await (isCollapsed(filter) ? collapsed : matching)(db, options)).map(({ id }) => id);
        const found = [...top, ...others];
        const { notifications, complete, last } = await readWithin(found.slice(0, limit), reader);
        if (isCollapsed(filter)) {
          await addFigures(notifications, options);
        }
        const more = found.length > limit || !complete;
        // Without a last one, all that were found have been deleted since.
        if (last || found.length === 0) {
          const end = notifications.length > top.length ? last : NEWEST;
          return { notifications, next: more && last && end ? { ts: end.ts, id: end.id } : undefined };
        }
      }
    },

    async wholeText(id, text) {
      const row = await db.selectFrom('notifications').select(text).where('id', '=', id).executeTakeFirst();
      return row?.[text] ?? undefined;
    },

    byIds: async (ids, reader) => read(await rowsOf(ids, reader), reader),

    async detail(id, reader, me) {
      const [row] = await rowsOf([id], reader);
      if (!row) {
        return undefined;
      }
      const members = await db
        .selectFrom('notifications as n')
        .select('n.id')
        .where('n.thread_id', '=', row.thread_id)
        .orderBy('n.id', 'desc')
        .limit(LIMITS.threadMembers.value)
        .execute();
      const { notifications } = await readWithin(
        members.map((member) => member.id),
        reader
      );
      const ignored = await ignoredOf(id);
      // The newest alert of a thread that was resolved by hand.
      const alert = await alertOf(
        notifications.find((one) => one.id === id && isAlert(one))?.id ?? notifications.find(isAlert)?.id ?? id
      );
      const timeline = row.answered === 1 ? await timelineOf(db, row.thread_id, me) : [];
      return {
        ...(await read([row], reader))[0]!,
        ...(ignored && { ignored }),
        ...(alert && { alert }),
        ...(await deliveriesOf(db, id)),
        ...(timeline.length > 0 && { timeline }),
        members: notifications,
      };
    },

    async icon(id) {
      const row = await db.selectFrom('notifications').select('icon').where('id', '=', id).executeTakeFirst();
      return row?.icon;
    },

    async idsOfCorrelation(correlationId) {
      const rows = await db
        .selectFrom('threads as t')
        .innerJoin('notifications as n', 'n.thread_id', 't.id')
        .select((all) => all.fn.max('n.id').as('id'))
        .where('t.correlation_id', '=', correlationId)
        .groupBy('t.id')
        .execute();
      return rows.map(({ id }) => id);
    },

    origin: (query, reader) => findOrigin(db, query, async (id) => (await read(await rowsOf([id], reader), reader))[0]),

    async unseen(reader) {
      const rows = await (reader === undefined ? unseenByCategory() : unreadByCategory(db, reader));
      const { items, more } = firstItems(
        rows.toSorted((a, b) => b.n - a.n),
        ({ category }) => category
      );
      return {
        unseenCount: rows.reduce((total, { n }) => total + n, 0),
        byCategory: Object.fromEntries(items.map(({ category, n }) => [category, n])),
        ...(more > 0 && { moreCategories: more }),
      };
    },

    async newestAt() {
      const [row] = await db.selectFrom('notifications').select('ts').orderBy('id', 'desc').limit(1).execute();
      return row && isoTime(row.ts);
    },

    async facets(filter, reader) {
      await searchable(filter);
      return readFacets(db, filter, now(), reader);
    },

    async categories(reader) {
      const counted = await db
        .selectFrom('counts')
        .select([
          'category',
          sql<number>`sum(n)`.as('count'),
          sql<number>`sum(case when seen = 0 and muted = 0 then n else 0 end)`.as('unseen'),
        ])
        .where('scope', '=', NOTIFICATIONS)
        .where('span', '=', EVER)
        .where('hidden', '=', 0)
        .where(sql<boolean>`${listedName('category')} <> ''`)
        .groupBy('category')
        .having((all) => all.fn.sum('n'), '>', 0)
        .orderBy(sql`count`, 'desc')
        .limit(LIMITS.categories.value)
        .execute();
      const switches = await db.selectFrom('categories').select(['category', 'enabled', 'file']).execute();
      const all = new Map<string, Category>(
        switches.map(({ category, enabled, file }) => [
          category,
          { category, enabled: enabled === 1, count: 0, unseen: 0, ...(file !== null && { file }) },
        ])
      );
      for (const { category, count, unseen } of counted) {
        all.set(category, { category, enabled: true, ...all.get(category), count, unseen });
      }
      if (reader !== undefined) {
        const own = new Map((await unreadByCategory(db, reader)).map(({ category, n }) => [category, n]));
        all.forEach((category) => (category.unseen = own.get(category.category) ?? 0));
      }
      return [...all.values()].sort((a, b) => a.category.localeCompare(b.category));
    },
  };
}

async function unreadByCategory(db: Database, reader: number): Promise<{ category: string; n: number }[]> {
  const { rows } = await sql<{
    category: string;
    n: number;
  }>`select ${listedName('n.category')} as category, count(*) as n
    from ${unreadNotifications(reader)} own cross join notifications n where n.id = own.id group by 1`.execute(db);
  return rows;
}
