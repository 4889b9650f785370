/** Requests for notifications. */
import { z } from 'zod';
import { notificationDetailSchema } from '@nodebell/contract/notification.ts';
import {
  categorySchema,
  changedSchema,
  deletedSchema,
  facetsSchema,
  notificationListSchema,
  restoredSchema,
} from '@nodebell/contract/query.ts';
import { request } from './client';
import { toSearch, type BridgeFilter } from './query';

const anything = z.unknown();

export function listNotifications(filter: BridgeFilter, limit: number, signal?: AbortSignal) {
  return request(`/notifications${toSearch({ ...filter, limit })}`, notificationListSchema, { signal });
}

export function getFacets(filter: BridgeFilter, signal?: AbortSignal) {
  return request(`/notifications/facets${toSearch({ ...filter })}`, facetsSchema, { signal });
}

export function getNotification(id: number, signal?: AbortSignal) {
  return request(`/notifications/${id}`, notificationDetailSchema, { signal });
}

/** Marks these, and the other members of their threads when asked. */
export function markIds(ids: number[], seen: boolean, wholeThreads: boolean) {
  return request('/notifications/seen', changedSchema, { method: 'PUT', body: { ids, seen, wholeThreads } });
}

/**
 * Marks all that match as seen, whole threads when the filter looks at threads. The filter should carry `untilId`, so
 * that what arrived meanwhile is left alone.
 */
export function markMatching(filter: BridgeFilter) {
  return request(`/notifications/seen${toSearch({ ...filter })}`, changedSchema, { method: 'PUT' });
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

export function listCategories(signal?: AbortSignal) {
  return request('/categories', z.array(categorySchema), { signal });
}

export function setCategory(category: string, enabled: boolean) {
  return request(`/categories/${encodeURIComponent(category)}`, anything, { method: 'PUT', body: { enabled } });
}
