/** The status of the bridge, which the configuration page uses to test the connection. */
import { afterEach, expect, it } from 'vitest';
import { TEST_ENGINE } from '../../backend-bridge/src/platform/storage/address.testing.ts';
import { NOTIFICATIONS, START, TestBridge } from './support.ts';

const PATH = '/api/v1/status';
let bridge: TestBridge;
afterEach(() => bridge.dispose());

it('contains the clock, the start time, and the time of the last notification', async () => {
  bridge = await TestBridge.start();
  bridge.clock.advance(60_000);
  const { body } = await bridge.request('GET', PATH);
  expect(body).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown,
    time: bridge.clock.iso,
    startedAt: new Date(START).toISOString(),
    auth: 'sender-open',
    webhookSecret: false,
    storeWritable: true,
    database: TEST_ENGINE,
    ...(TEST_ENGINE === 'postgres' && { replica: expect.objectContaining({ leads: expect.any(Boolean) }) as unknown }),
    pages: 0,
  });
  await bridge.request('POST', NOTIFICATIONS, { title: 'T', body: 'B' });
  const arrived = bridge.clock.iso;
  bridge.clock.advance(1000);
  expect((await bridge.request('GET', PATH)).body).toMatchObject({ lastReceivedAt: arrived, time: bridge.clock.iso });
});

it('contains the authentication methods of senders and Grafana, but no secrets', async () => {
  bridge = await TestBridge.start({ auth: 'token', webhookSecret: 'very-secret' });
  const { body } = await bridge.request('GET', PATH);
  expect(body).toMatchObject({ auth: 'token', webhookSecret: true });
  expect(JSON.stringify(body)).not.toContain('very-secret');
});
