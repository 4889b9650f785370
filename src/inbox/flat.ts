/** The one flat list that is drawn: headers, rows, and what stands for rows that are not loaded. Pure. */
import type { Notification } from '@nodebell/contract/notification.ts';
import type { Facets } from '@nodebell/contract/query.ts';
import { keyOf, nextPage, shownRows, type Rows } from './rows';

export type Group = Facets['categories'][number];

export type Item =
  | { type: 'header'; key: string; group: Group; folded: boolean }
  | { type: 'row'; key: string; group: Group; notification: Notification; position: number }
  | { type: 'loading'; key: string; group: Group }
  | { type: 'more'; key: string; group: Group; next: number; left: number };

/** Rows that a group shows before "Show more"; open ones are shown up to the second number. */
export const FIRST_ROWS = 10;
export const MOST_OPEN_ROWS = 50;
export const MORE_ROWS = 50;

export const HEIGHTS: Record<Item['type'], number> = { header: 40, row: 84, loading: 84, more: 44 };

/** How many rows a group shows when nobody has asked for more. */
export function firstRows(group: Group, alone: boolean): number {
  return alone ? MORE_ROWS : Math.max(FIRST_ROWS, Math.min(group.open, MOST_OPEN_ROWS));
}

interface Options {
  groups: readonly Group[];
  rows: Rows;
  folded: ReadonlySet<string>;
  /** Rows to show by category, where somebody asked for more. */
  wanted: ReadonlyMap<string, number>;
  /** Whether the counts of the groups are the truth, or only what a search got to count. */
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
  /** The group for asking what is left: its count may be unknown. */
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
    const left = Math.max(1, Math.max(group.count, loaded.length) - Math.min(loaded.length, wanted));
    items.push({ type: 'more', key: `more:${group.category}`, group, next: Math.min(left, MORE_ROWS), left });
  }
}

/** Groups that are in sight and lack rows that they should show. */
export function hungryGroups(items: readonly Item[]): Group[] {
  return [
    ...new Map(
      items.filter((item) => item.type === 'loading').map((item) => [item.group.category, item.group])
    ).values(),
  ];
}

export const RANK = { low: 1, medium: 2, high: 3, critical: 4 } as const;

/** The order that the bridge gives groups: open ones first by priority, then with unread, then the newest. */
export function compareGroups(a: Group, b: Group): number {
  const open = (group: Group) => (group.open > 0 && group.openPriority ? RANK[group.openPriority] : 0);
  return (
    open(b) - open(a) || Number(b.unseen > 0) - Number(a.unseen > 0) || (b.lastAt ?? '').localeCompare(a.lastAt ?? '')
  );
}

/** The groups that are counted, and those whose last rows are still on the screen although they no longer match. */
export function withLeftovers(groups: readonly Group[], rows: Rows): Group[] {
  const counted = new Set(groups.map((group) => group.category));
  const leftovers = [...rows.shelves].flatMap(([category, shelves]) => {
    const left = rows.parts.flatMap((part) => shelves[part]?.rows ?? []);
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
 * Groups in an order that holds still while somebody reads.
 * @param order the order on the screen; groups that it lacks come last
 */
export function holdOrder(groups: readonly Group[], order: readonly string[]): Group[] {
  const place = new Map(order.map((category, index) => [category, index]));
  const last = order.length;
  return groups.toSorted((a, b) => (place.get(a.category) ?? last) - (place.get(b.category) ?? last));
}
