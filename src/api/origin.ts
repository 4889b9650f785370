/** From what Grafana's own pages show to the notification that came of it. */
import { originSchema } from '@nodebell/contract/origin.ts';
import { request } from './client';
import { toSearch } from './query';

/** What is known of the alert or of the panel: contract/origin.ts. */
export interface OriginFilter {
  label?: string[];
  ruleUid?: string[];
  panel?: string;
}

export function findOrigin(filter: OriginFilter, signal?: AbortSignal) {
  return request(`/notifications/origin${toSearch({ ...filter })}`, originSchema, { signal });
}
