/** Requests for schedules. */
import { SCHEDULES } from '@nodebell/contract/api/schedules.ts';
import type { Override } from '@nodebell/contract/onCall.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client';

export const schedulesKey = ['schedules'] as const;
/** No event reports a handover. Milliseconds. */
const EVERY_MS = 30_000;
/** Changes of schedules and overrides are not reported either. */
const OWN_EVERY_MS = 300_000;

/** All schedules, with their shifts. */
export const schedulesQuery = queryOptions({
  queryKey: [...schedulesKey, 'all'],
  queryFn: ({ signal }) => call(SCHEDULES.listSchedules, { query: { days: 14 }, signal }),
  staleTime: 0,
  refetchInterval: EVERY_MS,
  refetchOnWindowFocus: true,
});

/** Schedules in which the user is on call now. Requested again at the handover. */
export const ownShiftsQuery = queryOptions({
  queryKey: [...schedulesKey, 'mine'],
  queryFn: async ({ signal }) => (await call(SCHEDULES.listSchedules, { signal })).mine,
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state: { data = [] } }) => {
    const ends = data.flatMap(({ until }) => (until === null ? [] : Date.parse(until) - Date.now()));
    // The clock of the browser may be ahead.
    return Math.min(OWN_EVERY_MS, ...ends.map((ms) => (ms > 0 ? ms + 1000 : EVERY_MS)));
  },
});

export const addOverride = (name: string, body: Override) => call(SCHEDULES.addOverride, { params: { name }, body });
export const removeOverride = (name: string, id: string) => call(SCHEDULES.removeOverride, { params: { name, id } });
