/** The flat list that is rendered: headers, rows and placeholders for rows that are not loaded. Pure. */
import { type Notification, isRead, unreadOf } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { countThreads, keyOf, nextPage, shownRows, type Rows } from './rows';

export type Group = Facets['categories'][number];

export type Item =
  | { type: 'header'; key: string; group: Group; folded: boolean }
  | { type: 'row'; key: string; group: Group; notification: Notification; position: number }
  | { type: 'loading'; key: string; group: Group }
  | { type: 'more'; key: string; group: Group; next: number; left: number };

/** Rows of a group before "Show more"; open threads are shown up to the second number. */
export const FIRST_ROWS = 10;
const MOST_OPEN_ROWS = 50;
export const MORE_ROWS = 50;

export const HEIGHTS: Record<Item['type'], number> = { header: 40, row: 84, loading: 84, more: 44 };

/** The number of rows that a group shows initially. */
export function firstRows(group: Group, alone: boolean): number {
  return alone ? MORE_ROWS : Math.max(FIRST_ROWS, Math.min(group.open, MOST_OPEN_ROWS));
}

interface Options {
  groups: readonly Group[];
  rows: Rows;
  folded: ReadonlySet<string>;
  /** Rows to show by category, after Show more. */
  wanted: ReadonlyMap<string, number>;
  /** Whether the counts are exact. A search may stop counting early. */
  exact: boolean;
}

export function flatten({ groups, rows, folded, wanted, exact }: Options): Item[] {
  const items: Item[] = [];
  for (const group of groups) {
    const isFolded = folded.has(group.category);
    items.push({ type: 'header', key: `header:${group.category}`, group, folded: isFolded });
    if (!isFolded) {
      const counted = exact ? group : { ...group, count: Infinity };
      pushRows(items, {
        group,
        counted,
        rows,
        wanted: wanted.get(group.category) ?? firstRows(group, groups.length === 1),
      });
    }
  }
  return items;
}

interface GroupRows {
  group: Group;
  /** The group for computing the remaining rows; its count may be unknown. */
  counted: Group;
  rows: Rows;
  wanted: number;
}

function pushRows(items: Item[], { group, counted, rows, wanted }: GroupRows) {
  const loaded = shownRows(rows, counted);
  const missing = nextPage(rows, counted) !== undefined;
  loaded.slice(0, wanted).forEach((notification, index) => {
    items.push({ type: 'row', key: keyOf(notification, rows.threads), group, notification, position: index + 1 });
  });
  if (loaded.length < wanted && missing) {
    const expected = Math.max(1, Math.min(wanted, group.count) - loaded.length);
    for (let index = 0; index < Math.min(expected, FIRST_ROWS); index += 1) {
      items.push({ type: 'loading', key: `loading:${group.category}:${index}`, group });
    }
  } else if (loaded.length > wanted || missing) {
    const left = Math.max(1, Math.max(group.count, countThreads(loaded)) - countThreads(loaded.slice(0, wanted)));
    items.push({ type: 'more', key: `more:${group.category}`, group, next: Math.min(left, MORE_ROWS), left });
  }
}

/** Visible groups with rows that are not loaded. */
export function hungryGroups(items: readonly Item[]): Group[] {
  return [
    ...new Map(
      items.filter((item) => item.type === 'loading').map((item) => [item.group.category, item.group])
    ).values(),
  ];
}

const RANK = { low: 1, medium: 2, high: 3, critical: 4 } as const;

/** The bridge's order of groups: open by priority, then unread, then newest. */
function compareGroups(a: Group, b: Group): number {
  const open = (group: Group) => (group.open > 0 && group.openPriority ? RANK[group.openPriority] : 0);
  return (
    open(b) - open(a) || Number(b.unseen > 0) - Number(a.unseen > 0) || (b.lastAt ?? '').localeCompare(a.lastAt ?? '')
  );
}

/** All groups, including those whose rows no longer match but are still on the screen. */
export function withLeftovers(groups: readonly Group[], rows: Rows): Group[] {
  const counted = new Set(groups.map((group) => group.category));
  const leftovers = [...rows.segments].flatMap(([category, segments]) => {
    const left = rows.parts.flatMap((part) => segments[part]?.rows ?? []);
    return counted.has(category) || !left[0]
      ? []
      : [
          {
            category,
            count: left.length,
            unseen: 0,
            open: 0,
            openPriority: null,
            lastAt: left[0].timestamp,
            enabled: true,
          },
        ];
  });
  return [...groups, ...leftovers];
}

/**
 * Groups in a stable order while the user reads.
 * @param order the order on the screen; groups that it lacks come last
 */
export function holdOrder(groups: readonly Group[], order: readonly string[]): Group[] {
  const place = new Map(order.map((category, index) => [category, index]));
  const last = order.length;
  return groups.toSorted((a, b) => (place.get(a.category) ?? last) - (place.get(b.category) ?? last));
}

/** The counts that one notification adds. */
interface Added {
  count: number;
  unseen: number;
  open: number;
}

function added(notification: Notification, threads: boolean): Added {
  const { thread, timestamp } = notification;
  const opened = thread.state === 'open' && thread.openedAt === timestamp;
  const isNew = !threads || thread.count <= 1;
  const unread = !isRead(notification) && (!threads || unreadOf(thread) === 1);
  return { count: Number(isNew), unseen: Number(unread), open: Number(opened) };
}

const NO_GROUP = { count: 0, unseen: 0, open: 0, openPriority: null, enabled: true } as const;

/** @param threads whether threads are counted, or notifications */
export function countArrival(facets: Facets, notification: Notification, threads: boolean): Facets {
  const add = added(notification, threads);
  const { category, priority, timestamp } = notification;
  const old = facets.categories.find((group) => group.category === category);
  const before = old ?? NO_GROUP;
  const louder = add.open > 0 && (!before.openPriority || RANK[priority] > RANK[before.openPriority]);
  const group: Group = {
    category,
    count: before.count + add.count,
    unseen: before.unseen + add.unseen,
    open: before.open + add.open,
    openPriority: louder ? priority : before.openPriority,
    lastAt: timestamp,
    enabled: before.enabled,
  };
  return {
    ...facets,
    total: facets.total + add.count,
    unseen: facets.unseen + add.unseen,
    open: facets.open + add.open,
    lastId: Math.max(facets.lastId, notification.id),
    categories: [...facets.categories.filter((each) => each !== old), group].sort(compareGroups),
  };
}
