import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { urlOf } from '../../backend-bridge/src/listening.testing.ts';
import { RECEIVER_TEST } from './receiverTest.ts';
import { asRole, call, startTestConsole, startUpstream } from './console.testing.ts';

async function ask(url: string, role = 'Admin', connectTimeoutMs = 5000) {
  const running = await startTestConsole('http://127.0.0.1:1', { connectTimeoutMs });
  const body = JSON.stringify({ integration: { type: 'webhook', settings: { url } } });
  const answer = await call(running.url, RECEIVER_TEST, { method: 'POST', headers: asRole(role), body });
  return { code: answer.status, ...(JSON.parse(answer.body) as { status?: string; error?: string }) };
}

/** Accepts a connection and does this with it. */
const listen = async (accept: (socket: net.Socket) => void): Promise<string> =>
  `${await urlOf(net.createServer(accept))}/`;

it('returns the error message of Go', async () => {
  const { url } = await startUpstream((_request, response) => void response.writeHead(404).end());
  expect((await ask(url)).error).toBe('unexpected status code 404');
  expect((await ask('http://127.0.0.1:1/')).error).toBe(
    'Post "http://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused'
  );
  // A label of 64 letters is invalid, so no DNS server is queried.
  const nobody = `${'n'.repeat(64)}.invalid`;
  expect((await ask(`http://${nobody}/`)).error).toContain(`lookup ${nobody}: no such host`);
  expect((await ask(await listen((socket) => socket.destroy()))).error).toContain('EOF');
  const silent = await listen((socket) => onTestFinished(() => void socket.destroy()));
  expect((await ask(silent, 'Admin', 200)).error).toContain('context deadline exceeded');
});

it('returns no error if the request succeeded', async () => {
  const { url, received } = await startUpstream();
  expect(await ask(url)).toEqual({ code: 200, status: 'success', duration: '1ms' });
  expect(received).toHaveLength(1);
});

it('is not for viewers', async () => {
  expect((await ask('http://127.0.0.1:1/', 'Viewer')).code).toBe(403);
});
