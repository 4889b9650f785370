/** Requests for the report. */
import { NOTIFICATIONS } from '@nodebell/contract/api/notifications.ts';
import { requestOf } from '@nodebell/contract/operation.ts';
import type { ReportBy, ReportSort } from '@nodebell/contract/report.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addressOf, call } from './client';

/** It changes with each notification, slowly. Milliseconds. */
const EVERY_MS = 60_000;

export interface ReportView {
  by: ReportBy;
  /** A day of the last week, YYYY-MM-DD; undefined: this week. */
  to: string | undefined;
  weeks: number;
  sort: ReportSort;
}

export const reportQuery = (view: ReportView, limit: number) =>
  queryOptions({
    queryKey: ['report', view, limit],
    queryFn: ({ signal }) => call(NOTIFICATIONS.getReport, { query: { ...view, limit }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });

/** Address of the CSV, with all rows. */
export const csvAddress = ({ by, to, weeks }: ReportView): string =>
  addressOf(requestOf(NOTIFICATIONS.getReport, { query: { by, to, weeks, format: 'csv' } }).path);
