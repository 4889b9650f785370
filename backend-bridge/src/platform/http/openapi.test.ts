import { expect, test } from 'vitest';
import { API } from '../../../contract/api.ts';
import { serveOpen, startServer } from './httpServer.testing.ts';
import { documentHandlers, SCHEMA_NAMES } from './openapi.ts';

const { openapi, schema } = API;
const start = async () => {
  const server = await startServer((app) => app.use(serveOpen({ openapi, schema }, documentHandlers('1.2.3'))));
  return { ...server, url: `${server.url}/api/v1` };
};

test.each(['/openapi.json', '/schemas/notification.json'])(
  '%s is sent once to a client that keeps it',
  async (path) => {
    const { url } = await start();
    const first = await fetch(url + path);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(await first.json()).toBeTypeOf('object');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      // fetch() adds "Cache-Control: no-cache" to such a request unless a cache mode is set.
      const again = await fetch(url + path, { headers: { 'if-none-match': known }, cache: 'force-cache' });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }
    const other = await fetch(url + path, { headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.headers.get('etag')]).toEqual([200, etag]);
  }
);

test('each schema has a tag of its own, and an unknown one is a 404 that names them', async () => {
  const { url } = await start();
  const tags = await Promise.all(
    SCHEMA_NAMES.map(async (name) => (await fetch(`${url}/schemas/${name}.json`)).headers.get('etag'))
  );
  expect(new Set(tags).size).toBe(SCHEMA_NAMES.length);
  const missing = await fetch(`${url}/schemas/toString.json`);
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('notification-payload')]);
});
