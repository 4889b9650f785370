/** Requests for notifications. */
import { z } from 'zod';
import { type Notification, notificationDetailSchema, type WholeText } from '@nodebell/contract/notification.ts';
import {
  categorySchema,
  changedSchema,
  deletedSchema,
  facetsSchema,
  notificationListSchema,
  resolvedSchema,
  restoredSchema,
} from '@nodebell/contract/query.ts';
import { request, requestPage, requestText } from './client';
import { toSearch, type BridgeFilter } from './query';
import { originSchema } from '@nodebell/contract/origin.ts';

const anything = z.unknown();

/** A response may end before its limit, since it is bounded in bytes; fewer than the limit come back only when there are no more. */
export async function listNotifications(
  filter: BridgeFilter,
  limit: number,
  signal?: AbortSignal
): Promise<Notification[]> {
  const rows: Notification[] = [];
  let cursor: string | undefined;
  do {
    const path = `/notifications${toSearch({ ...filter, limit: limit - rows.length, cursor })}`;
    const { page, next } = await requestPage(path, notificationListSchema, { signal });
    rows.push(...page);
    cursor = next;
  } while (cursor !== undefined && rows.length < limit);
  return rows;
}

/** A text of a notification that the other responses cut. */
export function getWholeText(id: number, text: WholeText, signal?: AbortSignal) {
  return requestText(`/notifications/${id}/${text}`, signal);
}

export function getFacets(filter: BridgeFilter, signal?: AbortSignal) {
  return request(`/notifications/facets${toSearch({ ...filter })}`, facetsSchema, { signal });
}

export function getNotification(id: number, signal?: AbortSignal) {
  return request(`/notifications/${id}`, notificationDetailSchema, { signal });
}

/** Marks these notifications, optionally with the other members of their threads. */
export function markIds(ids: number[], seen: boolean, wholeThreads: boolean) {
  return request('/notifications/seen', changedSchema, { method: 'PUT', body: { ids, seen, wholeThreads } });
}

/**
 * Marks all that match as seen, whole threads when the filter looks at threads; or as unseen, of threads the newest member. The filter should
 * carry `untilId`, so that what arrived meanwhile is left alone.
 */
export function markMatching(filter: BridgeFilter, seen = true) {
  return request(`/notifications/seen${toSearch({ ...filter })}`, changedSchema, { method: 'PUT', body: { seen } });
}

export function deleteIds(ids: number[], wholeThreads: boolean) {
  return request('/notifications/delete', deletedSchema, { method: 'POST', body: { ids, wholeThreads } });
}

export function deleteMatching(filter: BridgeFilter) {
  return request('/notifications/delete', deletedSchema, { method: 'POST', body: { filter } });
}

export function restoreDeleted(undo: string) {
  return request('/notifications/restore', restoredSchema, { method: 'POST', body: { undo } });
}

export function resolveThread(id: number) {
  return request(`/notifications/${id}/resolve`, anything, { method: 'POST', body: {} });
}

export function resolveIds(ids: number[]) {
  return request('/notifications/resolve', resolvedSchema, { method: 'POST', body: { ids } });
}

/** Resolves all open threads that match. */
export function resolveMatching(filter: BridgeFilter) {
  return request('/notifications/resolve', resolvedSchema, { method: 'POST', body: { filter } });
}

export function listCategories(signal?: AbortSignal) {
  return request('/categories', z.array(categorySchema), { signal });
}

export function setCategory(category: string, enabled: boolean) {
  return request(`/categories/${encodeURIComponent(category)}`, anything, { method: 'PUT', body: { enabled } });
}

/** What is known of the alert or of the panel: contract/origin.ts. */
export interface OriginFilter {
  label?: string[];
  ruleUid?: string[];
  panel?: string;
}

export function findOrigin(filter: OriginFilter, signal?: AbortSignal) {
  return request(`/notifications/origin${toSearch({ ...filter })}`, originSchema, { signal });
}
