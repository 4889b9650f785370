/** Requests to respond to threads. */
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { assignedSchema, peopleSchema, respondedSchema } from '@nodebell/contract/respond.ts';
import { request } from './client';
import type { BridgeFilter } from './query';

const anything = z.unknown();

/** Notifications whose threads are meant, or all that match. */
export type These = { ids: readonly number[] } | { filter: BridgeFilter };

/** Acknowledges threads, or takes that back. */
export function acknowledgeThreads(these: These, body: { acknowledged: boolean; comment?: string | undefined }) {
  return request('/notifications/acknowledge', respondedSchema, { method: 'POST', body: { ...these, ...body } });
}

/** @param until ISO 8601; null ends the snooze */
export function snoozeThreads(these: These, until: string | null, whose: 'me' | 'all' | undefined) {
  return request('/notifications/snooze', respondedSchema, {
    method: 'PUT',
    body: { ...these, until, ...(whose && { for: whose }) },
  });
}

/** @param assignee null: nobody */
export function assignThreads(these: These, assignee: string | null) {
  return request('/notifications/assignee', assignedSchema, { method: 'POST', body: { ...these, assignee } });
}

export function addComment(id: number, text: string) {
  return request(`/notifications/${id}/comments`, anything, { method: 'POST', body: { text } });
}

/** @param text undefined: deletes the comment */
export function changeComment(comment: number, text: string | undefined) {
  return text === undefined
    ? request(`/comments/${comment}`, anything, { method: 'DELETE' })
    : request(`/comments/${comment}`, anything, { method: 'PUT', body: { text } });
}

/** Who has been here; those to whom threads can be assigned. */
export const peopleQuery = queryOptions({
  queryKey: ['inbox', 'people'],
  queryFn: ({ signal }) => request('/people', peopleSchema, { signal }),
  staleTime: 60_000,
});
