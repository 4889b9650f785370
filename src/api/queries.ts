/** Queries of data sources, with the permissions of the user. */
import { CoreApp, type DataFrame, dateTime } from '@grafana/data';
import { getDataSourceSrv } from '@grafana/runtime';
import type { DataQuery } from '@grafana/schema';
import { from, lastValueFrom } from 'rxjs';
import { toBridgeError } from './errors';

export interface RangeQueries {
  /** UTC milliseconds. */
  from: number;
  to: number;
  intervalMs: number;
  maxDataPoints: number;
  targets: DataQuery[];
}

/** The data source of expressions: it runs queries of several data sources together, as it does for panels. */
const EXPRESSIONS = { type: '__expr__', uid: '__expr__' };

/**
 * Runs queries and expressions.
 * @returns frames with the `refId` of their query
 * @throws Error with the message of the data source; BridgeError if Grafana rejected the request
 */
export async function runQueries({ from: start, to, intervalMs, ...request }: RangeQueries): Promise<DataFrame[]> {
  // The replacement is still unstable, and missing in Grafana 12.
  // oxlint-disable-next-line typescript/no-deprecated
  const source = await getDataSourceSrv().get(EXPRESSIONS);
  const range = { from: dateTime(start), to: dateTime(to) };
  const response = source.query({
    // Without an id, no request cancels another one.
    ...{
      app: CoreApp.Unknown,
      requestId: '',
      timezone: 'utc',
      startTime: Date.now(),
      scopedVars: {},
      interval: `${intervalMs}ms`,
      intervalMs,
    },
    range: { ...range, raw: range },
    ...request,
  });
  // The replacement has no errors of requests that Grafana rejected.
  // oxlint-disable-next-line typescript/no-deprecated
  const { data, error } = await lastValueFrom(from(response));
  if (error) {
    throw error.refId === undefined ? toBridgeError(error) : new Error(error.message);
  }
  return data as DataFrame[];
}
