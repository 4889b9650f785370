/** DNS rebinding, live: the bridge asks a DNS server whose answers change, and never connects to an address that is not allowed. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, isIPv6 } from 'node:net';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../../backend-bridge/src/packages/icons/images.testing.ts';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';

const ALLOWED = '127.0.0.2';
const FORBIDDEN = '127.0.0.1';
const [A, CNAME, AAAA] = [1, 5, 28];

/** Addresses by name, for the first query and those after it; the last ones are repeated. */
const ZONE: Record<string, string[][]> = {
  'ok.test': [[ALLOWED]],
  'rebind.test': [[ALLOWED], [FORBIDDEN]],
  'late.test': [[FORBIDDEN], [ALLOWED]],
  'both.test': [[FORBIDDEN, ALLOWED]],
  'private.test': [[FORBIDDEN]],
  'this.test': [['0.0.0.0']],
  'unspecified.test': [['::']],
  'six.test': [['::1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'compatible.test': [['::127.0.0.1']],
  'translated.test': [['64:ff9b::7f00:1']],
  'tunnelled.test': [['2002:7f00:1::']],
  'alias.test': [['localhost', FORBIDDEN]],
};
const queries: string[] = [];

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ]);

function record(name: Buffer, type: number, data: Uint8Array): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

/** RFC 1035, 4.1: one question, answers that live for no time. */
function answer(query: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += query[at]! + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  }
  const type = query.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  const asked = queries.filter((one) => one === `${name} ${type}`).length;
  queries.push(`${name} ${type}`);
  const lists = ZONE[name] ?? [];
  const values = lists[Math.min(asked, lists.length - 1)] ?? [];
  let owner = encoded(name);
  const records = values.flatMap((value) => {
    if (!ipaddr.isValid(value)) {
      const alias = record(owner, CNAME, encoded(value));
      owner = encoded(value);
      return [alias];
    }
    return type === (isIPv6(value) ? AAAA : A)
      ? [record(owner, type, Uint8Array.from(ipaddr.parse(value).toByteArray()))]
      : [];
  });
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(records.length, 6);
  header.fill(0, 8);
  return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
}

let bridge: RunningBridge;
let port: number;
const forbidden: IncomingMessage[] = [];
const close: (() => unknown)[] = [];

async function listen(host: string, wanted: number, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  close.push(
    () => server.close(),
    () => server.closeAllConnections()
  );
  await once(server.listen(wanted, host), 'listening');
  return (server.address() as { port: number }).port;
}

beforeAll(async () => {
  const dns = createSocket('udp4').on('message', (query, { port: from, address }) =>
    dns.send(answer(query), from, address)
  );
  close.push(() => dns.close());
  await once(dns.bind(0, '127.0.0.1'), 'listening');
  port = await listen(ALLOWED, 0, (req, res) => {
    const to = new URL(req.url!, 'http://x').searchParams.get('to');
    res
      .writeHead(to === null ? 200 : 302, { 'content-type': 'image/png', ...(to !== null && { location: to }) })
      .end(png());
  });
  const refuse: RequestListener = (req, res) => {
    forbidden.push(req);
    res.writeHead(200, { 'content-type': 'image/png' }).end(png());
  };
  await listen(FORBIDDEN, port, refuse);
  await listen('::1', port, refuse).catch(() => undefined);
  bridge = await runBridge(undefined, {
    LOCAL_DNS: `127.0.0.1:${dns.address().port}`,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'localDns.mjs')).href}`,
    NODEBELL_OUTBOUND_ALLOW: `${ALLOWED},.test,localhost`,
  });
});
afterAll(async () => {
  await bridge.stop();
  close.forEach((one) => one());
});

let icons = 0;
async function iconStatus(address: string): Promise<number> {
  const icon = `${address}${address.includes('?') ? '&' : '?'}n=${(icons += 1)}`;
  const sent = await fetch(`${bridge.url}/api/v1/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'T', body: '', icon }),
  });
  const { id } = (await sent.json()) as { id: number };
  return (await bridge.get(`/api/v1/notifications/${id}/icon`)).status;
}

test('the forbidden server is there, and the allowed one is reached by its name', async () => {
  const socket = connect(port, FORBIDDEN);
  await once(socket, 'connect');
  socket.destroy();
  expect(await iconStatus(`http://ok.test:${port}/i.png`)).toBe(200);
  expect(queries).toContain('ok.test 1');
});

test.each(['rebind.test', 'rebind.test.', 'REBIND.test', 'late.test', 'both.test'])(
  'an answer for %s that changes, or has both addresses',
  async (name) => {
    for (let time = 0; time < 3; time += 1) {
      await iconStatus(`http://${name}:${port}/i.png`);
    }
    expect(forbidden.map(({ url }) => url)).toEqual([]);
  }
);

const OTHERS = Object.keys(ZONE).filter((name) => ZONE[name]!.length === 1 && !ZONE[name]!.flat().includes(ALLOWED));
test.each([
  ...OTHERS,
  'localhost',
  'localhost.',
  '0.0.0.0',
  '0',
  '0177.0.0.1',
  '0x7f.1',
  '2130706433',
  '127.0.0.1.',
  '[::1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
])('%s, directly and by a redirect', async (host) => {
  const address = `http://${host}:${port}/i.png`;
  expect(await iconStatus(address)).toBe(404);
  expect(await iconStatus(`http://ok.test:${port}/i.png?to=${encodeURIComponent(address)}`)).toBe(404);
  expect(forbidden.map(({ url }) => url)).toEqual([]);
});

test('a redirect to a name whose answer has changed', async () => {
  ZONE['second.test'] = [[ALLOWED], [FORBIDDEN]];
  const again = encodeURIComponent(`http://second.test:${port}/j.png`);
  await iconStatus(`http://second.test:${port}/i.png?to=${again}`);
  expect(queries.filter((one) => one === 'second.test 1').length).toBeGreaterThan(1);
  expect([forbidden.length, bridge.ended]).toEqual([0, null]);
});
