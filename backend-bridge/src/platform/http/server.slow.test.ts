import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { jsonBody } from './body.ts';
import { sendRaw, startServer } from './httpServer.testing.ts';
import { connectionLimit, listen } from './server.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const start = (options = {}) =>
  startServer((app) => {
    app.post('/', ...jsonBody(), (_req, res) => void res.json({}));
    app.get('/', (_req, res) => void res.json({}));
  }, options);

function problemIn(answer: string): unknown {
  expect(answer).toContain('Content-Type: application/problem+json');
  expect(answer).toContain('Connection: close');
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as unknown;
}

describe('slow and broken requests', () => {
  const short = { headersTimeout: 300, requestTimeout: 600 };

  test.each([
    ['no byte at all', ''],
    ['headers without an end', 'POST / HTTP/1.1\r\nHost: x\r\n'],
    ['a body that never comes', `${HEAD}Content-Length: 10\r\n\r\n`],
    ['a body that stops', `${HEAD}Content-Length: 10\r\n\r\n{"a"`],
    ['chunks that stop', `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n`],
  ])('%s: 408', async (_kind, text) => {
    const { port } = await start(short);
    const answer = await sendRaw(port, text);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(problemIn(answer)).toMatchObject({ status: 408, type: '/api/v1/problems/timeout', errors: [] });
  });

  test('a byte now and then does not keep a connection', async () => {
    const { port } = await start(short);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`);
    const drip = setInterval(() => socket.write(' '), 50);
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(drip);
  });

  test.each([
    ['not HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0000\u00f1\r\n\r\n'],
    ['a wrong length', `${HEAD}Content-Length: x\r\n\r\n`],
    ['two ways to tell the length', `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['a header with a line break in it', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\u0000c\r\n\r\n'],
    ['headers of 20 kB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('%s: 400', async (_kind, text) => {
    const { port } = await start();
    const answer = await sendRaw(port, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(problemIn(answer)).toMatchObject({ status: 400, type: '/api/v1/problems/malformed' });
  });

  test('on a connection that was good before', async () => {
    const { port } = await start();
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    let answers = '';
    socket.once('data', () => socket.write('nonsense\r\n\r\n'));
    socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
    await new Promise((resolve) => socket.on('close', resolve));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test('right behind a request whose response is under way: the connection ends without a second response in the first', async () => {
    const { port } = await start();
    const answers = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });
});

describe('clients that do not read', () => {
  /** More than the buffers of two sockets hold. */
  const LARGE = 'x'.repeat(24 * 1024 * 1024);
  const startLarge = (options: object, type = 'text/plain') =>
    startServer((app) => app.get('/', (_req, res) => void res.type(type).send(LARGE)), options);

  /** A client that requests and never reads. */
  function deaf(port: number): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => resolve(socket));
      });
      socket.on('error', () => undefined);
    });
  }
  const open = ({ server }: { server: Server }) =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  const untilOpen = (listening: { server: Server }, count: number) =>
    vi.waitFor(async () => expect(await open(listening)).toBe(count), { timeout: 60_000 });

  test('one that reads nothing for the time allowed is disconnected', async () => {
    const listening = await startLarge({ responseStall: 200 });
    await deaf(listening.port);
    await untilOpen(listening, 1);
    await untilOpen(listening, 0);
  });

  test('one that reads a stream slowly is not', async () => {
    const parts = 640;
    const { port } = await startServer(
      (app) => app.get('/', (_req, res) => void Readable.from(Array(parts).fill(Buffer.alloc(64 * 1024))).pipe(res)),
      { responseStall: 1500 }
    );
    const slow = await deaf(port);
    let read = 0;
    const reading = setInterval(() => (read += (slow.read() as Buffer | null)?.length ?? 0), 5);
    await vi.waitFor(() => expect(read).toBeGreaterThan(parts * 64 * 1024), { timeout: 60_000 });
    clearInterval(reading);
    slow.destroy();
  });

  test('beyond the bytes allowed for all, the one that has waited longest is disconnected', async () => {
    const listening = await startLarge({ unreadResponses: 40 * 1024 * 1024 });
    const [first, second] = [await deaf(listening.port), await deaf(listening.port)];
    await untilOpen(listening, 1);
    // A truncated body cannot be read to its end.
    let read = 0;
    first.on('data', (chunk: Buffer) => (read += chunk.length)).resume();
    await new Promise((resolve) => first.once('close', resolve));
    expect(read).toBeLessThan(LARGE.length);
    second.destroy();
  });

  test('an event stream is left alone', async () => {
    const listening = await startLarge({ responseStall: 100 }, 'text/event-stream');
    const socket = await deaf(listening.port);
    const other = await startLarge({ responseStall: 100 });
    await deaf(other.port);
    await untilOpen(other, 0);
    expect(await open(listening)).toBe(1);
    socket.destroy();
  });
});

describe('many connections', () => {
  test.each([
    [undefined, 10_000],
    [1_048_576, 10_000],
    [20_000, 10_000],
    [4096, 3840],
    [256, 64],
    [0, 64],
  ])('of %s open files the sockets may have all but a reserve: %i', (files, connections) => {
    expect(connectionLimit(files)).toBe(connections);
  });

  test('one too many is turned away, the others are served', async () => {
    const { port, url } = await start({ maxConnections: 3 });
    const open: Socket[] = [];
    for (let count = 0; count < 2; count += 1) {
      open.push(
        await new Promise<Socket>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket));
        })
      );
    }
    expect((await fetch(url)).status).toBe(200);
    await expect(sendRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n').then((text) => text || 'closed')).resolves.toBe(
      'closed'
    );
    open.forEach((socket) => socket.destroy());
  });
});

describe('the end', () => {
  /** Longer than a test may take: it fails when `close` waits for something that does not end. */
  const patient = { closeTimeout: 600_000, headersTimeout: 600_000, requestTimeout: 600_000 };

  test('responses under way are finished, idle connections are closed, new ones rejected', async () => {
    let arrived: () => void;
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    let answer: () => void = () => undefined;
    const { url, close } = await startServer(
      (app) =>
        app.get('/', (req, res) => {
          answer = () => void res.json({ path: req.path });
          if (req.query.slow) {
            arrived();
          } else {
            answer();
          }
        }),
      patient
    );
    await (await fetch(url)).text();
    const slow = fetch(`${url}/?slow=1`);
    await underWay;
    const closed = close();
    await expect(sendRaw(Number(new URL(url).port), 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).rejects.toThrow(
      'ECONNREFUSED'
    );
    // Any time, without a limit.
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer();
    expect(await (await slow).json()).toEqual({ path: '/' });
    await closed;
    await expect(fetch(url)).rejects.toThrow();
  });

  test('connections without a request are closed', async () => {
    const { port, server, close } = await startServer(() => undefined, patient);
    const accepted = new Promise((resolve) => server.once('connection', resolve));
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await accepted;
    await close();
  });

  test('event streams are ended', async () => {
    const { url, close } = await startServer(
      (app) =>
        app.get('/', (_req, res) => {
          res.set('Content-Type', 'text/event-stream').write(': hello\n\n');
        }),
      patient
    );
    const stream = await fetch(url);
    await close();
    expect(await stream.text()).toBe(': hello\n\n');
  });

  test('what never ends is cut off', async () => {
    const { url, close } = await startServer((app) => app.get('/', (_req, res) => void res.write('x')), {
      closeTimeout: 200,
    });
    const stuck = await fetch(url);
    await close();
    await expect(stuck.text()).rejects.toThrow();
  });

  test('an address in use is reported', async () => {
    const { port } = await start();
    await expect(listen(() => undefined, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
