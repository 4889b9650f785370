/** Alerts of Gatus, by the results of their endpoints: Gatus has no list of alerts that are open. */
import { createHash } from 'node:crypto';
import { createGatusClient, type GatusEndpoint } from '../monitors/gatus/client.ts';
import type { MonitoredEndpoint } from '../monitors/monitor.ts';
import type { AlertState, OpenThread, Reported } from './service.ts';

/**
 * Successes in a row after which an alert has ended, unless the `success-threshold` (default: 2) of a package is higher: the API does not
 * have it. Before Gatus resolves an alert it does not send it again, so that one resolved too early would be lost.
 */
const SUCCESSES = 20;
/** Gatus stores no more results, unless configured otherwise: an alert that needs more stays open. */
const MAX_RESULTS = 100;

/**
 * @param url of Gatus, a setting
 * @param monitored endpoints of packages
 */
export function gatusState(url: string, monitored: () => Promise<readonly MonitoredEndpoint[]>): AlertState {
  const client = createGatusClient(url);
  // Another Gatus may have an endpoint of the same name.
  const id = `gatus ${createHash('sha256').update(url).digest('hex')}`;
  return {
    name: 'Gatus',
    sources: ['gatus'],
    async firing(open) {
      const needed = neededOf(await monitored());
      const results = Math.min(MAX_RESULTS, Math.max(...open.map(needed)));
      return [{ source: 'gatus', id, stateOf: statesOf(await client.endpoints(results), open, needed) }];
    },
  };
}

type Needed = (thread: Pick<OpenThread, 'dnp_name' | 'correlation_id'>) => number;

function neededOf(monitored: readonly MonitoredEndpoint[]): Needed {
  const thresholds = new Map(
    monitored.map(({ dnpName, shipped: { correlationId, definition } }) => [
      JSON.stringify([dnpName, correlationId]),
      Math.max(SUCCESSES, ...(definition?.alerts ?? []).map(({ successThreshold }) => successThreshold)),
    ])
  );
  return ({ dnp_name: dnpName, correlation_id: id }) => thresholds.get(JSON.stringify([dnpName, id])) ?? SUCCESSES;
}

/** Unknown unless one endpoint and one sender have this group and name: Gatus may list endpoints of other instances. */
function statesOf(
  endpoints: readonly GatusEndpoint[],
  open: readonly OpenThread[],
  needed: Needed
): Reported['stateOf'] {
  const results = new Map<string, { success: boolean }[]>();
  for (const { group, name, results: newest } of endpoints) {
    const key = keyOf(group, name);
    results.set(key, results.has(key) ? [] : (newest ?? []));
  }
  const senders = new Map<string, Set<string>>();
  for (const thread of open) {
    const key = keyOf(thread.group, thread.endpoint);
    senders.set(key, (senders.get(key) ?? new Set()).add(JSON.stringify([thread.dnp_name, thread.node])));
  }
  return (thread) => {
    const { group, endpoint } = thread;
    const key = keyOf(group, endpoint);
    const count = needed(thread);
    const newest = (results.get(key) ?? []).slice(-count);
    if (endpoint === null || senders.get(key)?.size !== 1) {
      return undefined;
    }
    if (newest.some(({ success }) => !success)) {
      return 'firing';
    }
    return newest.length < count ? undefined : { ended: `Gatus reports ${count} successes in a row.` };
  };
}

const keyOf = (group: string | null, name: string | null): string => JSON.stringify([group ?? '', name]);
