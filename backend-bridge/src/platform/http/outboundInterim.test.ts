/** Responses with a status 1xx, which Node does not emit as a response: nobody may wait for one that never comes. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readAddressRules } from './addresses.ts';
import { createOutbound, type OutboundError } from './outbound.ts';

/** A server that says this to every request, and no more. */
async function serve(said: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => socket.write(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const patience = (timeoutMs: number) =>
  createOutbound({ allow: readAddressRules(['127.0.0.1']), timeoutMs, maxBytes: 1000 });
const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'it was answered',
    ({ reason, message }: OutboundError) => `${reason}: ${message}`
  );

test('a server that changes to another protocol is not followed', async () => {
  const at = await serve('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await refusal(patience(60_000).fetchGuarded(`http://${at}/`, 'icon'))).toBe(
    `unreachable: Could not fetch the icon at ${at}: HTTP_101.`
  );
});

test('a server that only ever hints is given up on', async () => {
  const at = await serve('HTTP/1.1 103 Early Hints\r\n\r\n');
  expect(await refusal(patience(500).fetchGuarded(`http://${at}/`, 'icon'))).toContain('timeout: ');
});

test('an aborted request is not sent', async () => {
  const at = await serve('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  const { fetchGuarded } = patience(60_000);
  expect(await refusal(fetchGuarded(`http://${at}/`, 'icon', { signal: AbortSignal.abort() }))).toContain('timeout: ');
});
