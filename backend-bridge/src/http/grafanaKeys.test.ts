import { expect, test } from 'vitest';
import { grafanaKeys } from './grafanaKeys.ts';
import { startServer } from './httpServer.testing.ts';

const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'one', alg: 'ES256', use: 'sig' };

test('are read below the address of Grafana, also on this machine', async () => {
  const { url } = await startServer((app) => {
    app.get('/grafana/api/signing-keys/keys', (_req, res) => void res.json({ keys: [KEY] }));
  });
  expect(await grafanaKeys(`${url}/grafana`)()).toEqual({ keys: [KEY] });
});

test.each<[string, number, string, string]>([
  ['a login page', 200, '<html>', 'are no keys'],
  ['another document', 200, '{"keys":[1]}', 'are no keys'],
  ['an error', 500, '{"keys":[]}', 'answers 500'],
])('%s is none', async (_what, status, body, why) => {
  const { url } = await startServer((app) => {
    app.get('/api/signing-keys/keys', (_req, res) => void res.status(status).send(body));
  });
  await expect(grafanaKeys(url)()).rejects.toThrow(why);
});

test('a redirect does not lead to what Grafana is not', async () => {
  const { url } = await startServer((app) => {
    app.get('/api/signing-keys/keys', (_req, res) => void res.redirect('http://10.0.0.1/keys'));
  });
  await expect(grafanaKeys(url)()).rejects.toThrow('10.0.0.1');
});
