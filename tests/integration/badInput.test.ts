import { describe, expect, test } from 'vitest';
import { expectRefused, useBridgeProcess } from './badInputProcess.testing.ts';

const PATH = '/api/v1/notifications';
const bridge = useBridgeProcess();
const good = { title: 'A title', body: 'A body.' };

const post = (body?: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>) => () =>
  bridge().request('POST', PATH, body, headers);
/** Without `strict` what follows is stored: ignoredMembers.test.ts. */
const postStrict = (body: string) => () => bridge().request('POST', `${PATH}?strict=true`, body);
const postJson = (value: unknown) => postStrict(JSON.stringify(value));

describe('bodies that are not JSON objects', () => {
  test.each([
    ['not JSON', 'hello', 'line 1, column 1'],
    ['JSON that ends too soon', '{"title": "x", "body": ', 'line 1, column 24'],
    ['JSON with a mistake on its third line', '{\n"title": "x",\n"body" "y"}', 'line 3, column 8'],
    ['a form', 'title=x&body=y', 'line 1, column 1'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'not UTF-8'],
  ])('%s', async (_kind, body, words) => {
    const problem = await expectRefused(bridge(), post(body), 400);
    expect(problem.detail).toContain(words);
    expect(problem.errors[0]?.pointer).toBe('#');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/html',
    'application/xml',
    '',
  ])('wrong content type: %j', async (type) => {
    const problem = await expectRefused(bridge(), post(JSON.stringify(good), { 'content-type': type }), 415);
    expect(problem.errors[0]?.allowed).toBe('application/json (UTF-8)');
  });

  test('compressed', async () => {
    await expectRefused(bridge(), post('x', { 'content-type': 'application/json', 'content-encoding': 'gzip' }), 415);
  });

  test.each([
    ['no body', undefined],
    ['empty', ''],
    ['white space', ' \n\t '],
    ['an array', '[]'],
    ['an array of notifications', JSON.stringify([good])],
    ['null', 'null'],
    ['text', '"x"'],
    ['a number', '1'],
    ['true', 'true'],
    ['an empty object', '{}'],
  ])('%s', async (_kind, body) => {
    await expectRefused(bridge(), post(body), 400);
  });

  test('2 MiB', async () => {
    const problem = await expectRefused(bridge(), postJson({ ...good, body: 'x'.repeat(2 * 1024 * 1024) }), 413);
    expect(problem.errors[0]).toMatchObject({ pointer: '#', allowed: 'at most 1 MiB' });
  });

  test('2 MiB without Content-Length', async () => {
    const chunk = 'x'.repeat(0x10000);
    const chunks = `10000\r\n${chunk}\r\n`.repeat(32);
    const answer = await bridge().raw(
      `POST ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\n\r\n`
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(await bridge().count()).toBe(1);
  });
});

describe('deep nesting', () => {
  const nested = (depth: number, open: string, shut: string) =>
    `{"title":"a","body":"b","x":${open.repeat(depth)}1${shut.repeat(depth)}}`;

  test.each([33, 1000, 50_000])('%i nested arrays', async (depth) => {
    const problem = await expectRefused(bridge(), postStrict(nested(depth, '[', ']')), 400);
    expect(problem.errors[0]).toMatchObject({ allowed: 'at most 32 levels of objects and lists' });
  });

  test.each([33, 40_000])('%i nested objects', async (depth) => {
    await expectRefused(bridge(), postStrict(nested(depth, '{"a":', '}')), 400);
  });

  test.each([
    ['arrays', nested(400_000, '[', ']')],
    ['objects', nested(100_000, '{"a":', '}')],
  ])('more nested %s than a body may have elements', async (_kind, body) => {
    await expectRefused(bridge(), post(body), 413);
    await expectRefused(bridge(), postStrict(body), 413);
  });

  test('unterminated nesting', async () => {
    await expectRefused(bridge(), post('['.repeat(90_000)), 400);
  });
});

describe('members', () => {
  const TEXT = ['title', 'body', 'category', 'dnpName', 'correlationId', 'errors', 'icon', 'priority', 'status'];

  test.each(TEXT.flatMap((member) => [7, true, ['x'], { a: 1 }].map((value) => [member, value] as const)))(
    'wrong type: %s %j',
    async (member, value) => {
      const { errors } = await expectRefused(bridge(), postJson({ ...good, [member]: value }), 400);
      expect(errors).toHaveLength(1);
      expect(errors[0]?.pointer).toBe(`/${member}`);
      expect(errors[0]?.found).toBe(
        typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : String(value)
      );
    }
  );

  test.each([
    ['isBanner', 'perhaps', 'true or false'],
    ['isBanner', 1, 'true or false'],
    ['callToAction', 'http://x', 'an object'],
    ['callToAction', ['http://x'], 'an object'],
    ['priority', 'urgent', 'one of "low", "medium", "high", "critical"'],
    ['priority', 'hihg', 'one of "low", "medium", "high", "critical"'],
    ['status', 'firing', 'one of "triggered", "resolved"'],
  ])('%s %j: the error lists %s', async (member, value, allowed) => {
    const { errors } = await expectRefused(bridge(), postJson({ ...good, [member]: value }), 400);
    expect(errors).toMatchObject([
      { pointer: `/${member}`, found: typeof value === 'object' ? 'a list' : JSON.stringify(value), allowed },
    ]);
  });

  test.each(['title', 'body'])('%s is missing, null or of the wrong type', async (member) => {
    for (const value of [undefined, null]) {
      const { errors } = await expectRefused(bridge(), postJson({ ...good, [member]: value }), 400);
      expect(errors).toMatchObject([{ pointer: `/${member}`, allowed: 'text' }]);
    }
  });

  test.each(['', ' ', '\n\t'])('title %j', async (title) => {
    await expectRefused(bridge(), postJson({ ...good, title }), 400);
  });

  test('all errors are reported, not only the first', async () => {
    const { errors, detail } = await expectRefused(
      bridge(),
      postJson({ title: 1, priority: 'x', status: 2, isBanner: 'y', icon: 'javascript:1' }),
      400
    );
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/body',
      '/icon',
      '/isBanner',
      '/priority',
      '/status',
      '/title',
    ]);
    expect(detail).toContain('6 errors');
  });
});

