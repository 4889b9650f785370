/** Connections of Socket Mode. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../../../../contract/limits.ts';
import { CHATS, startSlack } from './chats.testing.ts';
import { make } from './kinds.testing.ts';
import { started } from './services.testing.ts';
import { startSocketMode } from './slackSocket.testing.ts';

const WAIT = { timeout: 20_000, interval: 10 };
afterEach(() => {
  vi.useRealTimers();
});

interface Given {
  appToken?: string;
  address?: string;
  broken?: 'silent' | 'half-open';
}

async function listening({ appToken = CHATS.appToken, address = '', broken }: Given = {}) {
  const socket = await startSocketMode(broken);
  const slack = await started(startSlack(() => address || socket.open()));
  const { token, channel } = CHATS;
  const { presses } = make({ type: 'slack', url: `${slack.url}/api`, token, channel, appToken });
  const ending = new AbortController();
  const failures: string[] = [];
  const running = presses!.listen(
    () => Promise.resolve('Done.'),
    (reason) => failures.push(reason),
    ending.signal
  );
  const end = async () => {
    ending.abort();
    await running;
    await socket.close();
  };
  return { socket, slack, failures, end };
}

test('a connection is renewed, and the one before is closed once the next one is there', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, failures, end } = await listening();
  await vi.waitFor(() => expect(socket.connections.size).toBe(1), WAIT);
  const [first] = socket.connections;
  // A press of no button; acknowledged after "hello" was read.
  socket.send({ type: 'events_api', envelope_id: 'e1', payload: { type: 'event_callback' } });
  await vi.waitFor(() => expect(socket.acknowledged).toEqual(['e1']), WAIT);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  await vi.waitFor(() => {
    expect(socket.connections).not.toContain(first);
    expect(socket.connections.size).toBe(1);
  }, WAIT);
  expect(failures).toEqual([]);
  await end();
});

test('a press is acknowledged before its answer is sent', async () => {
  const { socket, end } = await listening();
  const arrived: IncomingMessage[] = [];
  // Does not respond.
  const slow = createServer((request) => void arrived.push(request)).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  await vi.waitFor(() => expect(socket.connections.size).toBe(1), WAIT);
  socket.send({
    type: 'interactive',
    envelope_id: 'e1',
    payload: {
      type: 'block_actions',
      user: { id: 'U1' },
      channel: { id: CHATS.channel },
      response_url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
      actions: [{ value: 'token' }],
    },
  });
  await vi.waitFor(() => expect(arrived).toHaveLength(1), WAIT);
  await vi.waitFor(() => expect(socket.acknowledged).toEqual(['e1']), WAIT);
  // The request has not ended by its own limit.
  expect(arrived[0]!.destroyed).toBe(false);
  await end();
  slow.close();
});

test('a new connection that Slack ends is an error, so that the next one comes later', async () => {
  const { socket, failures, end } = await listening();
  await vi.waitFor(() => expect(socket.connections.size).toBe(1), WAIT);
  socket.end('too_many_websockets');
  await vi.waitFor(() => expect(failures).toEqual(['Slack has ended a new connection: too_many_websockets.']), WAIT);
  await end();
});

test('a connection without "hello" is an error', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { socket, failures, end } = await listening({ broken: 'silent' });
  await vi.waitFor(() => expect(socket.connections.size).toBe(1), WAIT);
  await vi.advanceTimersByTimeAsync(LIMITS.channelTime.value);
  await vi.waitFor(() => expect(failures).toEqual(['Slack does not respond on the WebSocket.']), WAIT);
  await end();
});

test('a stop does not wait for a server that does not close the connection', async () => {
  const { socket, end } = await listening({ broken: 'half-open' });
  await vi.waitFor(() => expect(socket.connections.size).toBe(1), WAIT);
  socket.send({ type: 'events_api', envelope_id: 'e1', payload: { type: 'event_callback' } });
  await vi.waitFor(() => expect(socket.acknowledged).toEqual(['e1']), WAIT);
  await end();
});

test.each([
  ['a wrong token', { appToken: 'xapp-wrong' }, 'The server responds with 200: invalid_auth.'],
  [
    'an address that the bridge does not connect to',
    { address: 'ws://127.0.0.2:1/link' },
    'does not connect to 127.0.0.2',
  ],
])('%s is named, without secrets', async (_, given, reason) => {
  const { failures, end } = await listening(given);
  await vi.waitFor(() => expect(failures[0]).toContain(reason), WAIT);
  expect(failures[0]).not.toContain('xapp-');
  await end();
});
