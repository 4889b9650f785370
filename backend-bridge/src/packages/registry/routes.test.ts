import { expect, test } from 'vitest';
import { type Outbound, type OutboundAnswer, OutboundError } from '../../platform/http/outbound.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { fetchManifest, ownManifest } from './routes.ts';

const URL_GIVEN = 'https://user:secret@files.example.org/a/dappnode_package.json?token=secret';

/** An outbound client with a fixed response. */
function answering(answer: Partial<OutboundAnswer> | Error): Outbound {
  const whole = { url: 'https://cdn.example.org/b/dappnode%20package.json', status: 200, headers: {} };
  return {
    fetchGuarded: () =>
      answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ ...whole, body: Buffer.from('{"name": "ä"}'), ...answer }),
  };
}

test('returns the text, named after the final URL', async () => {
  expect(await fetchManifest(answering({}), URL_GIVEN)).toEqual({
    text: '{"name": "ä"}',
    name: 'dappnode package.json',
  });
});

test.each([
  ['https://cdn.example.org/', 'manifest.json'],
  ['https://cdn.example.org/%E0%A4%A.json', '%E0%A4%A.json'],
  ['https://cdn.example.org/a%00%1bb.json', 'ab.json'],
])('the name of %s is %s', async (url, name) => {
  expect((await fetchManifest(answering({ url }), URL_GIVEN)).name).toBe(name);
});

const tooLarge = new OutboundError('too-large', 'files.example.org answers more than 1 MiB.');

test.each<[string, Partial<OutboundAnswer> | Error, RegExp]>([
  [
    'a web page',
    { headers: { 'content-type': 'Text/HTML; charset=utf-8' } },
    /cdn\.example\.org returned a web page.*raw/,
  ],
  ['404', { status: 404 }, /^Not found: cdn\.example\.org returned 404/],
  ['410', { status: 410 }, /^Not found: cdn\.example\.org returned 410/],
  ['403', { status: 403 }, /^cdn\.example\.org returned status 403/],
  ['a large response', tooLarge, /^files\.example\.org answers more than 1 MiB/],
  [
    'a response that is not UTF-8',
    { body: Buffer.from([0x7b, 0xff, 0x7d]) },
    /response of cdn\.example\.org is not UTF-8 text/,
  ],
])('%s is rejected, without secrets in the message', async (_, answer, message) => {
  const problem = await fetchManifest(answering(answer), URL_GIVEN).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(HttpProblem);
  const { status, errors } = problem as HttpProblem;
  expect([status, errors.length, errors[0]?.pointer]).toEqual([400, 1, '/url']);
  expect(errors[0]?.detail).toMatch(message);
  expect(errors[0]?.found).toContain('https://files.example.org/a/dappnode_package.json');
  expect(JSON.stringify(errors)).not.toContain('secret');
});

test('notifications in the manifest are those that packages read', () => {
  const custom = { name: 'a', description: 'b', correlationId: 'web-up', enabled: true, isBanner: false };
  const inside = { name: 'a.eth', notifications: { customEndpoints: [custom] } };
  const own = ownManifest({ manifest: JSON.stringify(inside) }, []);
  expect(own).toEqual({ name: 'a.eth', notifications: { endpoints: [], customEndpoints: [custom] } });
});

test('unexpected errors are not reported as an invalid URL', async () => {
  const mistake = new TypeError('undefined is not a function');
  await expect(fetchManifest(answering(mistake), URL_GIVEN)).rejects.toBe(mistake);
});
