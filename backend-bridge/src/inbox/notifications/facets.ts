/** Categories and packages under a filter, with counts: what the page's groups and menus are made of. */
import { type RawBuilder, sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { NO_NODE } from '../../../contract/notification.ts';
import type { Facets, FacetsFilter, NotificationFilter } from '../../../contract/query.ts';
import { isoTime } from '../../../contract/text.ts';
import { isListFull, type ReaderId } from '../readers/unread.ts';
import { commentedThreads } from '../responses/store.ts';
import { eachOf, inList, textMatches, withoutIndex } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import { wordsOf } from '../../platform/storage/words.ts';
import { type Cell, readCells } from './cells.ts';
import { type Condition, conditions, every, hidesSnoozed, isThreadView, threadsOf } from './filter.ts';
import { byUrgency, type Counted, firstItems, type OpenThread, withOpen } from './groups.ts';
import { readLabelGroups } from './labelGroups.ts';
import { listedName } from './texts.ts';

/** Categories, packages and values of a label under a filter. `lastId` is the highest id given out. */
export async function readFacets(
  db: Database,
  { groupBy, ...filter }: FacetsFilter,
  now: number,
  reader?: ReaderId
): Promise<Facets> {
  // One look for all: the two lists leave their own filter out, so they are narrowed down here.
  const wide: NotificationFilter = { ...filter, category: undefined, dnpName: undefined };
  const { cells, exact } = await readCells(db, wide, now, reader);
  const isChosen = within(filter.category);
  const inCategory = ({ category }: { category: string }): boolean => isChosen(category);
  const inPackage = within(filter.dnpName);
  const inNode = within(filter.node);
  const categories = group(
    cells.filter(({ dnp_name }) => inPackage(dnp_name)),
    'category'
  );
  const packages = group(cells.filter(inCategory), 'dnp_name');
  const counts = [...categories].filter(([category]) => isChosen(category)).map(([, counted]) => counted);
  const whole = { count: sum(counts, 'count'), unseen: sum(counts, 'unseen') };
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
  const matching = open.filter(inCategory);
  const labels = { filter, name: groupBy, whole, open: matching, now, reader };
  const { exact: isWhole, ...groups } = await readLabelGroups(db, labels);
  const urgent = categoryItems(categories, open, { newest, enabled, wanted: filter.category });
  const named = packageItems(packages, filter.dnpName);
  return {
    total: whole.count,
    unseen: whole.unseen,
    open: matching.length,
    exact: exact && isWhole,
    ...(full && { moreUnread: true }),
    lastId: last,
    categories: urgent.items,
    ...(urgent.more > 0 && { moreCategories: urgent.more }),
    ...groups,
    packages: named.items.sort((a, b) => (a.dnpName < b.dnpName ? -1 : 1)),
    ...(named.more > 0 && { morePackages: named.more }),
    ...(nodes.length > 0 && {
      nodes: openOfNodes(['', ...nodes], openOfPackages.filter(inCategory)),
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
  const items = withOpen(categories, open, ({ category }) => category).map(([category, group]) => {
    const lastTs = newest.get(category);
    const lastAt = lastTs === undefined ? null : isoTime(lastTs);
    return { category, ...group, lastAt, enabled: enabled.get(category) ?? true };
  });
  items.sort(
    (a, b) => byUrgency(a, b) || (b.lastAt ?? '').localeCompare(a.lastAt ?? '') || a.category.localeCompare(b.category)
  );
  return firstItems(items, ({ category }) => category, wanted);
}

function packageItems(packages: ReadonlyMap<string, Counted>, wanted: readonly string[] | undefined) {
  const items = [...packages].map(([dnpName, counted]) => ({ dnpName, ...counted }));
  items.sort((a, b) => Number(b.unseen > 0) - Number(a.unseen > 0) || b.count - a.count);
  return firstItems(items, ({ dnpName }) => dnpName, wanted);
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
    await sql<OpenThread>`select ${listedName('t.category')} as category, ${listedName('t.dnp_name')} as dnp_name, t.node, t.priority, t.label_set from threads t where ${every(narrowed)}`.execute(
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
