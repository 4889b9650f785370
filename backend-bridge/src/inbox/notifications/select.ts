/**
 * Selects notifications by a filter: single notifications (`n`), or threads (`t`), each shown by its newest member. Both return the
 * newest first, page by page from a key, never by offset.
 */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { unreadNotifications, unreadThreads } from '../readers/unread.ts';
import { commentedThreads } from '../responses/store.ts';
import { aliasByIndex, eachOf, inList, likely, textSearch, withoutIndex } from '../../platform/storage/bulk.ts';
import { type Database, engineOf, numberOf } from '../../platform/storage/engine.ts';
import { wordsOf } from '../../platform/storage/words.ts';
import {
  type Condition,
  conditions,
  every,
  isFewThreads,
  isThreadView,
  NOTIFICATIONS,
  type Selection,
  threadsOf,
  type View,
  type Viewer,
  viewOf,
} from './filter.ts';

/** The last row of a page: the next page starts after it. For a search only the id counts. */
export interface PageKey {
  ts: number;
  id: number;
}

export interface SelectOptions extends Viewer {
  filter: Selection;
  after?: PageKey | undefined;
  limit: number;
}

/** Where matching rows are read from: tables with their joins, and the order in which an index gives them. */
interface Source {
  from: RawBuilder<unknown>;
  /** Joins of `from`. A cross join keeps the order in which it is written in SQLite, whose planner would guess. */
  on?: Condition;
  filter: Selection;
  view: View;
  /** Order, newest first: by time, then by id. Without a time: by id. */
  ts?: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  /** No index shall give the order. */
  isSorted?: boolean;
  /** Rows of these label sets, of each by its index: in the order of all they are rare. */
  sets?: readonly number[];
}

/** The newest that match (of a thread: its newest shown member). */
export const matching = (db: Database, options: SelectOptions): Promise<PageKey[]> =>
  matchingRows(db, options, () => []);

/**
 * The newest that match, with more columns of each.
 * @param columns of a view; `isUnread`: all rows are unread for the reader
 */
export async function matchingRows<T extends object>(
  db: Database,
  options: SelectOptions,
  columns: (view: View, isUnread: boolean) => RawBuilder<unknown>[]
): Promise<(PageKey & T)[]> {
  const own = isOfOwnList(options);
  const sources = own ? [ownList(options)] : await sourcesOf(db, options);
  const parts = await Promise.all(
    sources.map(async (source) => {
      if (source.sets && options.limit <= MOST_SORTED) {
        return (await keysOfSets(db, source, options)) as (PageKey & T)[];
      }
      const selected = columns(source.view, own);
      const query = source.sets ? anyOfSets(source, options, selected) : queryOf(source, options, selected);
      return (await query.execute(db)).rows as (PageKey & T)[];
    })
  );
  if (parts.length <= 1) {
    return parts[0] ?? [];
  }
  const all = new Map(parts.flat().map((row) => [row.id, row]));
  return [...all.values()].sort((a, b) => b.id - a.id).slice(0, options.limit);
}

const selectedKey = (view: View) => [sql`${sql.ref(view.ts!)} as ts`, sql`${sql.ref(view.id!)} as id`];

function queryOf(source: Source, options: SelectOptions, columns: RawBuilder<unknown>[]) {
  const { from, limit, order, where } = partsOf(source, options);
  const selected = [...selectedKey(source.view), ...columns];
  return sql<PageKey>`select ${sql.join(selected)} from ${from} where ${every(where)} order by ${order} limit ${limit}`;
}

function partsOf(source: Source, { after, limit, ...viewer }: SelectOptions) {
  const { from, on, filter, view, ts, id, isSorted } = source;
  const later = ts ? sql<boolean>`(${ts}, ${id}) < (${after?.ts}, ${after?.id})` : sql<boolean>`${id} < ${after?.id}`;
  const where = [...(on ? [on] : []), ...conditions(filter, view, viewer), ...(after ? [later] : [])];
  const order = sql`${ts ? sql`${ts} desc, ` : sql``}${id}${isSorted ? sql` + 0` : sql``} desc`;
  return { from, limit, order, where };
}

