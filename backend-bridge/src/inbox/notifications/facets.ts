/** Categories and packages under a filter, with counts: what the page's groups and menus are made of. */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { NO_NODE } from '../../../contract/notification.ts';
import type { Facets, NotificationFilter } from '../../../contract/query.ts';
import { isoTime } from '../../../contract/text.ts';
import { isListFull, type ReaderId } from '../readers/unread.ts';
import { commentedThreads } from '../responses/store.ts';
import { eachOf, inList, textMatches, withoutIndex } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import { wordsOf } from '../../platform/storage/words.ts';
import { type Cell, readCells } from './cells.ts';
import { priorityOf, rankOf } from './rows.ts';
import { type Condition, conditions, every, hidesSnoozed, isThreadView, threadsOf } from './filter.ts';
import { listedName } from './texts.ts';

/** Categories and packages under a filter. `lastId` is the highest id given out. */
export async function readFacets(
  db: Database,
  filter: NotificationFilter,
  now: number,
  reader?: ReaderId
): Promise<Facets> {
  // One look for all: the two lists leave their own filter out, so they are narrowed down here.
  const wide: NotificationFilter = { ...filter, category: undefined, dnpName: undefined };
  const { cells, exact } = await readCells(db, wide, now, reader);
  const inCategory = within(filter.category);
  const inPackage = within(filter.dnpName);
  const inNode = within(filter.node);
  const categories = group(
    cells.filter(({ dnp_name }) => inPackage(dnp_name)),
    'category'
  );
  const packages = group(
    cells.filter(({ category }) => inCategory(category)),
    'dnp_name'
  );
  const whole = [...categories].filter(([category]) => inCategory(category)).map(([, counted]) => counted);
  const [allOpen, switches, last, newest, full, nodes] = await Promise.all([
    openThreads(db, filter, now, reader),
    db.selectFrom('categories').select(['category', 'enabled']).execute(),
    lastNumber(db, 'notification'),
    newestOf(
      db,
      filter,
      [...categories.keys()].filter((category) => category !== '')
    ),
    reader !== undefined && isListFull(db, reader),
    readNodes(db),
  ]);
  const openOfPackages = allOpen.filter(({ dnp_name }) => inPackage(dnp_name));
  const open = openOfPackages.filter(({ node }) => inNode(node));
  const enabled = new Map(switches.map((row) => [row.category, row.enabled === 1]));
  const urgent = categoryItems(categories, open, { newest, enabled, wanted: filter.category });
  const named = packageItems(packages, filter.dnpName);
  return {
    total: sum(whole, 'count'),
    unseen: sum(whole, 'unseen'),
    open: open.filter(({ category }) => inCategory(category)).length,
    exact,
    ...(full && { moreUnread: true }),
    lastId: last,
    categories: urgent.items,
    ...(urgent.more > 0 && { moreCategories: urgent.more }),
    packages: named.items.sort((a, b) => (a.dnpName < b.dnpName ? -1 : 1)),
    ...(named.more > 0 && { morePackages: named.more }),
    ...(nodes.length > 0 && {
      nodes: openOfNodes(
        ['', ...nodes],
        openOfPackages.filter(({ category }) => inCategory(category))
      ),
    }),
  };
}

interface CategoryDetails {
  newest: ReadonlyMap<string, number>;
  enabled: ReadonlyMap<string, boolean>;
  wanted: readonly string[] | undefined;
}

function categoryItems(
  categories: ReadonlyMap<string, Counted>,
  open: readonly OpenThread[],
  { newest, enabled, wanted }: CategoryDetails
) {
  const openIn = groupOpen(open);
  const items = [...categories].map(([category, counted]) => {
    const threads = openIn.get(category);
    const lastTs = newest.get(category);
    return {
      category,
      ...counted,
      open: threads?.count ?? 0,
      openPriority: threads ? priorityOf(threads.priority) : null,
      lastAt: lastTs === undefined ? null : isoTime(lastTs),
      enabled: enabled.get(category) ?? true,
    };
  });
  return firstItems(items.sort(byUrgency), ({ category }) => category, wanted);
}

function packageItems(packages: ReadonlyMap<string, Counted>, wanted: readonly string[] | undefined) {
  const items = [...packages].map(([dnpName, counted]) => ({ dnpName, ...counted }));
  items.sort((a, b) => Number(b.unseen > 0) - Number(a.unseen > 0) || b.count - a.count);
  return firstItems(items, ({ dnpName }) => dnpName, wanted);
}

/**
 * Truncates items to the size of one response, in their order; a name that is too long for a list is '' and is left out.
 * @param wanted names of the query, listed first
 */
export function firstItems<T>(
  all: readonly T[],
  nameOf: (item: T) => string,
  wanted: readonly string[] = []
): { items: T[]; more: number } {
  const chosen = new Set(wanted);
  const isChosen = (item: T): boolean => chosen.has(nameOf(item));
  const kept = new Set<T>();
  let bytes = 0;
  for (const item of [...all.filter(isChosen), ...all.filter((one) => !isChosen(one))]) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (kept.size === LIMITS.facetItems.value || bytes > LIMITS.facetBytes.value) {
      break;
    }
    if (nameOf(item) !== '') {
      kept.add(item);
    }
  }
  return { items: all.filter((item) => kept.has(item)), more: all.length - kept.size };
}

