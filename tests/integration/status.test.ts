/** What the bridge says of itself, which Grafana's configuration page tests its connection with. */
import { afterEach, expect, it } from 'vitest';
import { NOTIFICATIONS, START, TestBridge } from './support.ts';

const PATH = '/api/v1/status';
let bridge: TestBridge;
afterEach(() => bridge.dispose());

it('tells its clock, since when it runs, and when something arrived last', async () => {
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
    pages: 0,
  });
  await bridge.request('POST', NOTIFICATIONS, { title: 'T', body: 'B' });
  const arrived = bridge.clock.iso;
  bridge.clock.advance(1000);
  expect((await bridge.request('GET', PATH)).body).toMatchObject({ lastReceivedAt: arrived, time: bridge.clock.iso });
});

it('tells how senders and Grafana prove who they are, and never the secret', async () => {
  bridge = await TestBridge.start({ auth: 'token', webhookSecret: 'very-secret' });
  const { body } = await bridge.request('GET', PATH);
  expect(body).toMatchObject({ auth: 'token', webhookSecret: true });
  expect(JSON.stringify(body)).not.toContain('very-secret');
});
