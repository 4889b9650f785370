/** Requests for retention. */
import { type RetentionPolicy, retentionPreviewSchema, retentionStatusSchema } from '@nodebell/contract/retention.ts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client';

/** Figures change while notifications are removed. Milliseconds. */
const EVERY_MS = 10_000;

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => request('/retention', retentionStatusSchema, { signal }),
  refetchInterval: EVERY_MS,
});

/** @returns the new status */
export function setRetention(policy: RetentionPolicy) {
  return request('/retention', retentionStatusSchema, { method: 'PUT', body: policy });
}

export function previewRetention(policy: RetentionPolicy) {
  return request('/retention/preview', retentionPreviewSchema, { method: 'POST', body: policy });
}
