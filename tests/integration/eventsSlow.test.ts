/** Clients of the event stream that are slow, or come back to much. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Listener } from './listener.ts';
import { TestBridge } from './support.ts';

let bridge: TestBridge;
const open: Listener[] = [];
beforeEach(async () => {
  bridge = await TestBridge.start();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
  await bridge.dispose();
});

async function listen(lastEventId?: number | string): Promise<Listener> {
  const listener = await Listener.connect(bridge, lastEventId);
  open.push(listener);
  return listener;
}

const clientCount = async (): Promise<number> =>
  Number(/^nodebell_event_clients (\d+)$/m.exec((await bridge.request('GET', '/metrics')).body as string)![1]);

describe('slow clients', () => {
  const BODY = 'x'.repeat(900_000);

  it('one that reads nothing is cut, and can resume from what it has', async () => {
    const { hostname, port } = new URL(bridge.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const headers = Object.entries(bridge.authorization)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    while (!text.includes('event: hello')) {
      await once(socket, 'data');
    }
    socket.pause();
    expect(await clientCount()).toBe(1);
    let sent = 0;
    while ((await clientCount()) === 1) {
      await bridge.send({ body: BODY });
      sent += 1;
    }
    await bridge.send({ title: 'the last' });
    sent += 1;
    socket.resume();
    await once(socket, 'close');

    // Length lines of the chunked coding stand between events, where a parser takes them for fields that it does not know.
    const ids: number[] = [];
    const parser = createParser({ onEvent: ({ id }) => void ids.push(Number(id)) });
    parser.feed(text.slice(text.indexOf('\r\n\r\n') + 4).replace(/(^|\r\n)[0-9a-f]+\r\n/g, ''));
    expect(ids.length).toBeLessThan(sent);
    const listener = await listen(ids.at(-1));
    const rest = await listener.until(({ data }) => data.notification?.title === 'the last');
    expect([...ids, ...rest.slice(1).map(({ id }) => id)]).toEqual(
      Array.from({ length: sent + 1 }, (_, index) => index)
    );
  });

  it('one that comes back and reads is not cut, however much it missed', async () => {
    await Promise.all(Array.from({ length: 12 }, () => bridge.send({ body: BODY })));
    const listener = await listen(0);
    await listener.until(13);
    expect(listener.heard.map(({ id }) => id)).toEqual(Array.from({ length: 13 }, (_, index) => index));
    expect(await clientCount()).toBe(1);
  });

  it('one that comes back whenever it is cut hears all, once', async () => {
    const heard: number[] = [];
    const hearing = (async () => {
      while (heard.length < 30) {
        const listener = await listen(heard.at(-1) ?? 0);
        await Promise.race([listener.ended, listener.until(31 - heard.length).catch(() => undefined)]);
        await listener.close();
        heard.push(...listener.heard.slice(1).map(({ id }) => id));
      }
    })();
    for (let sent = 0; sent < 30; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, () => bridge.send({ body: BODY })));
    }
    await hearing;
    expect(heard).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it('one that comes back and reads nothing holds nobody up', async () => {
    for (let sent = 0; sent < 60; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, () => bridge.send({ body: BODY })));
    }
    const { hostname, port } = new URL(bridge.url);
    const socket = connect(Number(port), hostname).pause();
    const headers = Object.entries({ ...bridge.authorization, 'Last-Event-ID': '0' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
    while ((await clientCount()) < 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const other = await listen();
    await bridge.send({ title: 'for the other' });
    await other.until(2);
    expect(other.heard[1]).toMatchObject({ id: 61, data: { notification: { title: 'for the other' } } });
    socket.destroy();
  });
});
