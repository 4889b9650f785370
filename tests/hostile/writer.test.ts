/** Attacks on the write queue, the writer thread and the data folder. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../backend-bridge/src/folder.testing.ts';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

let bridge: RunningBridge;
let dataDir: string;
beforeEach(async () => {
  dataDir = temporaryFolder();
  bridge = await runBridge(dataDir);
});
afterEach(async () => {
  await bridge.stop();
});

const post = (path: string, body: string): Promise<Response> =>
  fetch(`${bridge.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const send = (title: string): Promise<Response> => post('/api/v1/notifications', JSON.stringify({ title, body: 'B' }));
const statusOf = async (path: string): Promise<number> => (await fetch(`${bridge.url}${path}`)).status;
const alerts = (count: number, alert: (index: number) => string): string =>
  `{"alerts":[${Array.from({ length: count }, (_, index) => alert(index)).join(',')}]}`;
const alert = (label: string, index: number): string =>
  `{"status":"firing","startsAt":"2026-01-01T00:00:00Z","labels":{"${label}":"${index}"}}`;
const stored = async (): Promise<number> =>
  ((await (await bridge.get('/api/v1/notifications/facets')).json()) as { total: number }).total;

test('210,000 minimal alerts in one webhook are rejected, and other senders are not affected', async () => {
  const response = await post(
    '/api/v1/webhooks/alertmanager',
    alerts(210_000, (index) => alert('a', index))
  );
  expect([response.status, await statusOf('/readyz'), (await send('honest')).status, bridge.ended]).toEqual([
    413,
    200,
    201,
    null,
  ]);
  expect(await stored()).toBe(1);
});

test('the maximum number of alerts in one webhook is stored completely, three times concurrently', async () => {
  const count = LIMITS.webhookAlerts.value;
  const before = await send('before');
  const bodies = ['a', 'b', 'c'].map((label) => alerts(count, (index) => alert(label, index)));
  const responses = await Promise.all(bodies.map((body) => post('/api/v1/webhooks/alertmanager', body)));
  const statuses = responses.map(({ status }) => status);
  // Rejected ones get Retry-After.
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  const accepted = statuses.filter((status) => status === 200).length;
  expect(accepted).toBeGreaterThan(0);
  expect([before.status, (await send('after')).status, bridge.ended]).toEqual([201, 201, null]);
  expect(await stored()).toBe(accepted * count + 2);
});

/** Ends the writer thread, and no other, while a file of this name exists. */
function deadly(file: string): Record<string, string> {
  const source = `import fs from 'node:fs'; import { isMainThread } from 'node:worker_threads';
    if (!isMainThread) setInterval(() => { if (fs.existsSync(${JSON.stringify(file)})) throw new Error('killed'); }, 20).unref();`;
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(source).toString('base64')}` };
}

test('a webhook with the maximum number of alerts holds up no single send for long', async () => {
  const count = LIMITS.webhookAlerts.value;
  await send('warm');
  let over = false;
  const start = performance.now();
  const webhook = post(
    '/api/v1/webhooks/alertmanager',
    alerts(count, (index) => alert('a', index))
  ).then((response) => {
    over = true;
    return { status: response.status, took: performance.now() - start };
  });
  const waits: number[] = [];
  while (!over) {
    const sent = performance.now();
    expect((await send('single')).status).toBe(201);
    waits.push(performance.now() - sent);
  }
  const { status, took } = await webhook;
  expect(status).toBe(200);
  // A share, since a busy machine makes both slower; at once is fast enough however short the webhook is.
  expect(Math.max(...waits)).toBeLessThan(Math.max(1000, took / 3));
  expect(await stored()).toBe(count + 1 + waits.length);
});

test('the writer crashes: probes fail, it is restarted, and after repeated crashes the process exits', async () => {
  await bridge.stop();
  const file = join(dataDir, 'kill');
  bridge = await runBridge(dataDir, { ...deadly(file), NODEBELL_LOG_LEVEL: 'silent' });
  writeFileSync(file, '');
  await vi.waitFor(async () => expect(await statusOf('/healthz')).toBe(503), { timeout: 60_000, interval: 10 });
  rmSync(file);
  await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), { timeout: 30_000 });
  expect((await send('after a restart')).status).toBe(201);
  writeFileSync(file, '');
  await vi.waitFor(() => expect(bridge.ended).toBe(1), { timeout: 30_000 });
});

test('a second bridge on the same folder is rejected, and a killed one leaves no lock behind', async () => {
  const entry = join(import.meta.dirname, '../../backend-bridge/dist/src/main.js');
  const env = { ...process.env, NODEBELL_PORT: '0', NODEBELL_DATA_DIR: dataDir, NODEBELL_ADMIN_TOKEN: ADMIN_TOKEN };
  const second = promisify(execFile)(process.execPath, [entry], { env, timeout: 60_000 });
  await expect(second).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/in use by another bridge \(process \d+ on \S+, since \d{4}-/) as unknown,
  });
  const holder = JSON.parse(readFileSync(join(dataDir, 'nodebell.lock.json'), 'utf8')) as { pid: number };
  process.kill(holder.pid, 'SIGKILL');
  await vi.waitFor(() => expect(bridge.ended).toBe('SIGKILL'), { timeout: 60_000 });
  bridge = await runBridge(dataDir);
  expect((await send('after')).status).toBe(201);
});

test('if the database is removed while the bridge runs, nothing is acknowledged', async () => {
  expect((await send('before')).status).toBe(201);
  readdirSync(dataDir)
    .filter((name) => name.startsWith('nodebell.db'))
    .forEach((name) => unlinkSync(join(dataDir, name)));
  const refused = await send('after');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  const ready = await fetch(`${bridge.url}/readyz`);
  expect([ready.status, ((await ready.json()) as { detail: string }).detail]).toEqual([
    503,
    'nodebell.db was removed while the bridge is running.',
  ]);
  expect(bridge.ended).toBe(null);
});
