/** The bridge under test starts and accepts regular notifications. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';

let bridge: RunningBridge;
beforeAll(async () => {
  bridge = await runBridge();
});
afterAll(() => bridge.stop());

test('a regular notification is stored', async () => {
  const response = await fetch(`${bridge.url}/api/v1/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Disk full', body: '/ is at 100 %' }),
  });
  expect([response.status, bridge.ended]).toEqual([201, null]);
});
