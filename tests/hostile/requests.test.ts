/** Generated requests for every operation: the short form of `npm run prove -- --requests`. */
import { expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../backend-bridge/contract/api.ts';
import { runBridge } from '../bench/bridge.ts';
import { proveRequests } from '../proofs/requests.ts';

const REQUESTS = 3000;

test(
  `${REQUESTS} generated requests: each response is as the OpenAPI page describes it`,
  { timeout: 600_000 },
  async () => {
    const bridge = await runBridge(undefined, { NODEBELL_LOG_LEVEL: 'silent' });
    onTestFinished(() => bridge.stop());
    const { unexpected, operations, statuses } = await proveRequests({ bridge, requests: REQUESTS, seed: Date.now() });
    expect(unexpected).toEqual([]);
    expect(operations).toBe(OPERATIONS.length);
    expect(Object.values(statuses).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(REQUESTS);
    // Not all are refused before they reach what they aim at.
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '201', '400', '404']));
    expect(bridge.ended).toBe(null);
  }
);
