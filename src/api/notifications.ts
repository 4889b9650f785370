/** Requests for notifications. */
import { CATEGORIES } from '@nodebell/contract/api/categories.ts';
import { NOTIFICATIONS } from '@nodebell/contract/api/notifications.ts';
import type { Notification, WholeText } from '@nodebell/contract/notification.ts';
import { queryOptions } from '@tanstack/react-query';
import { requestOf } from '@nodebell/contract/operation.ts';
import { addressOf, call, callPage, callText } from './client';
import { type BridgeFilter, type FacetsFilter, selected, type These } from './query';

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

/** Address of a file with all that match. */
export const exportAddress = (filter: BridgeFilter, format: 'csv' | 'jsonl'): string =>
  addressOf(requestOf(NOTIFICATIONS.listNotifications, { query: { ...filter, format } }).path);

/** A text of a notification that the other responses truncate. */
export const getWholeText = (id: number, text: WholeText, signal?: AbortSignal) =>
  callText(NOTIFICATIONS.getNotificationText, { params: { id, text }, signal });

export const getFacets = (query: FacetsFilter, signal?: AbortSignal) =>
  call(NOTIFICATIONS.listFacets, { query, signal });

export const listLabels = (query: { name?: string; prefix: string }, signal?: AbortSignal) =>
  call(NOTIFICATIONS.listLabels, { query, signal });

export const getNotification = (id: number, signal?: AbortSignal) =>
  call(NOTIFICATIONS.getNotification, { params: { id }, signal });

/**
 * Marks notifications as seen or unseen: ids with their whole threads if asked for; all that match as seen, whole threads when the filter
 * looks at threads, or as unseen, of threads the newest member. A filter should carry `untilId`, so that what arrived meanwhile is left
 * alone.
 */
export const markThese = (these: These, seen: boolean, wholeThreads: boolean) =>
  'ids' in these
    ? call(NOTIFICATIONS.markSeen, { body: { ids: [...these.ids], seen, wholeThreads } })
    : call(NOTIFICATIONS.markSeen, { query: these.filter, body: { seen } });

export const deleteThese = (these: These, wholeThreads: boolean) => {
  const body = selected(these);
  return call(NOTIFICATIONS.deleteNotifications, { body: 'ids' in body ? { ...body, wholeThreads } : body });
};

/** Restores deleted notifications, or reopens resolved threads. */
export const restoreDeleted = (undo: string) => call(NOTIFICATIONS.restoreNotifications, { body: { undo } });

/** Resolves threads that are open. */
export const resolveThese = (these: These) => call(NOTIFICATIONS.resolveNotifications, { body: selected(these) });

export const listCategories = (signal?: AbortSignal) => call(CATEGORIES.listCategories, { signal });

/** All categories, refetched with the inbox. */
export const categoriesQuery = () =>
  queryOptions({ queryKey: ['inbox', 'categories'], queryFn: ({ signal }) => listCategories(signal), staleTime: 0 });

export const setCategory = (category: string, enabled: boolean) =>
  call(CATEGORIES.switchCategory, { params: { category }, body: { enabled } });

/** Identifies an alert, rules or a panel: contract/origin.ts. */
export interface OriginFilter {
  label?: string[];
  fingerprint?: string;
  ruleUid?: string[];
  has?: string[];
  panel?: string;
}

export const findOrigin = (query: OriginFilter, signal?: AbortSignal) =>
  call(NOTIFICATIONS.findOrigin, { query, signal });
