/** Long texts and many names: stored data must not stop the bridge or delay readers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

const MIB = 2 ** 20;
/** More than the heap. */
const BODIES = 450;
const CATEGORIES = 5000;
const AT_ONCE = 8;

let bridge: RunningBridge;
beforeAll(async () => {
  bridge = await runBridge();
});
afterAll(() => bridge.stop());

const headers = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` };
const send = (payload: object): Promise<Response> =>
  fetch(`${bridge.url}/api/v1/notifications`, { method: 'POST', headers, body: JSON.stringify(payload) });

/** @returns the response, or that the bridge crashed */
async function get(path: string): Promise<Response | 'died'> {
  return bridge.get(path).catch(() => 'died' as const);
}

async function all(count: number, one: (index: number) => Promise<unknown>): Promise<void> {
  const left = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const index of left) {
        await one(index);
      }
    })
  );
}

test('a list of notifications of 1 MB each ends at its limit, and links to the next page', async () => {
  const body = 'x'.repeat(MIB - 200);
  await all(BODIES, async (index) => {
    const response = await send({ title: `${index}`, body, correlationId: 'one' });
    expect(response.status).toBe(201);
    await response.arrayBuffer();
  });
  const seen = new Set<number>();
  for (let path: string | undefined = '/api/v1/notifications?limit=1000'; path !== undefined;) {
    const response = await get(path);
    expect([response === 'died', bridge.ended]).toEqual([false, null]);
    const answer = response as Response;
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4 * MIB);
    (JSON.parse(text) as { id: number }[]).forEach(({ id }) => seen.add(id));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(seen.size).toBe(BODIES);

  const detail = await get('/api/v1/notifications/1');
  expect([detail === 'died', bridge.ended]).toEqual([false, null]);
  expect(Buffer.byteLength(await (detail as Response).text())).toBeLessThanOrEqual(5 * MIB);
  const whole = await get('/api/v1/notifications/1/body');
  expect((await (whole as Response).text()) === body).toBe(true);
});

test('one sender cannot fill the menus: thousands of categories are stored, but only some by name', async () => {
  const alerts = Array.from({ length: CATEGORIES }, (_, index) => ({
    status: 'firing',
    labels: {
      alertname: `Alert ${index}`,
      category: `${'c'.repeat(500)}${index}`,
      dnpName: `${'p'.repeat(500)}${index}`,
    },
    startsAt: '2026-11-21T09:00:00Z',
    fingerprint: `f${index}`,
  }));
  const answer = await fetch(`${bridge.url}/api/v1/webhooks/alertmanager`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ version: '4', status: 'firing', alerts }),
  });
  expect(await answer.json()).toMatchObject({ accepted: CATEGORIES });
  const response = (await get('/api/v1/notifications/facets')) as Response;
  const text = await response.text();
  const facets = JSON.parse(text) as { total: number; categories: unknown[]; packages: unknown[] };
  expect(facets.total).toBeGreaterThanOrEqual(CATEGORIES);
  expect(facets.categories.length).toBeLessThanOrEqual(500);
  expect(facets.packages.length).toBeLessThanOrEqual(500);
  expect(Buffer.byteLength(text)).toBeLessThan(2 * MIB);
  const categories = (await ((await get('/api/v1/categories')) as Response).json()) as unknown[];
  expect(categories.length).toBeLessThan(CATEGORIES / 5);
});
