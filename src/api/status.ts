import { bridgeStatusSchema } from '@nodebell/contract/status.ts';
import { queryOptions } from '@tanstack/react-query';
import { request } from './client';

/** How the bridge is set up; for admins only. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => request('/status', bridgeStatusSchema, { signal }),
});
