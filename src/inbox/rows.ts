/**
 * Loaded rows and their changes. Pure: every function returns a new value.
 *
 * A segment is one part (open, unread, history) of one group, newest first. Each segment is loaded from the top, so it
 * is known down to its floor: every row of it with an id of at least `floor` is here; 0 means all of them.
 * A row stays in its segment while it is on the screen, even when the state of its thread changes: reading must not move it.
 * It moves when the list is reloaded or pending arrivals are inserted.
 */
import { isRead, type Notification, unreadOf } from '@nodebell/contract/notification.ts';
import { burstOf, isReturned, threadsOf } from '../components/bursts';
import { partFor, type Part } from './filter';
import { type GroupBy, type GroupKey, groupOf } from './grouping';

export interface Segment {
  rows: readonly Notification[];
  floor: number;
}

export interface Rows {
  threads: boolean;
  groupBy: GroupBy;
  parts: readonly Part[];
  /** The lowest loaded id of the pages over all groups. */
  floors: Readonly<Partial<Record<Part, number>>>;
  /** By the value of the group. */
  segments: ReadonlyMap<string, Readonly<Partial<Record<Part, Segment>>>>;
}

/** Nothing has been loaded: every row is below this floor. */
export const UNKNOWN = Number.MAX_SAFE_INTEGER;

export function noRows(parts: readonly Part[], threads: boolean, groupBy: GroupBy = ''): Rows {
  return { threads, groupBy, parts, floors: {}, segments: new Map() };
}

/** The key of a row; stays the same when its thread receives a newer notification. */
export function keyOf(
  notification: Pick<Notification, 'id' | 'dnpName' | 'correlationId' | 'node' | 'thread'>,
  threads: boolean
): string {
  const burst = threads && burstOf(notification);
  if (burst) {
    return `burst:${burst.id}`;
  }
  return threads
    ? JSON.stringify([notification.dnpName, notification.correlationId, notification.node])
    : String(notification.id);
}

export function segmentOf(rows: Rows, group: string, part: Part): Segment {
  return rows.segments.get(group)?.[part] ?? { rows: [], floor: rows.floors[part] ?? UNKNOWN };
}

function withSegment(rows: Rows, group: string, part: Part, segment: Segment): Rows {
  const segments = new Map(rows.segments);
  segments.set(group, { ...segments.get(group), [part]: segment });
  return { ...rows, segments };
}

/** All rows, unordered. */
export function allRows(rows: Rows): Notification[] {
  return [...rows.segments.values()].flatMap((segments) => rows.parts.flatMap((part) => segments[part]?.rows ?? []));
}

/** Adds a page over all groups: the newest of one part. */
export function addFirstPage(rows: Rows, part: Part, page: readonly Notification[], limit: number): Rows {
  const floor = page.length < limit ? 0 : (page.at(-1)?.id ?? 0);
  const lists = new Map<string, Notification[]>();
  for (const notification of page) {
    const group = groupOf(notification, rows.groupBy);
    const list = lists.get(group);
    if (list) {
      list.push(notification);
    } else {
      lists.set(group, [notification]);
    }
  }
  let next: Rows = { ...rows, floors: { ...rows.floors, [part]: floor } };
  for (const [group, list] of lists) {
    next = withSegment(next, group, part, { rows: list, floor });
  }
  return next;
}

/** Adds the next page of one segment, below its floor. */
export function addPage(rows: Rows, group: string, part: Part, page: readonly Notification[], limit: number): Rows {
  const segment = segmentOf(rows, group, part);
  const known = new Set(
    rows.parts.flatMap((each) => segmentOf(rows, group, each).rows.map((row) => keyOf(row, rows.threads)))
  );
  const fresh = page.filter((row) => !known.has(keyOf(row, rows.threads)));
  const floor = page.length < limit ? 0 : (page.at(-1)?.id ?? 0);
  return withSegment(rows, group, part, { rows: [...segment.rows, ...fresh], floor });
}

/** The counts of a group. */
export interface GroupCounts extends GroupKey {
  count: number;
  open: number;
  unseen: number;
}

/** If the counts show that no rows are left below the floor, no request is needed. */
function isComplete(rows: Rows, group: GroupCounts, part: Part): boolean {
  const segment = segmentOf(rows, group.value, part);
  if (segment.floor === 0) {
    return true;
  }
  const none = (part === 'open' && group.open === 0) || (part === 'unread' && group.unseen === 0);
  return (none && segment.rows.length === 0) || countLoaded(rows, group.value) >= group.count;
}

/** Number of threads or notifications in rows, as in the counts of groups. */
export const countThreads = (rows: readonly Notification[]): number =>
  rows.reduce((sum, row) => sum + threadsOf(row), 0);

function countLoaded(rows: Rows, group: string): number {
  return rows.parts.reduce((sum, part) => sum + countThreads(segmentOf(rows, group, part).rows), 0);
}

/** The rows of a group that can be shown: down to the first gap. */
export function shownRows(rows: Rows, group: GroupCounts): Notification[] {
  const shown: Notification[] = [];
  for (const part of rows.parts) {
    shown.push(...segmentOf(rows, group.value, part).rows);
    if (!isComplete(rows, group, part)) {
      break;
    }
  }
  return shown;
}

/** The segment to load next; undefined when the group is complete. */
export function nextPage(rows: Rows, group: GroupCounts): { part: Part; untilId: number | undefined } | undefined {
  const part = rows.parts.find((each) => !isComplete(rows, group, each));
  if (!part) {
    return undefined;
  }
  const { floor } = segmentOf(rows, group.value, part);
  return { part, untilId: floor === UNKNOWN ? undefined : floor - 1 };
}

