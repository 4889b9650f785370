import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useBridgeProcess } from './badInputProcess.testing.ts';

const bridge = useBridgeProcess();
const PAYLOAD = '{"title":"A title","body":"A body."}';
const head = (length: number) =>
  `POST /api/v1/notifications HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** A body of which a byte comes now and then. It takes as long as the bridge's patience, so it runs beside the other tests. */
let slowBody: Promise<{ answer: string; ms: number }>;
beforeAll(() => {
  const start = performance.now();
  slowBody = new Promise((resolve) => {
    let answer = '';
    const socket = bridge().open(() => socket.write(head(100_000)));
    const drip = setInterval(() => socket.write(' '), 500);
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => {
      clearInterval(drip);
      resolve({ answer, ms: performance.now() - start });
    });
  });
});

afterEach(async () => {
  expect(bridge().alive).toBe(true);
  expect(await bridge().count()).toBe(1);
});

describe('bodies that do not come whole', () => {
  test('a body that is cut off stores nothing', async () => {
    for (const sent of ['', '{', PAYLOAD.slice(0, -1), PAYLOAD]) {
      await new Promise<void>((resolve) => {
        const socket = bridge().open(() =>
          socket.write(head(PAYLOAD.length + 1) + sent, () => setTimeout(() => socket.destroy(), 20))
        );
        socket.on('close', () => resolve());
      });
    }
    await sleep(100);
  });

  test('a body that is shorter than its length says, with its end announced, is a 400', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = bridge().open(() => socket.end(head(PAYLOAD.length + 10) + PAYLOAD));
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer === '' || / 400 /.test(answer)).toBe(true);
  });
});

describe('5,000 open connections', () => {
  /** Less than the bridge's patience with who says nothing, so that only who was turned away is gone sooner. Milliseconds. */
  const TURNED_AWAY = 8000;

  const open = async (count: number, text: string): Promise<{ sockets: Socket[]; turnedAway: () => number }> => {
    const sockets: Socket[] = [];
    let turnedAway = 0;
    // In handfuls: what is tested is having them, not the length of the system's queue.
    for (let done = 0; done < count; done += 250) {
      await Promise.all(
        Array.from(
          { length: Math.min(250, count - done) },
          () =>
            new Promise<void>((resolve) => {
              const begin = performance.now();
              const socket = bridge().open(() => {
                if (text !== '') {
                  socket.write(text);
                }
                resolve();
              });
              socket.resume();
              socket.once('close', () => {
                turnedAway += performance.now() - begin < TURNED_AWAY ? 1 : 0;
                resolve();
              });
              sockets.push(socket);
            })
        )
      );
    }
    return { sockets, turnedAway: () => turnedAway };
  };

  test.each([
    ['idle ones', ''],
    ['half a header', 'GET / HTTP/1.1\r\nHo'],
    ['half a body', head(1000) + '{"title":'],
    ['an answer on every one of them', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ])('%s: others are served soon, and the memory stays small', async (kind, text) => {
    const { sockets, turnedAway } = await open(5000, text);
    const times: number[] = [];
    for (let request = 0; request < 20; request += 1) {
      const start = performance.now();
      const { status } = await bridge().request('GET', '/api/v1/notifications', undefined, {});
      expect(status).toBe(200);
      times.push(performance.now() - start);
    }
    expect(turnedAway()).toBeLessThan(100);
    // How soon is measured elsewhere; this is far from what a busy machine takes, and from what waiting for one of them would.
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(5000);
    expect(await bridge().memory).toBeLessThan(600);
    if (kind === 'idle ones') {
      // Who asks nothing is shown out; that the other kinds are as well is tested with shorter time-outs beside the server.
      await Promise.all(sockets.map((socket) => (socket.destroyed ? Promise.resolve() : once(socket, 'close'))));
    }
    sockets.forEach((socket) => socket.destroy());
  });
});

test('a body that comes a byte at a time is given up on: 408', async () => {
  const { answer, ms } = await slowBody;
  // Its answer may be lost with the connection, since bytes were still on their way.
  expect(answer === '' || /^HTTP\/1\.1 408 [^]*application\/problem\+json/.test(answer)).toBe(true);
  expect(ms).toBeGreaterThan(25_000);
});