describe('links', () => {
  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.org',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'http://',
    'mailto:x@example.org',
    'relative/path',
    'http:javascript:alert(1)\n',
  ])('%j is rejected as a call to action and as an icon', async (url) => {
    const action = await expectRefused(bridge(), postJson({ ...good, callToAction: { title: 'Go', url } }), 400);
    expect(action.errors).toMatchObject([{ pointer: '/callToAction/url', allowed: expect.stringContaining('http:') }]);
    const icon = await expectRefused(bridge(), postJson({ ...good, icon: url }), 400);
    expect(icon.errors).toMatchObject([{ pointer: '/icon' }]);
  });
});

describe('text that cannot be stored', () => {
  test.each(['title', 'body', 'category', 'dnpName', 'correlationId', 'errors'])(
    'NUL and lone surrogates in %s',
    async (member) => {
      for (const text of ['a\\u0000b', '\\ud800', 'x\\udc00y', '\\udc00\\ud800']) {
        const body = JSON.stringify({ ...good, [member]: '@' }).replace('@', text);
        const { errors } = await expectRefused(bridge(), postStrict(body), 400);
        expect(errors).toMatchObject([{ pointer: `/${member}`, allowed: 'well-formed Unicode text without NUL' }]);
      }
    }
  );

  test('in unknown members and their names', async () => {
    const value = await expectRefused(bridge(), postStrict('{"title":"a","body":"b","x":{"y":["\\ud800"]}}'), 400);
    expect(value.errors[0]?.pointer).toBe('/x/y/0');
    const name = await expectRefused(bridge(), postStrict('{"title":"a","body":"b","x\\u0000":1}'), 400);
    expect(name.errors[0]?.pointer).toBe('/x');
  });

  test('a surrogate pair is valid', async () => {
    const answer = await bridge().request('POST', PATH, '{"title":"\\ud83d\\ude00","body":"b"}');
    expect([answer.status, answer.body.title]).toEqual([201, '😀']);
    await bridge().request('DELETE', `${PATH}/${answer.body.id}`, undefined, {});
  });
});

describe('Idempotency-Key', () => {
  test.each(['a b', 'x'.repeat(201), 'é'])('%j', async (key) => {
    await expectRefused(
      bridge(),
      post(JSON.stringify(good), {
        'content-type': 'application/json',
        'idempotency-key': Buffer.from(key).toString('latin1'),
      }),
      400
    );
  });
});
