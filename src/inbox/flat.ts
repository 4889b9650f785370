/** The flat list that is rendered: headers, rows and placeholders for rows that are not loaded. Pure. */
import { type Notification, isRead, unreadOf } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { type Group, type GroupBy, groupOf } from './grouping';
import { countThreads, keyOf, nextPage, shownRows, type Rows } from './rows';

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
  /** Rows to show by group, after Show more. */
  wanted: ReadonlyMap<string, number>;
  /** Whether the counts are exact. A search may stop counting early. */
  exact: boolean;
}

export function flatten({ groups, rows, folded, wanted, exact }: Options): Item[] {
  const items: Item[] = [];
  for (const group of groups) {
    const isFolded = folded.has(group.value);
    items.push({ type: 'header', key: `header:${group.value}`, group, folded: isFolded });
    if (!isFolded) {
      const counted = exact ? group : { ...group, count: Infinity };
      pushRows(items, {
        group,
        counted,
        rows,
        wanted: wanted.get(group.value) ?? firstRows(group, groups.length === 1),
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
      items.push({ type: 'loading', key: `loading:${group.value}:${index}`, group });
    }
  } else if (loaded.length > wanted || missing) {
    const left = Math.max(1, Math.max(group.count, countThreads(loaded)) - countThreads(loaded.slice(0, wanted)));
    items.push({ type: 'more', key: `more:${group.value}`, group, next: Math.min(left, MORE_ROWS), left });
  }
}

/** Visible groups with rows that are not loaded. */
export function hungryGroups(items: readonly Item[]): Group[] {
  return [
    ...new Map(items.filter((item) => item.type === 'loading').map((item) => [item.group.value, item.group])).values(),
  ];
}

const RANK = { low: 1, medium: 2, high: 3, critical: 4 } as const;

/** The bridge's order of groups: open by priority, then unread, then newest. */
function compareGroups(a: Counts & { lastAt?: string | null }, b: typeof a): number {
  const open = (group: Counts) => (group.open > 0 && group.openPriority ? RANK[group.openPriority] : 0);
  return (
    open(b) - open(a) || Number(b.unseen > 0) - Number(a.unseen > 0) || (b.lastAt ?? '').localeCompare(a.lastAt ?? '')
  );
}

/** All groups, including those whose rows no longer match but are still on the screen. */
export function withLeftovers(groups: readonly Group[], rows: Rows): Group[] {
  const counted = new Set(groups.map((group) => group.value));
  const leftovers = [...rows.segments].flatMap(([value, segments]) => {
    const left = rows.parts.flatMap((part) => segments[part]?.rows ?? []);
    return counted.has(value) || !left[0]
      ? []
      : [
          {
            by: rows.groupBy,
            value,
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
  const place = new Map(order.map((value, index) => [value, index]));
  const last = order.length;
  return groups.toSorted((a, b) => (place.get(a.value) ?? last) - (place.get(b.value) ?? last));
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

type Counts = Pick<Group, 'count' | 'unseen' | 'open' | 'openPriority'>;

const NONE: Counts = { count: 0, unseen: 0, open: 0, openPriority: null };

/**
 * @param threads whether threads are counted, or notifications
 * @param groupBy the label whose values `facets` has
 */
export function countArrival(
  facets: Facets,
  notification: Notification,
  threads: boolean,
  groupBy: GroupBy = ''
): Facets {
  const add = added(notification, threads);
  const { category, priority, timestamp: lastAt } = notification;
  const value = groupOf(notification, groupBy);
  const plus = ({ count, unseen, open, openPriority }: Counts): Counts => {
    const isLouder = add.open > 0 && (!openPriority || RANK[priority] > RANK[openPriority]);
    const sums = { count: count + add.count, unseen: unseen + add.unseen, open: open + add.open };
    return { ...sums, openPriority: isLouder ? priority : openPriority };
  };
  const known = facets.categories.find((each) => each.category === category);
  const group = facets.groups?.find((each) => each.value === value);
  return {
    ...facets,
    total: facets.total + add.count,
    unseen: facets.unseen + add.unseen,
    open: facets.open + add.open,
    lastId: Math.max(facets.lastId, notification.id),
    categories: [
      ...facets.categories.filter((each) => each.category !== category),
      { category, ...plus(known ?? NONE), lastAt, enabled: known?.enabled ?? true },
    ].sort(compareGroups),
    ...(facets.groups && {
      groups: [...facets.groups.filter((each) => each !== group), { value, ...plus(group ?? NONE) }].sort(
        (a, b) => compareGroups(a, b) || a.value.localeCompare(b.value)
      ),
    }),
  };
}
