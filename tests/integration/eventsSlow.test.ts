/** Clients of the event stream that are slow, or resume after many events. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventSchemas } from '../../backend-bridge/contract/event.ts';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import { fromGrafana } from './grafanaPerson.testing.ts';
import { Listener } from './listener.ts';
import { expectProblem, NOTIFICATIONS, TestBridge } from './support.ts';

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
  /** A control character takes six bytes in JSON, so that a few events exceed the socket buffers. */
  const LONG = '\u0001'.repeat(1000);
  const BODY = 'x'.repeat(900_000);

  it('a client that reads nothing is disconnected, and resumes where it stopped', async () => {
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
      await Promise.all(Array.from({ length: 10 }, () => bridge.send({ title: LONG, body: LONG })));
      sent += 10;
    }
    await bridge.send({ title: 'the last' });
    sent += 1;
    socket.resume();
    await once(socket, 'close');

    // The chunked encoding puts length lines between events, which a parser ignores as unknown fields.
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

  it('a client that resumes and reads is not disconnected, however much it missed', async () => {
    await Promise.all(Array.from({ length: 12 }, () => bridge.send({ body: BODY })));
    const listener = await listen(0);
    await listener.until(13);
    expect(listener.heard.map(({ id }) => id)).toEqual(Array.from({ length: 13 }, (_, index) => index));
    expect(await clientCount()).toBe(1);
  });

  it('a client that resumes after each disconnect receives every event once', async () => {
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

  it('a client that resumes and reads nothing does not delay others', async () => {
    for (let sent = 0; sent < 60; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, () => bridge.send({ body: BODY })));
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

  it('an event contains the beginning of long texts, GET /notifications/{id} all of it', async () => {
    const listener = await listen();
    const { id } = await bridge.send({ title: 'T', body: BODY, errors: LONG.repeat(2) });
    await listener.until(2);
    const { notification } = listener.heard[1]!.data;
    expect(notification).toMatchObject({ id, title: 'T', bodyTruncated: true });
    expect([notification.body, notification.errors]).toEqual(['x'.repeat(1024), '\u0001'.repeat(1024)]);
    expect(eventSchemas.notification.parse(listener.heard[1]!.data)).toEqual(listener.heard[1]!.data);
    expect(notification.bodyBytes).toBe(BODY.length);
    const whole = await bridge.request('GET', `${NOTIFICATIONS}/${id}/body`);
    expect(whole.body === BODY).toBe(true);
  });
});

describe('number of streams', () => {
  const open200 = async (headers: Record<string, string>): Promise<number> => {
    const stop = new AbortController();
    stops.push(stop);
    const response = await fetch(`${bridge.url}/api/v1/events`, {
      headers: { ...bridge.authorization, ...headers },
      signal: stop.signal,
    });
    return response.status;
  };
  const stops: AbortController[] = [];
  afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

  it('20 per user; the next is rejected until one is closed, without affecting others', async () => {
    const anna = fromGrafana('anna');
    for (let opened = 0; opened < LIMITS.streamsOfPerson.value; opened += 1) {
      expect(await open200(anna)).toBe(200);
    }
    const refused = await bridge.request('GET', '/api/v1/events', undefined, anna);
    expectProblem(refused, 503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await open200(fromGrafana('bert'))).toBe(200);
    stops.shift()?.abort();
    await expect.poll(() => open200(anna)).toBe(200);
  });
});
