/** Requests for tokens and the audit log. */
import { type AuditAction, auditPageSchema } from '@nodebell/contract/audit.ts';
import {
  adminTokenSchema,
  createdTokenSchema,
  type TokenBody,
  tokenListSchema,
  tokenSchema,
} from '@nodebell/contract/token.ts';
import { urlSegment } from '@nodebell/contract/url.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { addressOf, request } from './client';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => request('/tokens', tokenListSchema, { signal }),
});

export const adminTokenQuery = queryOptions({
  queryKey: ['admin-token'],
  queryFn: ({ signal }) => request('/admin-token', adminTokenSchema, { signal }),
});

/** @returns with the token, this once */
export function createToken(body: TokenBody) {
  return request('/tokens', createdTokenSchema, { method: 'POST', body });
}

/** @returns with the new token, this once */
export function rotateToken(id: string, graceHours: number) {
  return request(`/tokens/${urlSegment(id)}/rotate`, createdTokenSchema, {
    method: 'POST',
    body: { graceHours },
  });
}

export function revokeToken(id: string) {
  return request(`/tokens/${urlSegment(id)}`, tokenSchema, { method: 'DELETE' });
}

export interface AuditFilter {
  actor?: string | undefined;
  action?: AuditAction | undefined;
  /** ISO 8601. */
  from?: string | undefined;
}

const searchOf = (filter: AuditFilter, more: Record<string, string> = {}): string =>
  new URLSearchParams({
    ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value)),
    ...more,
  }).toString();

const PAGE = 50;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => {
      const more = { limit: String(PAGE), ...(pageParam !== null && { before: String(pageParam) }) };
      return request(`/audit?${searchOf(filter, more)}`, auditPageSchema, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    // No event reports changes of the log.
    staleTime: 0,
  });

/** Where the browser downloads all entries. */
export const auditExport = (filter: AuditFilter, format: 'csv' | 'jsonl'): string =>
  addressOf(`/audit?${searchOf(filter, { format })}`);
