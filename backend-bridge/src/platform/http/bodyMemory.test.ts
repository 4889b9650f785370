import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { jsonBody } from './body.ts';
import { createBodyMemory } from './bodyMemory.ts';
import { startServer } from './httpServer.testing.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const chunked = (text: string) => new Blob([text]).stream();
const post = (url: string, body: string) => fetch(url, { method: 'POST', headers: JSON_TYPE, body });
const MIB = 1024 * 1024;
const quoted = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;
/** Room for a large body of 512 KiB and no second one; its routes respond when they are released. */
async function startHeld() {
  const memory = createBodyMemory(MIB, 4 * MIB);
  const held: (() => void)[] = [];
  const server = await startServer((app) => {
    app.post('/', ...jsonBody({ memory }), (_req, res) => void held.push(() => void res.json({})));
    app.post('/now', ...jsonBody({ memory }), (_req, res) => void res.json({}));
  });
  return { ...server, memory, held };
}
const until = (check: () => void) => vi.waitFor(check, { interval: 5 });

test('beyond it a body is refused with Retry-After, until another response is sent', async () => {
  const { url, memory, held } = await startHeld();
  const first = post(url, quoted(MIB / 2));
  await until(() => expect(held).toHaveLength(1));
  for (const body of [quoted(MIB / 2), chunked(quoted(MIB / 2))]) {
    const refused = await fetch(`${url}/now`, {
      method: 'POST',
      headers: JSON_TYPE,
      body,
      ...(typeof body !== 'string' && { duplex: 'half' as const }),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ type: '/api/v1/problems/busy' });
  }
  expect((await post(`${url}/now`, '1')).status).toBe(200);
  held[0]!();
  expect((await first).status).toBe(200);
  expect((await post(`${url}/now`, quoted(MIB / 2))).status).toBe(200);
  await until(() => expect([memory.small.used, memory.large.used]).toEqual([0, 0]));
});

test('a body takes memory as it arrives, not as it says, and gives it back when the client goes away', async () => {
  const { port, memory } = await startHeld();
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 524288\r\n\r\n"');
  await until(() => expect(memory.small.used).toBe(8));
  socket.write('x'.repeat(400_000));
  await until(() => expect([memory.small.used, memory.large.used]).toEqual([0, 8 * 400_001]));
  socket.destroy();
  await until(() => expect([memory.small.used, memory.large.used]).toEqual([0, 0]));
});

test('elements weigh as well', async () => {
  const { url, memory, held } = await startHeld();
  const text = `[${Array(3000).fill('0').join(',')}]`;
  void post(url, text).catch(() => undefined);
  await until(() => expect(held).toHaveLength(1));
  expect(memory.small.used + memory.large.used).toBe(8 * text.length + 256 * 3000);
  held[0]!();
  await until(() => expect([memory.small.used, memory.large.used]).toEqual([0, 0]));
});

test('a pipelined request takes memory in its turn, and none when the connection ends before', async () => {
  const { port, memory, held } = await startHeld();
  const socket = connect(port, '127.0.0.1');
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n1';
  socket.write(head.repeat(3));
  await until(() => expect(held).toHaveLength(1));
  expect(memory.small.used).toBe(8);
  held[0]!();
  await until(() => expect(held).toHaveLength(2));
  expect(memory.small.used).toBe(8);
  socket.destroy();
  await until(() => expect(memory.small.used).toBe(0));
  expect(held).toHaveLength(2);
});
