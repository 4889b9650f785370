/** Requests for tokens and the audit log. */
import { SERVICE } from '@nodebell/contract/api/service.ts';
import { ADMIN_TOKEN, TOKENS } from '@nodebell/contract/api/tokens.ts';
import type { AuditAction } from '@nodebell/contract/audit.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { addressOf, call } from './client';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => call(TOKENS.listTokens, { signal }),
});

export const adminTokenQuery = queryOptions({
  queryKey: ['admin-token'],
  queryFn: ({ signal }) => call(ADMIN_TOKEN.getAdminToken, { signal }),
});

export interface AuditFilter {
  actor?: string | undefined;
  action?: AuditAction | undefined;
  /** ISO 8601. */
  from?: string | undefined;
}

const PAGE = 50;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(SERVICE.listAudit, { query: { ...filter, limit: PAGE, before: pageParam }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // No event reports changes of the log.
    staleTime: 0,
  });

/** Where the browser downloads all entries. */
export const auditExport = (filter: AuditFilter, format: 'csv' | 'jsonl'): string =>
  addressOf(requestOf(SERVICE.listAudit, { query: { ...filter, format } }).path);
