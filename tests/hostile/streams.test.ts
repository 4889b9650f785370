/** Event streams that are not read, while large notifications arrive. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, runBridge, type RunningBridge } from '../bench/bridge.ts';

/** Far below the resident set that the old space of 384 MB and the rest of the process would allow. */
const MAX_RSS = 450 * 1024 * 1024;
/** The largest body of a request. */
const LARGE = 'x'.repeat(1_000_000);
/** Control characters take six bytes each in JSON: the largest possible event. */
const ESCAPED = '\u0001'.repeat(1000);

let bridge: RunningBridge;
const sockets: Socket[] = [];
beforeEach(async () => {
  bridge = await runBridge();
});
afterEach(async () => {
  sockets.splice(0).forEach((socket) => socket.destroy());
  await bridge.stop();
});

const personHeader = (login: string, anonymous = false): string =>
  `X-Grafana-Context: ${JSON.stringify({
    OrgID: 1,
    OrgRole: 'Viewer',
    ...(anonymous ? { IsAnonymous: true } : { UserID: 1, UserUID: login, Login: login }),
  })}`;

/** A stream over a socket of its own, once the bridge has responded. */
async function open(header: string, lastEventId?: number): Promise<{ socket: Socket; head: string }> {
  const { hostname, port } = new URL(bridge.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  const lines = ['GET /api/v1/events HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${ADMIN_TOKEN}`, header];
  const resume = lastEventId === undefined ? [] : [`Last-Event-ID: ${lastEventId}`];
  socket.write([...lines, ...resume, '', ''].join('\r\n'));
  socket.setEncoding('latin1');
  const head = await new Promise<string>((resolve, reject) => {
    socket.once('data', resolve);
    socket.once('close', () => reject(new Error('the bridge closed the connection')));
  });
  return { socket, head };
}

async function openUnread(count: number, header: (index: number) => string): Promise<string[]> {
  const streams = await Promise.all(Array.from({ length: count }, (_, index) => open(header(index))));
  streams.forEach(({ socket }) => socket.pause());
  return streams.map(({ head }) => head.slice(9, 12));
}

async function send(payload: Record<string, unknown>): Promise<number> {
  const response = await fetch(`${bridge.url}/api/v1/notifications`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'A title', body: 'A body', ...payload }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Large notifications with small ones in between. @returns the responses to the small ones, and the maximum resident set */
async function storm(large: number): Promise<{ honest: number[]; rss: number }> {
  const honest: number[] = [];
  let rss = 0;
  for (let sent = 0; sent < large; sent += 4) {
    await Promise.all(Array.from({ length: 4 }, () => send({ body: LARGE })));
    honest.push(await send({ title: 'honest' }));
    rss = Math.max(rss, bridge.memory());
  }
  return { honest, rss };
}

const streamCount = async (): Promise<number> =>
  Number(/^nodebell_event_clients (\d+)$/m.exec(await (await bridge.get('/metrics')).text())![1]);

describe('streams that nobody reads', () => {
  it.each([
    ['200 of ten persons', 200, (index: number) => personHeader(`person${index % 10}`)],
    ['150 of anonymous visitors', 150, () => personHeader('', true)],
  ])('%s do not stop the bridge while large notifications arrive', async (_name, count, header) => {
    const statuses = await openUnread(count, header);
    expect(new Set(statuses)).toEqual(new Set(['200']));
    const { honest, rss } = await storm(60);
    expect(bridge.ended).toBeNull();
    expect(honest).toEqual(honest.map(() => 201));
    expect(rss).toBeLessThan(MAX_RSS);
  });
});

it('200 that resume at large notifications do not stop the bridge', async () => {
  expect((await storm(40)).honest).toHaveLength(10);
  await Promise.all(Array.from({ length: 200 }, (_, index) => open(personHeader(`person${index % 10}`), 0)));
  sockets.forEach((socket) => socket.pause());
  const { honest, rss } = await storm(8);
  expect([bridge.ended, honest, rss < MAX_RSS]).toEqual([null, [201, 201], true]);
});

it('streams beyond the limit of a user are rejected, and other users get theirs', async () => {
  await openUnread(20, () => personHeader('anna'));
  const { head } = await open(personHeader('anna'));
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  expect(head).toMatch(/\r\nRetry-After: \d+\r\n/i);
  expect((await open(personHeader('bert'))).head).toMatch(/^HTTP\/1\.1 200 /);
});

function eventsOf(text: string): Array<{ id: number; type: string | undefined }> {
  const events: Array<{ id: number; type: string | undefined }> = [];
  // The chunked encoding puts length lines between events, which a parser ignores as unknown fields.
  createParser({ onEvent: ({ id, event }) => void events.push({ id: Number(id), type: event }) }).feed(
    text.slice(text.indexOf('\r\n\r\n') + 4).replace(/(^|\r\n)[0-9a-f]+\r\n/g, '')
  );
  return events;
}
const idsOf = (text: string): number[] => eventsOf(text).map(({ id }) => id);

it('200 streams during a storm of 10,000 alerts: the unread ones are ended, and those that are read have each event once', async () => {
  const alerts = Array.from({ length: 10_000 }, (_, index) => ({
    status: 'firing',
    labels: { alertname: 'HighCPU', instance: `host-${index}` },
    startsAt: '2026-11-21T09:00:00Z',
    fingerprint: `f${index}`,
  }));
  expect(new Set(await openUnread(190, (index) => personHeader(`person${index % 10}`)))).toEqual(new Set(['200']));
  // Open before the first alert: a stream that opens after the last one has nothing to send.
  const readers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => ({
      stream: await open(personHeader(`reader${index}`)),
      lastId: undefined as number | undefined,
      events: 0,
    }))
  );
  const gaps: string[] = [];
  const follow = async (reader: (typeof readers)[number], index: number): Promise<void> => {
    while (reader.lastId !== 10_000) {
      const { socket, head } = reader.stream;
      let text = head;
      socket.on('data', (chunk: string) => (text += chunk));
      await Promise.race([
        once(socket, 'close'),
        expect.poll(() => /id: ?10000\b/.test(text), { timeout: 60_000 }).toBe(true),
      ]);
      socket.destroy();
      for (const { id, type } of eventsOf(text)) {
        if (type === 'notification' && id !== (reader.lastId ?? 0) + 1) {
          gaps.push(`${reader.lastId} to ${id}`);
        }
        reader.events += type === 'notification' ? 1 : 0;
        reader.lastId = id;
      }
      if (reader.lastId !== 10_000) {
        reader.stream = await open(personHeader(`reader${index}`), reader.lastId);
      }
    }
  };
  const following = readers.map(follow);
  const answer = await fetch(`${bridge.url}/api/v1/webhooks/alertmanager`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version: '4', status: 'firing', alerts }),
  });
  expect(await answer.json()).toMatchObject({ accepted: 10_000 });
  let rss = 0;
  const watching = setInterval(() => (rss = Math.max(rss, bridge.memory())), 50);
  await Promise.all(following).finally(() => clearInterval(watching));
  expect(gaps).toEqual([]);
  expect(Math.max(...readers.map(({ events }) => events))).toBeGreaterThan(0);
  expect([bridge.ended, rss < MAX_RSS]).toEqual([null, true]);
  await expect.poll(streamCount, { timeout: 60_000 }).toBe(0);
});

it('a stream that was closed for being slow resumes without a gap', async () => {
  const { socket, head } = await open(personHeader('anna'));
  socket.pause();
  let sent = 0;
  while ((await streamCount()) === 1 && sent < 990) {
    await Promise.all(Array.from({ length: 10 }, () => send({ title: ESCAPED, body: ESCAPED })));
    sent += 10;
  }
  expect(await streamCount()).toBe(0);

  let text = head;
  socket.on('data', (chunk: string) => (text += chunk)).resume();
  await once(socket, 'close');
  const before = idsOf(text);
  const again = await open(personHeader('anna'), before.at(-1));
  let rest = again.head;
  again.socket.on('data', (chunk: string) => (rest += chunk));
  await expect.poll(() => idsOf(rest).at(-1), { timeout: 60_000 }).toBe(sent);
  expect([...before, ...idsOf(rest).slice(1)]).toEqual(Array.from({ length: sent + 1 }, (_, index) => index));
});
