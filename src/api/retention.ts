/** Requests for retention. */
import { RETENTION } from '@nodebell/contract/api/retention.ts';
import type { RetentionPolicy } from '@nodebell/contract/retention.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client';

/** Figures change while notifications are removed. Milliseconds. */
const EVERY_MS = 10_000;

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => call(RETENTION.getRetention, { signal }),
  refetchInterval: EVERY_MS,
});

/** @returns the new status */
export const setRetention = ({ policy, revision }: { policy: RetentionPolicy; revision: string }) =>
  call(RETENTION.setRetention, { body: policy, query: { revision } });

export const previewRetention = (body: RetentionPolicy) => call(RETENTION.previewRetention, { body });