const ofEachSet = ({ labelSet }: View) =>
  sql<boolean>`${sql.ref(labelSet!)} = each.value and ${sql.ref(labelSet!)} > 0`;

/** The newest rows of each set: keys only, which the index of labels has. */
async function newestOfSets(
  db: Database,
  source: Source,
  options: SelectOptions,
  sets: readonly number[],
  most: number
) {
  const { from, order, where } = partsOf(source, options);
  const of = sql`select ${sql.join(selectedKey(source.view))} from ${from}
    where ${every([ofEachSet(source.view), ...where])} order by ${order} limit ${sql.lit(most)}`;
  const { rows } = await sql<{ value: number; keys: string | null }>`select value,
      (select string_agg(newest.ts || ' ' || newest.id, ',') from (${of}) as newest) as keys
    from ${eachOf(sets)}`.execute(db);
  return rows.flatMap(({ value, keys }) =>
    (keys?.split(',') ?? []).map((key) => {
      const [ts, id] = key.split(' ').map(Number);
      return { set: value, ts: ts!, id: id! };
    })
  );
}

/** A page of rows of these sets. As many sets as it has rows can have one, those with the newest. */
async function keysOfSets(db: Database, source: Source, options: SelectOptions): Promise<PageKey[]> {
  const { sets = [] } = source;
  const { limit } = options;
  const newest = (rows: Awaited<ReturnType<typeof newestOfSets>>) =>
    rows.sort((a, b) => b.ts - a.ts || b.id - a.id).slice(0, limit);
  const few =
    sets.length <= limit ? sets : newest(await newestOfSets(db, source, options, sets, 1)).map(({ set }) => set);
  return newest(await newestOfSets(db, source, options, few, limit)).map(({ ts, id }) => ({ ts, id }));
}

/** Selects more rows than a page, in any order: they are only counted, and rows of several label sets would have to be sorted. */
function anyOfSets(source: Source, options: SelectOptions, columns: RawBuilder<unknown>[]) {
  const { view } = source;
  const { limit, where } = partsOf(source, options);
  const selected = sql.join([...selectedKey(view), ...columns]);
  const tables = view === NOTIFICATIONS ? sql`notifications n cross join threads t` : sql`threads t`;
  const joined = view === NOTIFICATIONS ? sql<boolean>`t.id = n.thread_id` : sql<boolean>`1 = 1`;
  return sql<PageKey>`select ${selected} from ${eachOf(source.sets ?? [])} cross join ${tables}
    where ${every([ofEachSet(view), joined, ...where])} limit ${limit}`;
}

const MOST_SORTED = LIMITS.listRows.value + 1;

/**
 * Whether only rows in a reader's list can match: the list is short, so it is read and sorted, while the
 * order of all could be walked for long before something unread comes.
 */
function isOfOwnList(options: SelectOptions): options is SelectOptions & { reader: number } {
  const { read, q, errors = 'hidden', muted, isBanner } = options.filter;
  const shownOnly = errors === 'hidden' && (muted === 'false' || (muted === undefined && isBanner !== true));
  return options.reader !== undefined && read === false && !q?.trim() && (shownOnly || isThreadView(options.filter));
}

function ownList({ filter: { read: _read, ...filter }, reader }: SelectOptions & { reader: number }): Source {
  const view = viewOf(filter);
  return isThreadView(filter)
    ? {
        from: sql`${unreadThreads(reader)} own cross join threads t`,
        on: sql<boolean>`t.id = own.thread_id`,
        filter,
        view,
        ts: sql`t.head_ts`,
        id: sql`t.head_id`,
      }
    : {
        from: sql`${unreadNotifications(reader)} own cross join notifications n cross join threads t`,
        on: sql<boolean>`n.id = own.id and t.id = n.thread_id`,
        filter,
        view,
        ts: sql`n.ts`,
        id: sql`n.id`,
      };
}