/** Number of open threads in each category, and the rank of the most urgent. */
function groupOpen(open: readonly OpenThread[]): Map<string, { count: number; priority: number }> {
  const groups = new Map<string, { count: number; priority: number }>();
  for (const { category, priority } of open) {
    const group = groups.get(category);
    groups.set(category, {
      count: (group?.count ?? 0) + 1,
      priority: Math.max(group?.priority ?? 0, priority),
    });
  }
  return groups;
}

interface Counted {
  count: number;
  unseen: number;
}

const within = (values: readonly string[] | undefined) => {
  const chosen = new Set(values);
  return (value: string): boolean => chosen.size === 0 || chosen.has(value);
};

function group(cells: Cell[], by: 'category' | 'dnp_name'): Map<string, Counted> {
  const groups = new Map<string, Counted>();
  for (const cell of cells) {
    const counted = groups.get(cell[by]) ?? { count: 0, unseen: 0 };
    counted.count += cell.count;
    counted.unseen += cell.unseen;
    groups.set(cell[by], counted);
  }
  return groups;
}

const sum = (all: Counted[], what: keyof Counted): number => all.reduce((total, one) => total + one[what], 0);

/** Open critical first, then open, then with unseen, then the newest. */
function byUrgency(a: Facets['categories'][number], b: Facets['categories'][number]): number {
  const rank = (one: Facets['categories'][number]): number =>
    one.openPriority === null ? -1 : rankOf(one.openPriority);
  return (
    rank(b) - rank(a) ||
    Number(b.unseen > 0) - Number(a.unseen > 0) ||
    (b.lastAt ?? '').localeCompare(a.lastAt ?? '') ||
    a.category.localeCompare(b.category)
  );
}

/** All nodes, by name: one look at the index for each. */
export async function readNodes(db: Database): Promise<string[]> {
  const after = (name: RawBuilder<unknown>) =>
    sql`(select min(t.node) from threads t where t.node <> '' and t.head_id is not null and t.node > ${name})`;
  const { rows } = await sql<{ node: string }>`with recursive found(node) as (
      select ${after(sql`''`)} union all select ${after(sql`found.node`)} from found where found.node is not null)
    select node from found where node is not null limit ${LIMITS.nodes.value}`.execute(db);
  return rows.map(({ node }) => node);
}

function openOfNodes(nodes: readonly string[], open: readonly OpenThread[]): NonNullable<Facets['nodes']> {
  const counts = new Map(nodes.map((node) => [node, 0]));
  open.forEach(({ node }) => counts.set(node, (counts.get(node) ?? 0) + 1));
  return nodes.map((node) => ({ node: node || NO_NODE, open: counts.get(node)! }));
}

interface OpenThread {
  category: string;
  dnp_name: string;
  node: string;
  priority: number;
}

/** Open threads: few, so they are read, from their index; stale ones are left out. */
async function openThreads(
  db: Database,
  filter: NotificationFilter,
  now: number,
  reader: ReaderId
): Promise<OpenThread[]> {
  const resolved = filter.status?.length === 1 && filter.status[0] === 'resolved';
  if (filter.open === false || filter.errors === 'only' || filter.muted === 'true' || resolved) {
    return [];
  }
  const open: NotificationFilter = {
    ...filter,
    ...{ open: true, category: undefined, dnpName: undefined, node: undefined },
    snoozed: hidesSnoozed(filter) ? 'false' : (filter.snoozed ?? 'all'),
  };
  const narrowed = [...conditions(open, threadsOf(open), { now, reader }), ...(await textConditions(db, filter))];
  // Counted by the caller: to a planner that has to group, an index in the order of the groups looks better than the one of
  // the few.
  const { rows } =
    await sql<OpenThread>`select ${listedName('t.category')} as category, ${listedName('t.dnp_name')} as dnp_name, t.node, t.priority from threads t where ${every(narrowed)}`.execute(
      db
    );
  return rows;
}

/** Text or comments of open threads. */
async function textConditions(db: Database, { q = '' }: NotificationFilter): Promise<Condition[]> {
  const words = wordsOf(q);
  if (words.length === 0) {
    return q.trim() === '' ? [] : [sql<boolean>`1 = 0`];
  }
  const commented = inList(withoutIndex('t.id'), await commentedThreads(db, words));
  return [sql<boolean>`(${textMatches('t.head_id', words)} or ${commented})`];
}

async function newestOf(db: Database, filter: NotificationFilter, categories: string[]): Promise<Map<string, number>> {
  if (categories.length === 0) {
    return new Map();
  }
  const shown = isThreadView(filter)
    ? sql`(select max(head_ts) from threads where category = value and head_id is not null)`
    : sql`(select max(ts) from notifications where category = value and muted = 0 and hidden = 0)`;
  const { rows } = await sql<{ category: string; ts: number | null }>`
    select value as category, ${shown} as ts from ${eachOf(categories)}`.execute(db);
  return new Map(rows.flatMap(({ category, ts }) => (ts === null ? [] : [[category, ts] as const])));
}
