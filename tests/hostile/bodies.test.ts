/** Request bodies designed to exhaust the heap. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const WEBHOOK = '/api/v1/webhooks/grafana';
const SEND = '/api/v1/notifications';

let bridge: RunningBridge;
beforeEach(async () => {
  bridge = await runBridge();
});
afterEach(() => bridge.stop());

interface Answer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

/** One connection each, so that no request waits for another. */
function post(path: string, body: Buffer | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${bridge.url}${path}`, { method: 'POST', agent: false, headers: JSON_TYPE }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          body: Buffer.concat(chunks).toString(),
        })
      );
    });
    sent.on('error', reject).end(body);
  });
}

async function expectAlive(): Promise<void> {
  const { status } = await post(SEND, JSON.stringify({ title: 'Disk full', body: '/ is at 100 %' }));
  expect([status, bridge.ended]).toEqual([201, null]);
}

/** A body of 16 MiB: `head`, then `item` as often as it fits, and `tail`. */
function filled(head: string, item: string, tail: string): Buffer {
  const size = LIMITS.webhookBodyBytes.value;
  const count = Math.floor((size - head.length - tail.length) / (item.length + 1));
  return Buffer.from(`${head}${`${item},`.repeat(count - 1)}${item}${tail}`);
}

test('16 MiB of empty arrays are rejected', async () => {
  const answer = await post(WEBHOOK, filled('{"alerts":[],"x":[', '[]', ']}'));
  expect(answer).toMatchObject({ status: 413 });
  expect(answer.body).toContain('500,000');
  await expectAlive();
});

test.each([
  ['numbers', '{"alerts":[', '1', ']}'],
  ['wrong alerts', '{"alerts":[', '{"status":1,"labels":1,"annotations":1,"startsAt":1,"endsAt":1}', ']}'],
])('the maximum number of %s is answered with 20 errors', async (_what, head, item, tail) => {
  const each = item.split(',').length + (item.startsWith('{') ? 1 : 0);
  const count = Math.min(Math.floor((LIMITS.webhookBodyElements.value - 2) / each), LIMITS.webhookAlerts.value);
  const { status, body } = await post(WEBHOOK, `${head}${`${item},`.repeat(count - 1)}${item}${tail}`);
  const problem = JSON.parse(body) as { errors: unknown[]; moreErrors: number };
  expect([status, problem.errors.length, problem.moreErrors]).toEqual([400, 20, 980]);
  expect(body.length).toBeLessThan(50_000);
  await expectAlive();
});

test('two million chunks of one byte are one body', async () => {
  const { hostname, port } = new URL(bridge.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write(
    `POST ${WEBHOOK} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
  );
  const text = `{"alerts":[],"pad":"${'x'.repeat(2_000_000)}"}`;
  for (let at = 0; at < text.length && !socket.destroyed; at += 50_000) {
    const chunks = [...text.slice(at, at + 50_000)].map((byte) => `1\r\n${byte}\r\n`).join('');
    if (!socket.write(chunks)) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
  }
  socket.write('0\r\n\r\n');
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await expectAlive();
});

test('600 concurrent notifications of 1 MiB: each is stored, or rejected with Retry-After', async () => {
  // One character outside Latin-1 doubles the size of every copy of the text.
  const body = Buffer.from(JSON.stringify({ title: 'Large', body: `☃${'x'.repeat(1_000_000)}` }));
  const answers = await Promise.all(Array.from({ length: 600 }, () => post(SEND, body)));
  const stored = answers.filter(({ status }) => status === 201).length;
  expect(stored).toBeGreaterThan(0);
  expect(new Set(answers.map(({ status, retryAfter }) => `${status} ${retryAfter ?? '-'}`))).toEqual(
    new Set(['201 -', '503 1'])
  );
  expect(bridge.ended).toBeNull();
  const { total } = (await (await bridge.get('/api/v1/notifications/facets')).json()) as { total: number };
  expect(total).toBe(stored);
  await expectAlive();
});

test('concurrent webhooks of 16 MiB: each is accepted, or rejected with Retry-After', async () => {
  const alert = { status: 'firing', labels: { alertname: 'A' }, annotations: { description: `☃${'x'.repeat(15e6)}` } };
  const body = Buffer.from(JSON.stringify({ alerts: [alert] }));
  const answers = await Promise.all(Array.from({ length: 12 }, () => post(WEBHOOK, body)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(answers.filter(({ status, retryAfter }) => status !== 200 && retryAfter !== '1')).toEqual([]);
  await expectAlive();
});

test('large bodies that never end do not block notifications', async () => {
  const { hostname, port } = new URL(bridge.url);
  const head = `POST ${SEND} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{"title":"`;
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    socket.write(head + 'x'.repeat(1_000_000));
    return socket;
  });
  const large = JSON.stringify({ title: 'Large', body: 'x'.repeat(1_000_000) });
  const eventually = (status: number) =>
    vi.waitFor(async () => expect((await post(SEND, large)).status).toBe(status), { timeout: 60_000 });
  await eventually(503);
  await expectAlive();
  sockets.forEach((socket) => socket.destroy());
  await eventually(201);
});
