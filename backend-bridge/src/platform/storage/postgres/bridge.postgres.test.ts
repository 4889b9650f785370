/** Responses of a bridge while its database server is gone. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../folder.testing.ts';
import { type Bridge, startBridge } from '../../../bridge.ts';
import { readConfig } from '../../../config.ts';
import { PostgresServer } from './server.testing.ts';

const TOKEN = 'an-admin-token-for-this-test';
const PASSWORD = 'very-secret';
let server: PostgresServer;
const directory = temporaryFolder(afterAll);
let bridge: Bridge;
let log = '';
beforeAll(async () => {
  server = await PostgresServer.open();
  const config = readConfig({
    NODEBELL_PORT: '0',
    NODEBELL_DATA_DIR: directory,
    NODEBELL_ADMIN_TOKEN: TOKEN,
    NODEBELL_METRICS_OPEN: 'true',
    NODEBELL_LOG_LEVEL: 'debug',
    NODEBELL_DATABASE_URL: server.url('postgres').replace('nodebell@', `nodebell:${PASSWORD}@`),
  });
  bridge = await startBridge(config, pino({ level: 'debug' }, { write: (line: string) => void (log += line) }));
});
afterAll(async () => {
  await bridge.close();
  await server.remove();
});

const call = async (method: string, route: string, body?: unknown) => {
  const response = await fetch(bridge.url + route, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
};
const NOTIFICATIONS = '/api/v1/notifications';
const send = (title: string) => call('POST', NOTIFICATIONS, { title, body: 'B' });

it('503 with Retry-After, the reason in /readyz and the metrics, and 200 again when it is back', async () => {
  expect(await send('before')).toMatchObject({ status: 201 });
  await server.kill();
  expect(await send('during')).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) as string });
  expect(await call('GET', NOTIFICATIONS)).toMatchObject({ status: 503, retryAfter: '2' });
  const ready = await call('GET', '/readyz');
  expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('The database server cannot be reached.')]);
  const metrics = await call('GET', '/metrics');
  expect(metrics.status).toBe(200);
  expect(metrics.text).toContain('nodebell_store_failure{reason="unreachable"} 1');
  expect(metrics.text).toContain('nodebell_database_bytes Nan');
  await server.start();
  await vi.waitFor(async () => expect(await call('GET', '/readyz')).toMatchObject({ status: 200 }), {
    timeout: 30_000,
    interval: 100,
  });
  expect(await send('after')).toMatchObject({ status: 201 });
  const list = JSON.parse((await call('GET', NOTIFICATIONS)).text) as { title: string }[];
  expect(list.map(({ title }) => title)).toEqual(['after', 'before']);
  expect(log).not.toContain(PASSWORD);
});
