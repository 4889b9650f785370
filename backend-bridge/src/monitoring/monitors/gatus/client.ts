/** Requests to Gatus' HTTP API (TwiN/gatus 5.x, api/endpoint_status.go). */
import { z } from 'zod';
import { LIMITS } from '../../../../contract/limits.ts';
import type { Outbound } from '../../../platform/http/outbound.ts';
import { jsonOf, monitorOutbound } from '../outbound.ts';

/** Gatus leaves an empty name or group out. */
const endpoints = z.array(
  z.object({
    name: z.string().default(''),
    group: z.string().default(''),
    results: z.array(z.object({ success: z.boolean() })).nullish(),
  })
);
export type GatusEndpoint = z.output<typeof endpoints>[number];

/** @param url of Gatus, a setting */
export function createGatusClient(
  url: string,
  outbound: Outbound = monitorOutbound(url, LIMITS.gatusResponseBytes.value)
) {
  return {
    /**
     * Endpoints that have been checked since Gatus has its store, each with its newest results.
     * @throws Error with a sentence
     */
    async endpoints(results: number): Promise<GatusEndpoint[]> {
      const path = `/api/v1/endpoints/statuses?page=1&pageSize=${results}`;
      const { status, body } = await outbound.fetchGuarded(url + path, 'list of endpoints', {});
      const read = endpoints.safeParse(status === 200 ? jsonOf(body) : undefined);
      if (!read.success) {
        throw new Error(`Gatus does not list its endpoints (${status} from ${path}): check NODEBELL_GATUS_URL.`);
      }
      return read.data;
    },
  };
}
