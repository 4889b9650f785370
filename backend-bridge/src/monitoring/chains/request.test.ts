/** Faulty nodes over real HTTP: each fault has a cause and a sentence, and none is reported as syncing. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { urlOf } from '../../listening.testing.ts';
import { readAddressRules } from '../../platform/http/addresses.ts';
import { createOutbound, OutboundError } from '../../platform/http/outbound.ts';
import { queryNode } from './drivers/index.ts';
import { createQuery, failureOf, type NodeAddress, readResponse } from './request.ts';
import { createPoller } from './poller.ts';
import type { Reading } from './drivers/reading.ts';

const log = { error: (fields: object) => expect.unreachable(JSON.stringify(fields)) };
const LOOPBACK = readAddressRules(['127.0.0.1']);

async function readingOf(
  address: NodeAddress,
  { allow = LOOPBACK, timeoutMs = 60_000 }: { allow?: typeof LOOPBACK; timeoutMs?: number } = {}
): Promise<Reading> {
  const outbound = createOutbound({ allow, timeoutMs, maxBytes: 1024 * 1024 });
  const query = createQuery(outbound, address, new AbortController().signal);
  return queryNode('ethereum', { query, identity: false, rpc: {} }, {}, log);
}

const serve = async (listener: RequestListener): Promise<string> => `${await urlOf(createServer(listener))}/`;
const serveSocket = async (talk: (socket: Socket) => void): Promise<string> =>
  `${await urlOf(createSocketServer(talk))}/`;

const responding = (status: number, body: string, headers: Record<string, string> = {}): RequestListener => {
  return (_req, res) => void res.writeHead(status, headers).end(body);
};
const result = (value: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 0, result: value });

it.each<[string, RequestListener, string]>([
  ['too large', responding(200, `"${'x'.repeat(1024 * 1024)}"`), 'too-large'],
  ['redirecting', responding(302, '', { location: 'http://127.0.0.1:1/' }), 'redirect'],
  ['redirecting nowhere', responding(307, ''), 'redirect'],
  ['not JSON', responding(200, '<html>It works!</html>'), 'not-json'],
  ['empty', responding(200, ''), 'not-json'],
  ['cut JSON', responding(200, '[{"jsonrpc"'), 'not-json'],
  ['another JSON', responding(200, '[]'), 'not-understood'],
  ['only errors', responding(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'), 'rpc-error'],
  ['requiring authentication', responding(401, ''), 'unauthorised'],
  ['refusing', responding(403, 'invalid host specified'), 'http-status'],
  ['broken', responding(500, 'oops'), 'http-status'],
  ['broken in JSON', responding(502, '{"message":"bad gateway"}'), 'http-status'],
  ['sending large headers', responding(200, '{}', { 'x-long': 'x'.repeat(20_000) }), 'too-large'],
])('a node that is %s', async (_what, listener, cause) => {
  const url = await serve(listener);
  expect(await readingOf({ url, origin: 'package' })).toMatchObject({ kind: 'failed', state: 'error', cause });
});

it('a node that hangs times out', async () => {
  const url = await serve(() => undefined);
  const reading = await readingOf({ url, origin: 'package' }, { timeoutMs: 100 });
  expect(reading).toMatchObject({ state: 'unreachable', cause: 'timeout' });
});

it('a protocol upgrade is an error, and does not keep the bridge from stopping', async () => {
  const url = await serveSocket((socket) => {
    onTestFinished(() => void socket.destroy());
    socket.once('data', () => socket.write('HTTP/1.1 101 Now\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'));
  });
  const poller = createPoller();
  const reading = await new Promise<Reading>((resolve) => {
    poller.add({
      name: 'a',
      intervalMs: 60_000,
      async poll() {
        resolve(await readingOf({ url, origin: 'package' }));
        return 1;
      },
    });
  });
  expect(reading).toMatchObject({ kind: 'failed', state: 'error', cause: 'not-understood' });
  await poller.close();
});

it('a response that never ends times out', async () => {
  const url = await serve((_req, res) => void res.writeHead(200).write('['));
  const reading = await readingOf({ url, origin: 'package' }, { timeoutMs: 200 });
  expect(reading).toMatchObject({ state: 'unreachable', cause: 'timeout' });
});

it('a closed connection, and a service that is no HTTP server', async () => {
  const cut = await serveSocket((socket) => socket.on('data', () => socket.destroy()));
  expect(await readingOf({ url: cut, origin: 'package' })).toMatchObject({ state: 'unreachable', cause: 'reset' });
  const ssh = await serveSocket((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  expect(await readingOf({ url: ssh, origin: 'package' })).toMatchObject({ state: 'error', cause: 'not-understood' });
});

it('a closed port', async () => {
  const url = await serveSocket(() => undefined);
  const { port } = new URL(url);
  const closed = await serve(() => undefined);
  expect(new URL(closed).port).not.toBe(port);
  expect(await readingOf({ url: 'http://127.0.0.1:1/', origin: 'package' })).toEqual({
    kind: 'failed',
    state: 'unreachable',
    cause: 'refused',
    sentence: 'Connection refused on port 1. Is the package running?',
  });
});

it('no connection to an address that is not allowed', async () => {
  let requests = 0;
  const url = await serve((_req, res) => {
    requests += 1;
    res.end(result(false));
  });
  const reading = await readingOf({ url, origin: 'package' }, { allow: readAddressRules([]) });
  expect(reading).toMatchObject({ state: 'unreachable', cause: 'not-allowed' });
  expect(requests).toBe(0);
});

it('sends one batch, or one call at a time once a node has refused a batch', async () => {
  const bodies: unknown[] = [];
  const url = await serve((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      const body = JSON.parse(text) as { method: string }[] | { method: string };
      bodies.push(Array.isArray(body) ? body.map(({ method }) => method) : body.method);
      const value = Array.isArray(body) ? undefined : body.method === 'eth_syncing' ? false : '0x5';
      res.end(Array.isArray(body) ? '{"error":{"code":-32600,"message":"no batches"}}' : result(value));
    });
  });
  const outbound = createOutbound({ allow: LOOPBACK, timeoutMs: 60_000, maxBytes: 1000 });
  const query = createQuery(outbound, { url, origin: 'package' }, new AbortController().signal);
  const rpc = {};
  for (const _ of [1, 2]) {
    expect(await queryNode('ethereum', { query, identity: false, rpc }, {}, log)).toMatchObject({ current: 5 });
  }
  const all = ['eth_syncing', 'eth_blockNumber', 'net_peerCount'];
  expect(bodies).toEqual([all, ...all, ...all]);
});

it('sends credentials to the node, and shows them in no sentence', async () => {
  let seen: string | undefined;
  const url = await serve((req, res) => {
    seen = req.headers.authorization;
    res.writeHead(401).end();
  });
  const credentials = { username: 'me', password: 'very:secret' };
  const reading = await readingOf({ url, origin: 'provisioned', credentials });
  expect(seen).toBe(`Basic ${Buffer.from('me:very:secret').toString('base64')}`);
  expect(JSON.stringify(reading)).not.toMatch(/secret|dmVye/);
  expect(reading).toMatchObject({ cause: 'unauthorised' });
  expect((reading as { sentence: string }).sentence).toContain('rejects the configured');
});

it('an RPC error with an HTTP error status is read from the body', () => {
  const body = Buffer.from('{"result":null,"error":{"code":-28,"message":"Loading block index…"},"id":1}');
  expect(readResponse({ status: 500, body }, false)).toMatchObject({ error: { code: -28 } });
});

it.each([
  [
    'name',
    'ENOTFOUND',
    'package',
    'stopped',
    'name',
    'geth.dappnode does not exist in the node network. Is the package running?',
  ],
  ['name', 'ENOTFOUND', 'provisioned', 'unreachable', 'name', 'Unknown host geth.dappnode.'],
  ['name', 'EAI_AGAIN', 'package', 'unreachable', 'network', 'The name geth.dappnode could not be resolved.'],
  [
    'unreachable',
    'EHOSTUNREACH',
    'package',
    'unreachable',
    'network',
    'No network route to the node on port 8545 (EHOSTUNREACH).',
  ],
  [
    'unreachable',
    'ECONNREFUSED',
    'provisioned',
    'unreachable',
    'refused',
    'Connection refused on port 8545. Is the node running?',
  ],
] as const)('%s %s of a node that is %s', (reason, code, origin, state, cause, sentence) => {
  const error = new OutboundError(reason, 'x', Object.assign(new Error('y'), { code }));
  expect(failureOf(error, new URL('http://geth.dappnode:8545/'), origin)).toEqual({
    kind: 'failed',
    state,
    cause,
    sentence,
  });
});
