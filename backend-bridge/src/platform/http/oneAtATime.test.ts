import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from './server.ts';
import { oneAtATime } from './oneAtATime.ts';

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A server whose requests respond when they are released, and a client of it. */
async function startHeld(most?: number) {
  const held: [IncomingMessage, ServerResponse][] = [];
  const app = (req: IncomingMessage, res: ServerResponse): void => void held.push([req, res]);
  const listening = await listen(most === undefined ? app : oneAtATime(app, most), { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close());
  const socket = connect(listening.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  return { held, socket, received: () => received };
}
const until = (check: () => void) => vi.waitFor(check, { interval: 5 });

test('pipelined requests run one after another, in their order', async () => {
  const { held, socket, received } = await startHeld();
  socket.write(['/a', '/b', '/c'].map(GET).join(''));
  for (const [index, path] of ['/a', '/b', '/c'].entries()) {
    await until(() => expect(held).toHaveLength(index + 1));
    expect(held[index]![0].url).toBe(path);
    held[index]![1].end(path);
  }
  await until(() => expect(received().match(/\/[abc]/g)).toEqual(['/a', '/b', '/c']));
  socket.write(GET('/d'));
  await until(() => expect(held).toHaveLength(4));
});

test('none runs after the client has closed the connection', async () => {
  const { held, socket } = await startHeld();
  socket.write(GET('/a') + GET('/b'));
  await until(() => expect(held).toHaveLength(1));
  socket.destroy();
  await new Promise((resolve) => held[0]![1].once('close', resolve));
  held[0]![1].end();
  const other = await startHeld();
  other.socket.write(GET('/c'));
  await until(() => expect(other.held).toHaveLength(1));
  expect(held).toHaveLength(1);
});

test('a connection on which too many wait is closed', async () => {
  const { held, socket, received } = await startHeld();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).write(GET('/').repeat(200));
  await closed;
  expect([held.length, received()]).toEqual([1, '']);
});
