/** Requests for maintenance windows. */
import { MAINTENANCE } from '@nodebell/contract/api/maintenance.ts';
import type { MaintenanceBody } from '@nodebell/contract/suppression.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client';

/** No event reports that a window begins or ends. Milliseconds. */
const EVERY_MS = 30_000;

export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: ({ signal }) => call(MAINTENANCE.listMaintenance, { signal }),
  staleTime: 0,
  refetchInterval: EVERY_MS,
  refetchOnWindowFocus: true,
});

/** @param id of the window to change; undefined: a new one */
export const saveMaintenance = (id: string | undefined, body: MaintenanceBody) =>
  id === undefined
    ? call(MAINTENANCE.addMaintenance, { body })
    : call(MAINTENANCE.changeMaintenance, { params: { id }, body });
export const removeMaintenance = (id: string) => call(MAINTENANCE.removeMaintenance, { params: { id } });
