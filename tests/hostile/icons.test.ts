/** Malicious icon hosts (invalid, slow or endless responses) against the compiled bridge: low cost, and no effect on others. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { png } from '../../backend-bridge/src/packages/icons/images.testing.ts';
import { LIMITS } from '../../backend-bridge/contract/limits.ts';
import { runBridge, type RunningBridge } from '../bench/bridge.ts';
import { startIconHost } from '../integration/iconHost.testing.ts';

const MIB = 1024 * 1024;

let bridge: RunningBridge;
beforeAll(async () => {
  bridge = await runBridge(undefined, { NODEBELL_OUTBOUND_ALLOW: '127.0.0.0/8' });
});
afterAll(() => bridge.stop());

async function send(icon?: string): Promise<number> {
  const response = await fetch(`${bridge.url}/api/v1/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Disk full', body: '/ is at 100 %', icon }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}

const iconOf = (id: number): Promise<Response> => bridge.get(`/api/v1/notifications/${id}/icon`);

async function hostOf(...answer: Parameters<typeof startIconHost>) {
  const host = await startIconHost(...answer);
  onTestFinished(() => host.close());
  return host;
}

/** Number of responses by status. */
function counted(responses: Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  responses.forEach(({ status }) => (counts[status] = (counts[status] ?? 0) + 1));
  return counts;
}

test('500 icons of a host that never responds: two connections to it, and other icons are served meanwhile', async () => {
  const silent = await hostOf(() => undefined);
  const honest = await hostOf(undefined, '127.0.0.2');
  const ids = await Promise.all(Array.from({ length: 500 }, (_, index) => send(`${silent.url}/${index}.png`)));
  const honestId = await send(`${honest.url}/i.png`);
  const all = Promise.all(ids.map(iconOf));
  await expect.poll(() => silent.requests.length).toBeGreaterThan(0);
  expect((await iconOf(honestId)).status).toBe(200);
  await send();
  const responses = await all;
  expect(counted(responses)).toEqual({ 404: 2, 429: 498 });
  expect(responses.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  expect([silent.mostAtOnce, silent.requests.length]).toEqual([2, 2]);
  expect(bridge.ended).toBeNull();
});

test('endless images are read up to the limit, and memory stays constant', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  let sent = 0;
  const endless = await hostOf((_req, res) => {
    res.write(png());
    const more = (): void => {
      while (!res.destroyed && res.write(chunk)) {
        sent += chunk.length;
      }
    };
    res.on('drain', more);
    more();
  });
  const before = bridge.memory();
  const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => send(`${endless.url}/${index}.png`)));
  for (const id of ids) {
    expect((await iconOf(id)).status).toBe(404);
  }
  expect(endless.requests).toHaveLength(40);
  // Excludes what the kernel buffers before the bridge closes the connection.
  expect(sent / endless.requests.length).toBeLessThan(16 * MIB);
  expect(bridge.memory() - before).toBeLessThan(64 * MIB);
  expect(bridge.ended).toBeNull();
});

test('many images of the maximum size fill the cache up to its limit', async () => {
  const large = Buffer.concat([png(), Buffer.alloc(LIMITS.iconBytes.value - 4096, 1)]);
  // Several hosts, because of the rate limit per host.
  const hosts = await Promise.all(
    [3, 4, 5, 6].map((last) => hostOf((_req, res) => void res.end(large), `127.0.0.${last}`))
  );
  const before = bridge.memory();
  for (let index = 0; index < 120; index += 1) {
    const response = await iconOf(await send(`${hosts[index % hosts.length]?.url}/${index}.png`));
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, large.length]);
  }
  expect(bridge.memory() - before).toBeLessThan(LIMITS.iconCache.value + 96 * MIB);
  expect(bridge.ended).toBeNull();
});

test('scripts and oversized images with an image type are not served', async () => {
  const bodies: Record<string, Buffer | string> = {
    '/svg.png': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '/html.png': '<!doctype html><script>alert(document.domain)</script>',
    '/js.png': 'GIF89a=1;alert(1)//',
    '/bomb.png': png(8, [0, 0, 0], { width: 30_000, height: 30_000 }),
  };
  const host = await hostOf(
    (req, res) => void res.writeHead(200, { 'Content-Type': 'image/png' }).end(bodies[req.url ?? ''])
  );
  for (const path of Object.keys(bodies)) {
    const response = await iconOf(await send(host.url + path));
    expect([response.status, response.headers.get('content-type')], path).toEqual([404, 'application/problem+json']);
  }
  expect(host.requests).toHaveLength(4);
});
