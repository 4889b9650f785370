/** Alertmanager's API: large requests, and large alerts. */
import { expect, it } from 'vitest';
import type { AmAlert } from '../../backend-bridge/contract/alertmanager.ts';
import { MINUTE, useBridge } from './support.ts';

const API = '/alertmanager/api/v2';
const iso = (ms: number): string => new Date(ms).toISOString();
const bridge = useBridge();

const alert = (alertname: string, description: string, minutes = 4) => ({
  labels: { alertname },
  annotations: { summary: alertname, description },
  startsAt: iso(bridge().clock.now - MINUTE),
  endsAt: iso(bridge().clock.now + minutes * MINUTE),
});
const post = (alerts: unknown) => bridge().request('POST', `${API}/alerts`, alerts);
const alerts = () => bridge().call<AmAlert[]>('GET', `${API}/alerts`);

it('alerts of a request that is larger than the write queue, once stored, fire and resolve', async () => {
  // Escaped twice when it is stored.
  const description = 'The value is "high".\n'.repeat(1650);
  const all = (minutes: number) =>
    Array.from({ length: 400 }, (_, index) => alert(`Pod${index}`, description, minutes));
  expect((await post(all(4))).status).toBe(200);
  expect(await alerts()).toHaveLength(400);
  expect((await post(all(4))).status).toBe(200);
  expect((await post(all(-0.5))).status).toBe(200);
  expect(await alerts()).toEqual([]);
  expect(await bridge().facets()).toMatchObject({ total: 800 });
  expect(await bridge().facets('latest=true')).toMatchObject({ total: 400, open: 0 });
});
