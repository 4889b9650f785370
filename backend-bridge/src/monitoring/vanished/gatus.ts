/** Alerts of Gatus, by the results of their endpoints: Gatus has no list of alerts that are open. */
import { createHash } from 'node:crypto';
import { createGatusClient, type GatusEndpoint } from '../monitors/gatus/client.ts';
import type { AlertState, OpenThread, Reported } from './service.ts';

/**
 * Successes in a row after which an alert has ended, whatever its `success-threshold` (default: 2), which the API does not have. Before
 * Gatus resolves an alert it does not send it again, so that one resolved too early would be lost.
 */
const SUCCESSES = 20;

/** @param url of Gatus, a setting */
export function gatusState(url: string): AlertState {
  const client = createGatusClient(url);
  // Another Gatus may have an endpoint of the same name.
  const id = `gatus ${createHash('sha256').update(url).digest('hex')}`;
  return {
    name: 'Gatus',
    sources: ['gatus'],
    async firing(open) {
      return [{ source: 'gatus', id, stateOf: statesOf(await client.endpoints(SUCCESSES), open) }];
    },
  };
}

/** Unknown unless one endpoint and one sender have this group and name: Gatus may list endpoints of other instances. */
function statesOf(endpoints: readonly GatusEndpoint[], open: readonly OpenThread[]): Reported['stateOf'] {
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
  return ({ group, endpoint }) => {
    const key = keyOf(group, endpoint);
    const newest = results.get(key) ?? [];
    if (endpoint === null || senders.get(key)?.size !== 1) {
      return undefined;
    }
    if (newest.some(({ success }) => !success)) {
      return 'firing';
    }
    return newest.length < SUCCESSES ? undefined : { ended: `Gatus reports ${SUCCESSES} successes in a row.` };
  };
}

const keyOf = (group: string | null, name: string | null): string => JSON.stringify([group ?? '', name]);
