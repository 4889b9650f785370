/** Gatus sends neither a time nor an id: a retry is the last body of its thread, within a minute. */
import { beforeEach, expect, it } from 'vitest';
import { GATUS_BODY } from '../../backend-bridge/contract/gatusWebhook.ts';
import { fillAsGatus } from '../../backend-bridge/src/intake/webhooks/gatusFill.testing.ts';
import { RETRY_WINDOW_MS } from '../../backend-bridge/src/intake/webhooks/repeats.ts';
import { type TestBridge, useBridge } from './support.ts';

const bridge = useBridge();
let thread = 0;
beforeEach(() => void (thread += 1));

/** @returns whether it was stored, and is no repeat */
async function hears(
  status: 'TRIGGERED' | 'RESOLVED' = 'TRIGGERED',
  { name = `endpoint ${thread}`, token = '' } = {},
  to: TestBridge = bridge()
): Promise<boolean> {
  const answer = await fetch(`${to.url}/api/v1/webhooks/gatus`, {
    method: 'POST',
    body: fillAsGatus(GATUS_BODY, { status, name }),
    headers: { 'Content-Type': 'application/json', ...(token !== '' && { Authorization: `Bearer ${token}` }) },
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { accepted: number }).accepted === 1;
}

it('within a minute it is a retry, and after a minute from the first a reminder', async () => {
  expect(await hears()).toBe(true);
  bridge().clock.advance(50_000);
  expect(await hears()).toBe(false);
  bridge().clock.advance(RETRY_WINDOW_MS - 50_000 - 1);
  expect(await hears()).toBe(false);
  bridge().clock.advance(1);
  expect(await hears()).toBe(true);
});

it('it is news if the thread has had another body since', async () => {
  expect([await hears(), await hears('RESOLVED'), await hears(), await hears()]).toEqual([true, true, true, false]);
});

it('other threads change nothing', async () => {
  expect([await hears(), await hears('TRIGGERED', { name: `other ${thread}` }), await hears()]).toEqual([
    true,
    true,
    false,
  ]);
});

it('each sender has retries of its own', async () => {
  const { token } = await bridge().call('POST', '/api/v1/tokens', { name: 'another monitor' });
  expect([await hears(), await hears('RESOLVED', { token }), await hears('TRIGGERED', { token })]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await hears()).toBe(false);
});

it('of retries at once one is stored', async () => {
  expect((await Promise.all([hears(), hears(), hears()])).filter(Boolean)).toHaveLength(1);
});

it('a retry is known after a restart', async () => {
  expect(await hears()).toBe(true);
  await bridge().restart();
  expect(await hears()).toBe(false);
});
