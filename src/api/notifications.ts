/** Requests for notifications. */
import { CATEGORIES } from '@nodebell/contract/api/categories.ts';
import { NOTIFICATIONS } from '@nodebell/contract/api/notifications.ts';
import type { Notification, WholeText } from '@nodebell/contract/notification.ts';
import { queryOptions } from '@tanstack/react-query';
import { call, callPage, callText } from './client';
import type { BridgeFilter } from './query';

/** A response may end before its limit, since it is bounded in bytes; fewer than the limit come back only when there are no more. */
export async function listNotifications(
  filter: BridgeFilter,
  limit: number,
  signal?: AbortSignal
): Promise<Notification[]> {
  const rows: Notification[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...filter, limit: limit - rows.length, cursor };
    const { page, next } = await callPage(NOTIFICATIONS.listNotifications, { query, signal });
    rows.push(...page);
    cursor = next;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}

/** A text of a notification that the other responses truncate. */
export const getWholeText = (id: number, text: WholeText, signal?: AbortSignal) =>
  callText(NOTIFICATIONS.getNotificationText, { params: { id, text }, signal });

export const getFacets = (query: BridgeFilter, signal?: AbortSignal) =>
  call(NOTIFICATIONS.listFacets, { query, signal });

export const getNotification = (id: number, signal?: AbortSignal) =>
  call(NOTIFICATIONS.getNotification, { params: { id }, signal });

/** Marks these notifications, optionally with the other members of their threads. */
export const markIds = (ids: number[], seen: boolean, wholeThreads: boolean) =>
  call(NOTIFICATIONS.markSeen, { body: { ids, seen, wholeThreads } });

/**
 * Marks all that match as seen, whole threads when the filter looks at threads; or as unseen, of threads the newest member. The filter should
 * carry `untilId`, so that what arrived meanwhile is left alone.
 */
export const markMatching = (query: BridgeFilter, seen = true) =>
  call(NOTIFICATIONS.markSeen, { query, body: { seen } });

export const deleteIds = (ids: number[], wholeThreads: boolean) =>
  call(NOTIFICATIONS.deleteNotifications, { body: { ids, wholeThreads } });

export const deleteMatching = (filter: BridgeFilter) =>
  call(NOTIFICATIONS.deleteNotifications, { body: { filter: { ...filter } } });

export const restoreDeleted = (undo: string) => call(NOTIFICATIONS.restoreNotifications, { body: { undo } });

export const resolveThread = (id: number) => call(NOTIFICATIONS.resolveNotification, { params: { id } });

export const resolveIds = (ids: number[]) => call(NOTIFICATIONS.resolveNotifications, { body: { ids } });

/** Resolves all open threads that match. */
export const resolveMatching = (filter: BridgeFilter) =>
  call(NOTIFICATIONS.resolveNotifications, { body: { filter: { ...filter } } });

export const listCategories = (signal?: AbortSignal) => call(CATEGORIES.listCategories, { signal });

export const categoriesQuery = () =>
  queryOptions({ queryKey: ['inbox', 'categories'], queryFn: ({ signal }) => listCategories(signal), staleTime: 0 });

export const setCategory = (category: string, enabled: boolean) =>
  call(CATEGORIES.switchCategory, { params: { category }, body: { enabled } });

/** Identifies an alert or a panel: contract/origin.ts. */
export interface OriginFilter {
  label?: string[];
  ruleUid?: string[];
  panel?: string;
}

export const findOrigin = (query: OriginFilter, signal?: AbortSignal) =>
  call(NOTIFICATIONS.findOrigin, { query, signal });
