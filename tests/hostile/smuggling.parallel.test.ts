/** HTTP request smuggling: what one client sends never changes what another one on the same connection to the bridge sends or receives. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ADMIN_TOKEN, freePort, runBridge, type RunningBridge } from '../bench/bridge.ts';
import { until } from '../proofs/kills.ts';
import { INNER_HEADER, SMUGGLED, VARIANTS } from './smugglingVariants.ts';

let bridge: RunningBridge;
/** Between proxy and bridge. */
let counter: { port: number; connections: number; close(): void };
beforeAll(async () => {
  bridge = await runBridge(undefined, { NODEBELL_AUTH: 'sender-open' });
  counter = await countConnections(Number(new URL(bridge.url).port));
});
afterAll(async () => {
  counter.close();
  await bridge.stop();
});

async function countConnections(to: number): Promise<typeof counter> {
  const server = createServer((socket) => {
    counting.connections += 1;
    const upstream = connect(to, '127.0.0.1');
    const end = (): void => [socket, upstream].forEach((one) => one.destroy());
    [socket, upstream].forEach((one) => one.on('error', end).on('close', end));
    socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const counting = { port: (server.address() as AddressInfo).port, connections: 0, close: () => void server.close() };
  return counting;
}

/** Leaves requests as they are, as far as it can. */
const haproxy = (port: number): string => `
global
  nbthread 1
  log /dev/null local0
defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
  option http-keep-alive
  http-reuse always
  option accept-invalid-http-request
frontend in
  bind 127.0.0.1:${port}
  http-request deny if { req.hdr(${INNER_HEADER}) -m found }
  default_backend bridge
backend bridge
  server one 127.0.0.1:${counter.port} pool-max-conn 1
`;

const nginx = (port: number): string => `
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  ignore_invalid_headers off; underscores_in_headers on; merge_slashes off;
  upstream bridge { server 127.0.0.1:${counter.port}; keepalive 1; }
  server {
    listen 127.0.0.1:${port};
    if ($http_${INNER_HEADER.toLowerCase().replace('-', '_')}) { return 403; }
    location / {
      proxy_pass http://bridge;
      proxy_http_version 1.1;
      proxy_set_header Host localhost;
      proxy_set_header Connection "";
      proxy_request_buffering off;
    }
  }
}
`;

const PROXIES = [
  { name: 'haproxy', configuration: haproxy, args: ['-f'] },
  { name: 'nginx', configuration: nginx, args: ['-e', 'stderr', '-p', '.', '-c'] },
] as const;

async function startProxy({ name, configuration, args }: (typeof PROXIES)[number]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'nodebell-proxy-'));
  const port = await freePort();
  const file = join(folder, 'proxy.conf');
  writeFileSync(file, configuration(port));
  const child: ChildProcess = spawn(name, [...args, file], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const responds = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false
    );
  await until(responds, () => `${name} did not start`);
  return port;
}

const isThere = (name: string): boolean => spawnSync(name, ['-v']).error === undefined;

function open(port: number): { socket: Socket; received: () => string; closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1'))).on('error', () => undefined);
  return { socket, received: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

const HEADERS = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
let victims = 0;

/** @returns what is wrong with what a client sends and receives */
async function victim(port: number): Promise<string[]> {
  const title = `victim ${(victims += 1)}`;
  const url = `http://127.0.0.1:${port}/api/v1/notifications`;
  const sent = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify({ title, body: title }) });
  const stored = (await sent.json()) as { title?: string };
  const read = await fetch(`${url}?limit=1`, { headers: HEADERS });
  const [newest] = (await read.json()) as { title: string; body: string }[];
  const found = [sent.status, stored.title, read.status, newest?.title, newest?.body];
  return found.join() === [201, title, 200, title, title].join() ? [] : [`${title}: ${found.join()}`];
}

async function smuggled(): Promise<string[]> {
  const newest = (await (await bridge.get('/api/v1/notifications?limit=100')).json()) as { title: string }[];
  return newest.flatMap(({ title }) => (title.includes(SMUGGLED) ? [title] : []));
}

test.for(PROXIES)('behind $name, which leaves requests as they are', async (proxy, context) => {
  if (!isThere(proxy.name)) {
    context.skip(`${proxy.name} is not installed`);
  }
  const port = await startProxy(proxy);
  const wrong: Record<string, string[]> = {};
  const before = { connections: counter.connections, victims };
  for (const [name, bytes] of Object.entries(VARIANTS)) {
    const attacker = open(port);
    attacker.socket.write(bytes, 'latin1');
    const found = [...(await victim(port)), ...(await victim(port))];
    attacker.socket.end();
    found.push(...(await victim(port)));
    attacker.socket.destroy();
    found.push(...(await victim(port)), ...(await smuggled()));
    if (found.length > 0) {
      wrong[name] = found;
    }
  }
  expect(wrong).toEqual({});
  // Connections to the bridge were shared.
  expect(counter.connections - before.connections).toBeLessThan(victims - before.victims);
  expect(bridge.ended).toBe(null);
});

test('without a proxy: the bridge rejects what is ambiguous, and closes the connection', async () => {
  const wrong: Record<string, unknown> = {};
  for (const [name, bytes] of Object.entries(VARIANTS)) {
    const title = `victim ${(victims += 1)}`;
    const body = JSON.stringify({ title, body: title });
    const next = `POST /api/v1/notifications HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const one = open(Number(new URL(bridge.url).port));
    one.socket.end(bytes + next, 'latin1');
    await one.closed;
    const responses = one.received().split(/(?=HTTP\/1\.1 \d)/);
    const isStored = responses.some((text) => text.includes(title));
    const found = await smuggled();
    if (found.length > 0 || responses.filter((text) => !text.startsWith('HTTP/1.1 100')).length > (isStored ? 2 : 1)) {
      wrong[name] = { found, responses: responses.map((text) => text.split('\r\n', 1)[0]), isStored };
    }
  }
  expect(wrong).toEqual({});
  expect(bridge.ended).toBe(null);
});
