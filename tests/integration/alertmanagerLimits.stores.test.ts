/** Alertmanager's API: large requests, and large alerts. */
import { expect, it } from 'vitest';
import type { AmAlert } from '../../backend-bridge/contract/alertmanager.ts';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
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

it('an alert with a long annotation is received with its beginning', async () => {
  expect((await post([alert('Log', 'x'.repeat(15_000_000))])).status).toBe(200);
  const [shown] = await alerts();
  expect(shown!.annotations).toMatchObject({ summary: 'Log', description: expect.stringMatching(/^x{60000,}…$/) });
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(LIMITS.openAlertBytes.value + 1000);
  expect((await post([alert('Log', '', -0.5)])).status).toBe(200);
});

it('new alerts beyond the bytes of all are rejected; the others are refreshed, survive a restart, and resolve', async () => {
  const { value: allowed } = LIMITS.openAlertsBytes;
  const description = 'x'.repeat(60_000);
  const some = (from: number, minutes: number, text = description) =>
    Array.from({ length: 200 }, (_, index) => alert(`A${from + index}`, text, minutes));
  const held = async () =>
    (await alerts())
      .map(({ labels, annotations, endsAt }) => ({
        name: labels.alertname,
        size: annotations.description!.length,
        endsAt,
      }))
      .sort((a, b) => (a.name! < b.name! ? -1 : 1));
  expect((await post(some(100, 4))).status).toBe(200);
  expect((await post(some(300, 4))).status).toBe(200);
  const { status, body } = await post(some(500, 4));
  expect([status, body]).toEqual([400, expect.stringMatching(/^at most .* bytes, may fire; \d\d were rejected$/)]);
  const known = await held();
  expect(known.map(({ name }) => name)).toEqual(known.map((_, index) => `A${100 + index}`));
  // Read in several slices after the restart.
  expect(known.length).toBeGreaterThan(2 * LIMITS.sliceRows.value);

  expect((await post(some(100, 9, `${description} and more`))).status).toBe(200);
  const refreshed = await held();
  expect(new Set(refreshed.slice(0, 200).map(({ endsAt }) => endsAt))).toEqual(new Set([alert('', '', 9).endsAt]));
  expect(refreshed[0]!.size).toBeGreaterThan(60_000);
  expect((await post(some(100, 9, `${description}${'y'.repeat(5000)}`))).status).toBe(200);
  expect((await held()).reduce((sum, { size }) => sum + size, 0)).toBeLessThan(allowed);

  await bridge().restart();
  expect((await held()).map(({ name }) => name)).toEqual(known.map(({ name }) => name));
  expect((await post(some(100, -0.5))).status).toBe(200);
  expect((await post([alert('New', description)])).status).toBe(200);
  expect((await held()).map(({ name }) => name)).toEqual([...known.slice(200).map(({ name }) => name), 'New']);
});
