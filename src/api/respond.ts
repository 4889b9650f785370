/** Requests to respond to threads. */
import { z } from 'zod';
import { peopleSchema, respondedSchema } from '@nodebell/contract/respond.ts';
import { request } from './client';
import type { BridgeFilter } from './query';

const anything = z.unknown();

interface Acknowledge {
  acknowledged: boolean;
  comment?: string | undefined;
}

/** Acknowledges the threads of these notifications, or takes that back. */
export function acknowledgeIds(ids: readonly number[], body: Acknowledge) {
  return request('/notifications/acknowledge', respondedSchema, { method: 'POST', body: { ids, ...body } });
}

export function acknowledgeMatching(filter: BridgeFilter, body: Acknowledge) {
  return request('/notifications/acknowledge', respondedSchema, { method: 'POST', body: { filter, ...body } });
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

/** @param until ISO 8601; null ends the snooze */
export function snoozeThread(id: number, until: string | null, whose: 'me' | 'all' | undefined) {
  return request(`/notifications/${id}/snooze`, anything, {
    method: 'PUT',
    body: { until, ...(whose && { for: whose }) },
  });
}

/** @param assignee null: nobody */
export function assignThread(id: number, assignee: string | null) {
  return assignee === null
    ? request(`/notifications/${id}/assignee`, anything, { method: 'DELETE' })
    : request(`/notifications/${id}/assignee`, anything, { method: 'POST', body: { assignee } });
}

export function listPeople(signal?: AbortSignal) {
  return request('/people', peopleSchema, { signal });
}
