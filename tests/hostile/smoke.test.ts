/** The bridge that the attacks run against starts, and takes what an honest sender sends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';

let bridge: RunningBridge;
beforeAll(async () => {
  bridge = await runBridge();
});
afterAll(() => bridge.stop());

test('an honest notification is stored', async () => {
  const response = await fetch(`${bridge.url}/api/v1/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Disk full', body: '/ is at 100 %' }),
  });
  expect([response.status, bridge.ended]).toEqual([201, null]);
});