async function sourcesOf(db: Database, { filter }: SelectOptions): Promise<Source[]> {
  const view = viewOf(filter);
  const words = wordsOf(filter.q ?? '');
  if (words.length > 0) {
    return searched(db, filter, words);
  }
  if (filter.q?.trim()) {
    // A text without a word to search for matches nothing, rather than everything.
    return [];
  }
  if (isThreadView(filter)) {
    // Few threads are looked through as a whole, in an index of their own: among all threads in order they may be rare.
    const ts = isFewThreads(filter) ? withoutIndex('t.head_ts') : sql`t.head_ts`;
    return byLabels(db, { from: sql`threads t`, filter, view, ts, id: sql`t.head_id` });
  }
  const index = rareIndex(filter);
  const notifications = index === undefined ? sql`n` : aliasByIndex('n', index);
  const from = sql`notifications as ${notifications} inner join threads as t on t.id = n.thread_id`;
  return byLabels(db, { from, filter, view, ts: sql`n.ts`, id: sql`n.id` });
}

/** Newest rows to probe, and how many of them must have one of the label sets so that walking through them finds a page soon. */
const PROBED = 300;
const COMMON = 15;

async function byLabels(db: Database, source: Source): Promise<Source[]> {
  const { labelSets, ...filter } = source.filter;
  if (labelSets === undefined || labelSets.isExcluded || isFewThreads(filter)) {
    return [source];
  }
  const { ids } = labelSets;
  const newest = isThreadView(filter)
    ? sql`select label_set from threads where head_id is not null order by head_ts desc, head_id desc limit ${sql.lit(PROBED)}`
    : sql`select label_set from notifications order by id desc limit ${sql.lit(PROBED)}`;
  const having = sql`select count(*) as n from (${newest}) as newest where ${inList('label_set', ids)}`;
  if ((await numberOf(db, having)) >= COMMON) {
    return [source];
  }
  if (ids.length === 0) {
    return [];
  }
  const { burst, correlationId, without } = filter;
  const ofThread = burst !== undefined || correlationId?.length || without?.length;
  const from = isThreadView(filter) || ofThread ? source.from : sql`notifications n`;
  return [{ ...source, from, filter: { ...filter, matchers: undefined }, sets: ids }];
}

/** In the order of the search index, and threads with a comment that matches, which are few. */
async function searched(db: Database, filter: Selection, words: readonly string[]): Promise<Source[]> {
  const threads = isThreadView(filter);
  const joined = sql<boolean>`n.id = found.found_id and t.id = n.thread_id`;
  const found: Source = {
    from: sql`${textSearch(words)} as found cross join notifications n cross join threads t`,
    on: threads ? sql<boolean>`${joined} and ${likely(sql`t.head_id = n.id`)}` : joined,
    filter,
    view: threads ? threadsOf(filter) : NOTIFICATIONS,
    id: sql`found.found_id`,
    isSorted: (await engineOf(db).isRareText?.(db, words)) === true,
  };
  const commented = await commentedThreads(db, words);
  const ofComments: Source = {
    from: sql`threads t cross join notifications n`,
    on: sql<boolean>`${inList('t.id', commented)} and n.id = t.head_id`,
    filter,
    view: found.view,
    id: sql`n.id`,
  };
  return commented.length > 0 ? [found, ofComments] : [found];
}

/**
 * Index of rare values. It has to be named for SQLite: the planner does not know how rare they are, and would walk through all rows in
 * order.
 */
function rareIndex({ muted, errors, correlationId }: Selection): string | undefined {
  if (correlationId?.length) {
    return undefined;
  }
  return muted === 'true' ? 'notifications_muted' : errors === 'only' ? 'notifications_hidden' : undefined;
}
