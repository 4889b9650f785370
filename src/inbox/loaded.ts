/** The loaded and pending rows of a view, and how events change them. Pure. */
import type { Notification } from '@nodebell/contract/notification.ts';
import { asBurstRow, burstOf } from '../components/bursts';
import { allRows, insertArrival, keyOf, mapRows, markRow, mergeLoad, touchThread, type Rows } from './rows';

export interface Loaded {
  rows: Rows;
  /** Pending arrivals that are not shown yet: newest first, one for each row. */
  waiting: readonly Notification[];
  /** The highest id that this view has received. */
  lastId: number;
  /** Increases when the list is sorted again. */
  epoch: number;
}

export function firstLoad(rows: Rows): Loaded {
  return { rows, waiting: [], lastId: Math.max(0, ...allRows(rows).map((row) => row.id)), epoch: 0 };
}

/** Adds a pending arrival and removes an older one of the same row. */
export function wait(loaded: Loaded, notification: Notification): Loaded {
  const key = keyOf(notification, loaded.rows.threads);
  const others = loaded.waiting.filter((each) => keyOf(each, loaded.rows.threads) !== key);
  const newer = loaded.waiting.find((each) => keyOf(each, loaded.rows.threads) === key && each.id >= notification.id);
  const waiting = newer ? loaded.waiting : [notification, ...others];
  return { ...loaded, waiting, lastId: Math.max(loaded.lastId, notification.id) };
}

/** Inserts all pending arrivals. */
export function letIn(loaded: Loaded): Loaded {
  if (loaded.waiting.length === 0) {
    return loaded;
  }
  const rows = loaded.waiting.toReversed().reduce(insertArrival, loaded.rows);
  return { ...loaded, rows, waiting: [], epoch: loaded.epoch + 1 };
}

/**
 * Handles an arrival: updates its thread in place and adds it to the pending ones when it matches the view.
 * @param collapses whether the threads of a burst are one row
 */
export function arrive(loaded: Loaded, arrival: Notification, belongs: boolean, collapses = false): Loaded {
  const notification = collapses ? asBurstRow(arrival, burstRowOf(loaded, arrival)) : arrival;
  if (notification.id <= loaded.lastId && allRows(loaded.rows).some((row) => row.id === notification.id)) {
    return loaded; // already loaded before its event was received
  }
  const rows = loaded.rows.threads && !notification.muted ? touchThread(loaded.rows, notification) : loaded.rows;
  return belongs ? wait({ ...loaded, rows }, notification) : { ...loaded, rows };
}

/** The row of its burst, the pending one first. */
function burstRowOf({ rows, waiting }: Loaded, { thread: { burst } }: Notification): Notification | undefined {
  const isRow = (row: Notification) => burst !== undefined && burstOf(row)?.id === burst.id;
  return burst && (waiting.find(isRow) ?? allRows(rows).find(isRow));
}

/**
 * Handles a reload: new rows are pending, except restored ones.
 * @param since the highest id that was known when the reload was requested
 */
export function reload(loaded: Loaded, load: Rows, since: number): Loaded {
  const { rows, arrivals } = mergeLoad(loaded.rows, load, since);
  const back = arrivals.filter(
    (arrival) => arrival.id <= loaded.lastId && !loaded.waiting.some((each) => each.id === arrival.id)
  );
  const still = new Map(allRows(load).map((row) => [row.id, row]));
  const kept = loaded.waiting
    .filter((each) => each.id > since || still.has(each.id))
    .map((each) => still.get(each.id) ?? each);
  const next: Loaded = { ...loaded, rows: back.reduce(insertArrival, rows), waiting: kept };
  return arrivals.filter((arrival) => arrival.id > loaded.lastId).reduce(wait, next);
}

/** Notifications were marked as seen, here or elsewhere. Thread states follow with the next load. */
export function seenElsewhere(loaded: Loaded, ids: readonly number[], seen: boolean): Loaded {
  return changed(loaded, ids, (row) => {
    const ownState = row.read !== undefined && !row.muted && row.errors === undefined;
    return row.seen === seen ? row : ownState ? { ...row, seen } : markRow(row, seen);
  });
}

/** The user marked notifications, here or elsewhere. */
export function readElsewhere(loaded: Loaded, ids: readonly number[], read: boolean): Loaded {
  return changed(loaded, ids, (row) => (row.read === read ? row : markRow(row, read)));
}

function changed(loaded: Loaded, ids: readonly number[], change: (row: Notification) => Notification): Loaded {
  const named = new Set(ids);
  // Only the newest thread of a burst is loaded; its figures follow with the next load.
  const each = (row: Notification): Notification => (named.has(row.id) && !burstOf(row) ? change(row) : row);
  return { ...loaded, rows: mapRows(loaded.rows, each), waiting: loaded.waiting.map(each) };
}

/** Somebody responded to a thread, here or elsewhere. What the view no longer shows goes with the next load. */
export function respondedElsewhere(loaded: Loaded, { thread, ...notification }: Notification): Loaded {
  const key = keyOf({ ...notification, thread }, loaded.rows.threads);
  const same = (row: Notification) => keyOf(row, loaded.rows.threads) === key && !burstOf(row);
  return { ...loaded, rows: mapRows(loaded.rows, (row) => (same(row) ? { ...row, thread } : row)) };
}

/** Notifications were deleted, here or elsewhere. */
export function deletedElsewhere(loaded: Loaded, ids: readonly number[]): Loaded {
  const gone = new Set(ids);
  return {
    ...loaded,
    rows: mapRows(loaded.rows, (row) => (gone.has(row.id) ? undefined : row)),
    waiting: loaded.waiting.filter((each) => !gone.has(each.id)),
  };
}
