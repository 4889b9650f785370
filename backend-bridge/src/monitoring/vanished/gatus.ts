/** Alerts of Gatus, by the results of their endpoints: Gatus has no list of alerts that are open. */
import { z } from 'zod';
import type { GatusClient } from '../monitors/gatus/client.ts';
import type { AlertState, OpenThread, Reported } from './service.ts';

/**
 * Successes in a row after which an alert has ended, whatever its `success-threshold` (default: 2), which the API does not have. Before
 * Gatus resolves an alert it does not send it again, so that one resolved too early would be lost.
 */
const SUCCESSES = 20;

const extraSchema = z.object({ gatus: z.object({ endpoint: z.string(), group: z.string().nullish() }) });

export function gatusState(client: GatusClient): AlertState {
  let before: ReadonlySet<string> = new Set();
  return {
    sources: ['gatus'],
    async firing(open) {
      const endpoints = await client.endpoints(SUCCESSES);
      const results = new Map(endpoints.map((one) => [keyOf(one.group, one.name), one.results ?? []]));
      // After a start and each change of its configuration, Gatus with its store in memory lists an endpoint once it was checked.
      const isFilling = [...results.keys()].some((key) => !before.has(key));
      before = new Set(results.keys());
      return isFilling || results.size === 0 ? [] : [reported(open, results)];
    },
  };
}

function reported(open: readonly OpenThread[], results: ReadonlyMap<string, { success: boolean }[]>): Reported {
  const keys = new Set<string>();
  const reasons = new Map<string, string>();
  for (const { correlation_id: id, extra } of open) {
    const endpoint = endpointOf(extra);
    const newest = endpoint === undefined ? undefined : results.get(endpoint);
    if (newest === undefined) {
      reasons.set(id, 'Gatus no longer has this endpoint.');
    } else if (newest.length < SUCCESSES || newest.some(({ success }) => !success)) {
      keys.add(id);
    } else {
      reasons.set(id, `Gatus reports ${SUCCESSES} successes in a row.`);
    }
  }
  return { source: 'gatus', id: 'gatus', name: 'Gatus', keys, reasons };
}

const keyOf = (group: string, name: string): string => JSON.stringify([group, name]);

/** @param extra as the notification has it. @returns undefined: its body does not name the endpoint */
function endpointOf(extra: string | null): string | undefined {
  const { data } = extraSchema.safeParse(extra === null ? undefined : JSON.parse(extra));
  return data && keyOf(data.gatus.group ?? '', data.gatus.endpoint);
}