/** Maps every loaded row; unchanged ones keep their identity. */
export function mapRows(rows: Rows, change: (row: Notification) => Notification | undefined): Rows {
  let next = rows;
  for (const [group, segments] of rows.segments) {
    for (const part of rows.parts) {
      const segment = segments[part];
      const changed = segment?.rows.map(change).filter((row) => row !== undefined);
      if (
        segment &&
        changed &&
        (changed.length !== segment.rows.length || changed.some((row, index) => row !== segment.rows[index]))
      ) {
        next = withSegment(next, group, part, { ...segment, rows: changed });
      }
    }
  }
  return next;
}

/** Inserts a notification into its segment and replaces the row of its thread. */
export function insertArrival(rows: Rows, notification: Notification): Rows {
  const key = keyOf(notification, rows.threads);
  const without = mapRows(rows, (row) => (keyOf(row, rows.threads) === key ? undefined : row));
  const part = rows.threads ? partFor(notification) : 'any';
  if (!rows.parts.includes(part)) {
    return without;
  }
  const group = groupOf(notification, rows.groupBy);
  const segment = segmentOf(without, group, part);
  const place = segment.rows.findIndex((row) => row.id < notification.id && !isReturned(row.thread));
  const at = isReturned(notification.thread) ? 0 : place < 0 ? segment.rows.length : place;
  return withSegment(without, group, part, {
    ...segment,
    rows: segment.rows.toSpliced(at, 0, notification),
  });
}

/** Updates the row of a thread in place. */
export function touchThread(rows: Rows, notification: Notification): Rows {
  const key = keyOf(notification, true);
  return mapRows(rows, (row) => (keyOf(row, true) === key ? { ...row, thread: notification.thread } : row));
}

/** Marks rows as the bridge does. */
export function markRows(rows: Rows, keys: ReadonlySet<string> | 'all', read: boolean): Rows {
  return mapRows(rows, (row) => {
    if (keys !== 'all' && !keys.has(keyOf(row, rows.threads))) {
      return row;
    }
    return markRow(row, read);
  });
}

/** Marking as read also marks as seen. Marking unread only changes the user's own state, if there is one. */
export function markRow(row: Notification, read: boolean): Notification {
  const { thread } = row;
  const burst = burstOf(row);
  if (burst) {
    return { ...row, thread: { ...thread, burst: { ...burst, unread: read ? 0 : burst.count } } };
  }
  // Marking a thread unread marks only its newest member.
  const unread = read ? 0 : Math.max(1, unreadOf(thread));
  if (isRead(row) === read && unreadOf(thread) === unread) {
    return row;
  }
  return row.read === undefined
    ? { ...row, seen: read, thread: { ...thread, unseen: unread } }
    : { ...row, read, seen: read || row.seen, thread: { ...thread, unread, unseen: read ? 0 : thread.unseen } };
}

/** Takes a change back: rows that are still as `after` has them become those of `before`, which has the same rows. */
export function takeBack(rows: Rows, before: Rows, after: Rows): Rows {
  const old = allRows(before);
  const was = new Map(allRows(after).map((row, index) => [row, old[index]]));
  return mapRows(rows, (row) => was.get(row) ?? row);
}

/** Removes rows; the previous value restores them. */
export function removeRows(rows: Rows, keys: ReadonlySet<string>): Rows {
  return mapRows(rows, (row) => (keys.has(keyOf(row, rows.threads)) ? undefined : row));
}

/** Restores removed rows at their previous positions; all other rows stay as they are now. */
export function putBack(rows: Rows, before: Rows, keys: ReadonlySet<string>): Rows {
  let next = rows;
  for (const [group, segments] of before.segments) {
    for (const part of before.parts) {
      const gone = segments[part]?.rows.filter((row) => keys.has(keyOf(row, before.threads))) ?? [];
      for (const row of gone) {
        const segment = segmentOf(next, group, part);
        if (!segment.rows.some((other) => keyOf(other, rows.threads) === keyOf(row, rows.threads))) {
          const place = segment.rows.findIndex((other) => other.id < row.id);
          const at = place < 0 ? segment.rows.length : place;
          next = withSegment(next, group, part, { ...segment, rows: segment.rows.toSpliced(at, 0, row) });
        }
      }
    }
  }
  return next;
}

/**
 * Merges a reload without moving rows on the screen: rows are updated in place or removed.
 * @param since rows with a higher id arrived during the request and cannot be part of it
 * @returns the rows, and the new ones among them, oldest first, which are not inserted yet
 */
export function mergeLoad(rows: Rows, load: Rows, since = UNKNOWN): { rows: Rows; arrivals: Notification[] } {
  const fresh = new Map(allRows(load).map((row) => [keyOf(row, rows.threads), row]));
  const known = new Map(allRows(rows).map((row) => [keyOf(row, rows.threads), row.id]));
  // A row above every floor would have been in the load, so it is gone; one below may not have been part of the request.
  const reach = Math.max(0, ...load.parts.map((part) => load.floors[part] ?? UNKNOWN));
  const merged = mapRows(rows, (row) => {
    const now = fresh.get(keyOf(row, rows.threads));
    if (!now) {
      return row.id >= reach && row.id <= since ? undefined : row;
    }
    return now.id === row.id ? now : { ...row, thread: now.thread };
  });
  const arrivals = [...fresh].filter(([key, row]) => (known.get(key) ?? 0) < row.id).map(([, row]) => row);
  return { rows: merged, arrivals: arrivals.sort((a, b) => a.id - b.id) };
}
