/** Icons as served by the bridge: fetched from a real server and validated. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { gif, png } from '../../backend-bridge/src/packages/icons/images.testing.ts';
import { asRole, PROXY, startTestConsole } from '../../standalone/server/console.testing.ts';
import { type IconHost, startIconHost } from './iconHost.testing.ts';
import { GETH, PACKAGES, register } from './packages.testing.ts';
import { ADMIN_TOKEN, NOTIFICATIONS, TestBridge } from './support.ts';

const IMAGE = png(8);

/** Responses of the host by path. */
const ANSWERS: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
  '/ok.png': (_req, res) => void res.end(IMAGE),
  '/ok.gif': (_req, res) => void res.end(gif({ width: 4, height: 4 }, Array(3).fill({ width: 4, height: 4 }))),
  '/misnamed': (_req, res) => void res.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': 'a=b' }).end(IMAGE),
  '/html.png': (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/png' }).end('<script>alert(1)</script>'),
  '/svg': (_req, res) => void res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>'),
  '/huge.png': (_req, res) => void res.end(png(8, [0, 0, 0], { width: 10_000, height: 10_000 })),
  '/missing.png': (_req, res) => void res.writeHead(404).end(IMAGE),
  '/304.png': (_req, res) => void res.writeHead(304, { ETag: '"a"' }).end(),
  '/empty.png': (_req, res) => void res.end(),
  '/cut.png': (_req, res) => {
    res.writeHead(200, { 'Content-Length': IMAGE.length });
    res.write(IMAGE.subarray(0, 30), () => res.destroy());
  },
  '/endless.png': (_req, res) => {
    res.write(IMAGE);
    const more = (): void => {
      while (!res.destroyed && res.write(Buffer.alloc(64 * 1024))) {
        // Until the bridge reads no more.
      }
    };
    res.on('drain', more);
    more();
  },
  '/to-metadata': (_req, res) =>
    void res.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-private': (_req, res) => void res.writeHead(302, { Location: 'http://10.0.0.1/i.png' }).end(),
  '/to-file': (_req, res) => void res.writeHead(302, { Location: 'file:///etc/passwd' }).end(),
  '/to-ok': (_req, res) => void res.writeHead(302, { Location: '/ok.png' }).end(),
  '/loop': (_req, res) => void res.writeHead(302, { Location: '/loop' }).end(),
  // No response: the bridge times out.
  '/silent.png': () => undefined,
};

let host: IconHost;
beforeEach(async () => {
  const started = await startIconHost((req, res) => (ANSWERS[req.url ?? ''] ?? ANSWERS['/missing.png'])?.(req, res));
  host = started;
  onTestFinished(() => started.close());
});

async function start(outboundAllow: string[] = ['127.0.0.1']): Promise<TestBridge> {
  const bridge = await TestBridge.start({ outboundAllow });
  onTestFinished(() => bridge.dispose());
  return bridge;
}

const get = (bridge: TestBridge, path: string, headers: Record<string, string> = bridge.authorization) =>
  fetch(bridge.url + path, { headers });

/** The icon of a notification with this URL. */
async function iconOf(bridge: TestBridge, icon?: string): Promise<Response> {
  const { id } = await bridge.send(icon === undefined ? {} : { icon });
  return get(bridge, `${NOTIFICATIONS}/${id}/icon`);
}

test('an image is served with its detected type, and without headers of its host', async () => {
  const bridge = await start();
  for (const path of ['/ok.png', '/misnamed', '/to-ok']) {
    const response = await iconOf(bridge, host.url + path);
    expect([response.status, Buffer.from(await response.arrayBuffer())], path).toEqual([200, IMAGE]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=86400',
    });
    expect(response.headers.has('set-cookie')).toBe(false);
  }
  expect((await iconOf(bridge, `${host.url}/ok.gif`)).headers.get('content-type')).toBe('image/gif');
});

test('the host learns nothing about the reader', async () => {
  const bridge = await start();
  const { id } = await bridge.send({ icon: `${host.url}/ok.png` });
  const headers = { ...bridge.authorization, cookie: 'grafana_session=1', referer: 'http://grafana.example/a' };
  await get(bridge, `${NOTIFICATIONS}/${id}/icon`, { ...headers, 'user-agent': 'somebody', 'accept-language': 'de' });
  expect(host.requests).toEqual([
    {
      url: '/ok.png',
      headers: { 'accept-encoding': 'identity', connection: 'close', host: `127.0.0.1:${host.port}` },
    },
  ]);
});

describe('anything else than an image is not served', () => {
  test.each(Object.keys(ANSWERS).filter((path) => !/ok|misnamed|silent/.test(path)))('%s', async (path) => {
    const bridge = await start();
    const response = await iconOf(bridge, host.url + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(((await response.json()) as { detail: string }).detail).toMatch(
      /^The icon could not be fetched, or is not a/
    );
    // The second request is served from the cache.
    const before = host.requests.length;
    expect((await iconOf(bridge, host.url + path)).status).toBe(404);
    expect(host.requests).toHaveLength(before);
  });
});

test('a host that does not respond does not delay other icons', async () => {
  const bridge = await start();
  const silent = iconOf(bridge, `${host.url}/silent.png`);
  await expect.poll(() => host.requests.length).toBe(1);
  expect((await iconOf(bridge, `${host.url}/ok.png`)).status).toBe(200);
  expect((await silent).status).toBe(404);
});

test('a private address is fetched only if the operator allows it', async () => {
  const bridge = await start([]);
  expect((await iconOf(bridge, `${host.url}/ok.png`)).status).toBe(404);
  await register(bridge, { icon: `http://localhost:${host.port}/ok.png` });
  expect((await get(bridge, `${PACKAGES}/${GETH}/icon`)).status).toBe(404);
  expect(host.requests).toEqual([]);
});

test('a path is not fetched, because it would be one of Grafana', async () => {
  const bridge = await start();
  for (const icon of ['/logout', '/ok.png', undefined]) {
    const response = await iconOf(bridge, icon);
    const { detail } = (await response.json()) as { detail: string };
    expect([response.status, detail]).toEqual([404, 'There is no icon with an http: or https: address.']);
  }
  expect(host.requests).toEqual([]);
});

test('a package has the icon of its manifest', async () => {
  const bridge = await start();
  await register(bridge, { icon: `${host.url}/ok.png` });
  const response = await get(bridge, `${PACKAGES}/${GETH}/icon`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await get(bridge, `${PACKAGES}/nobody.eth/icon`)).status).toBe(404);
});

test('only stored URLs can be requested', async () => {
  const bridge = await start();
  const { id } = await bridge.send({ icon: '/logout' });
  const other = encodeURIComponent(`${host.url}/ok.png`);
  for (const path of [`${NOTIFICATIONS}/${id}/icon?icon=${other}&url=${other}`, `${NOTIFICATIONS}/999999/icon`]) {
    expect((await get(bridge, path)).status).toBe(404);
  }
  expect((await get(bridge, `${NOTIFICATIONS}/x/icon`)).status).toBe(400);
  expect(host.requests).toEqual([]);
});

test('icons require permission to read notifications', async () => {
  const bridge = await start();
  const { id } = await bridge.send({ icon: `${host.url}/ok.png` });
  await register(bridge, { icon: `${host.url}/ok.png` });
  for (const path of [`${NOTIFICATIONS}/${id}/icon`, `${PACKAGES}/${GETH}/icon`]) {
    expect((await get(bridge, path, {})).status).toBe(403);
    const wrong = { ...bridge.authorization, Authorization: 'Bearer nbs_unknown-token-of-nobody' };
    expect((await get(bridge, path, wrong)).status).toBe(403);
  }
  expect(host.requests).toEqual([]);
});

test("a Viewer gets it through Grafana's proxy", async () => {
  const bridge = await start();
  const { id } = await bridge.send({ icon: `${host.url}/ok.png` });
  await register(bridge, { icon: `${host.url}/ok.png` });
  const grafana = await startTestConsole(bridge.url, { bridgeToken: ADMIN_TOKEN });
  for (const path of [`notifications/${id}/icon`, `packages/${GETH}/icon`]) {
    const response = await fetch(`${grafana.url}${PROXY}/api/v1/${path}`, { headers: asRole('Viewer') });
    expect([response.status, Buffer.from(await response.arrayBuffer())], path).toEqual([200, IMAGE]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
  }
});

describe('an image embedded in a manifest', () => {
  const embedded = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`;
  const cardOf = async (bridge: TestBridge): Promise<{ icon?: string } | undefined> =>
    (await bridge.call<{ packages?: { icon?: string }[] } & { icon?: string }[]>('GET', PACKAGES)).flat()[0];

  test('is served without a request', async () => {
    const bridge = await start();
    await register(bridge, { avatar: embedded(IMAGE) });
    const response = await get(bridge, `${PACKAGES}/${GETH}/icon`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(IMAGE);
    expect(host.requests).toEqual([]);
  });
  test.each([
    ['a script', Buffer.from('<script>alert(1)</script>')],
    ['too large', png(8, [0, 0, 0], { width: 10_000, height: 10_000 })],
  ])('is 404 if it is %s', async (_, bytes) => {
    const bridge = await start();
    await register(bridge, { avatar: embedded(bytes) });
    expect((await get(bridge, `${PACKAGES}/${GETH}/icon`)).status).toBe(404);
  });
  test('is not part of lists, but named: another image has another name', async () => {
    const bridge = await start();
    await register(bridge, { avatar: embedded(IMAGE) });
    expect((await cardOf(bridge))?.icon).toMatch(/^avatar:[\da-f]+-\d+$/);
  });
});

test('many notifications with one icon cause one fetch', async () => {
  const bridge = await start();
  const responses = await Promise.all(Array.from({ length: 100 }, () => iconOf(bridge, `${host.url}/ok.png`)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(host.requests).toHaveLength(1);
});
