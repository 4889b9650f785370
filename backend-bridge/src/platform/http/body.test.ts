import { connect } from 'node:net';
import type { RequestHandler } from 'express';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonBody, rawBody } from './body.ts';
import { sendRaw, type TestServer, startServer } from './httpServer.testing.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const startEcho = (options = {}): Promise<TestServer> =>
  startServer((app) => {
    const echo: RequestHandler = (req, res) =>
      void res.json({ body: req.body as unknown, given: req.body !== undefined });
    app.post('/', ...jsonBody(options), echo);
    app.put('/optional', ...jsonBody({ optional: true }), echo);
    app.post('/raw', ...rawBody({ limit: 10 }), (req, res) => void res.send((req.body as Buffer).toString('hex')));
  });

async function post(
  url: string,
  body: NonNullable<RequestInit['body']> | null,
  headers: Record<string, string> = JSON_TYPE
) {
  const stream = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const response = await fetch(url, { method: 'POST', headers, body, ...stream });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const chunked = (...chunks: (string | Uint8Array<ArrayBuffer>)[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(Buffer.from(chunk as string)));
      controller.close();
    },
  });

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('JSON arrives as it was sent', () => {
  test('any JSON value, in one piece or in several', async () => {
    const { url } = await startEcho();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(), async (value, cut) => {
        const text = JSON.stringify(value);
        const bytes = new TextEncoder().encode(text);
        const at = cut % (bytes.length + 1);
        expect((await post(url, text)).body.body).toEqual(JSON.parse(text));
        expect((await post(url, chunked(bytes.slice(0, at), bytes.slice(at)))).body.body).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 }
    );
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    'application/vnd.example+json',
  ])('%s is JSON', async (type) => {
    const { url } = await startEcho();
    expect(await post(url, '{"a":1}', { 'content-type': type })).toMatchObject({
      status: 200,
      body: { body: { a: 1 } },
    });
  });

  test('a byte order mark is not part of it', async () => {
    const { url } = await startEcho();
    expect(await post(url, '\ufeff{"a":1}')).toMatchObject({ status: 200, body: { body: { a: 1 } } });
  });
});

describe('anything else is 415', () => {
  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'text/json',
    '',
  ])('%j', async (type) => {
    const { url } = await startEcho();
    const { status, body } = await post(url, '{"a":1}', { 'content-type': type });
    expect(status).toBe(415);
    expect(body.errors).toMatchObject([{ pointer: '#', allowed: 'application/json (UTF-8)' }]);
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, identity'])(
    'a body compressed with %s, so that none can unfold here',
    async (encoding) => {
      const { url } = await startEcho();
      expect((await post(url, '{"a":1}', { ...JSON_TYPE, 'content-encoding': encoding })).status).toBe(415);
    }
  );
});

describe('an error in JSON is reported with its position', () => {
  test.each([
    ['hello', 1, 1],
    ['{"title": "x",\n  "body": y}', 2, 11],
    ['{"title": "x",\n}', 2, 1],
    ['{"title": "x"', 1, 14],
    ['{\r\n"a":1,\r\n"b" 2}', 3, 5],
    ['"a\nb"', 1, 3],
    ['{} {}', 1, 4],
    ['"\\x"', 1, 3],
    ['[1,2,]', 1, 6],
    ['nul', 1, 4],
    ["{'a': 1}", 1, 2],
    ['{"a": 1} // x', 1, 10],
    ['NaN', 1, 1],
    ['// x\n{"a": 1}', 1, 1],
    ['[' + '1,'.repeat(200) + 'x]', 1, 402],
  ])('%j', async (text, line, column) => {
    const { url } = await startEcho();
    const { status, body } = await post(url, text);
    expect(status).toBe(400);
    expect(body.detail).toContain(`line ${line}, column ${column}: `);
    expect(body.errors).toMatchObject([{ pointer: '#', allowed: 'JSON (RFC 8259)' }]);
  });

  test('whatever JSON.parse refuses is a 400, with a place inside the text', async () => {
    const { url } = await startEcho();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'{}[]",:1e-.\\u0atrfn \n\u0001é😀'), minLength: 1, maxLength: 12 }),
        async (text) => {
          const valid = isJson(text);
          const { status, body } = await post(url, text);
          expect(status).toBe(valid ? 200 : 400);
          if (!valid) {
            const [, line, column] = /line (\d+), column (\d+): \S/.exec(body.detail as string) ?? [];
            const lines = text.split('\n');
            expect(Number(line)).toBeLessThanOrEqual(lines.length);
            expect(Number(column)).toBeLessThanOrEqual((lines[Number(line) - 1]?.length ?? 0) + 1);
          }
        }
      ),
      { numRuns: 300 }
    );
  });

  test('a megabyte of errors or of brackets gets a response soon', async () => {
    const { url } = await startEcho();
    for (const text of ['}'.repeat(1_000_000), '['.repeat(1_000_000), '[['.repeat(400_000) + 'x']) {
      const start = performance.now();
      expect((await post(url, text)).status).toBe(400);
      expect(performance.now() - start).toBeLessThan(20_000);
    }
  });

  test('bytes that are no UTF-8', async () => {
    const { url } = await startEcho();
    const { status, body } = await post(url, new Uint8Array([0x22, 0xff, 0x22]));
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ found: 'bytes that are not UTF-8' }]);
  });
});

describe('no body', () => {
  test.each([
    ['nothing', null],
    ['an empty one', ''],
    ['an empty one in chunks', chunked()],
  ])('%s is a 400', async (_kind, body) => {
    const { url } = await startEcho();
    const answer = await post(url, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer: '#', found: 'nothing', allowed: 'a JSON value' }]);
  });

  test('no chunk at all is a 400', async () => {
    const { port } = await startEcho();
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
    expect(await sendRaw(port, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('is fine where it is optional, also with a content type of another kind', async () => {
    const { url } = await startEcho();
    const put = (init: RequestInit) =>
      fetch(`${url}/optional`, { method: 'PUT', ...init }).then((response) => response.json());
    expect(await put({})).toEqual({ given: false });
    expect(await put({ headers: { 'content-type': 'text/plain' } })).toEqual({ given: false });
    expect(await put({ headers: JSON_TYPE, body: '{}' })).toEqual({ body: {}, given: true });
    expect((await fetch(`${url}/optional`, { method: 'PUT', body: 'x' })).status).toBe(415);
  });
});

describe('size', () => {
  const quoted = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;

  test('1 MiB is taken, one byte more is 413, with its length said or not', async () => {
    const { url } = await startEcho();
    expect((await post(url, quoted(1024 * 1024))).status).toBe(200);
    for (const body of [quoted(1024 * 1024 + 1), chunked(quoted(1024 * 1024 + 1))]) {
      const answer = await post(url, body);
      expect(answer.status).toBe(413);
      expect(answer.body).toMatchObject({
        detail: 'The body is larger than 1 MiB.',
        errors: [{ allowed: 'at most 1 MiB' }],
      });
    }
  });

  test('a Content-Length that is too large is rejected before the body is sent', async () => {
    const { port } = await startEcho();
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
    const answer = await sendRaw(port, `${head}Content-Length: ${2 ** 31}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('the connection is good for the next request afterwards', async () => {
    const { url } = await startEcho();
    expect((await post(url, quoted(3 * 1024 * 1024))).status).toBe(413);
    expect((await post(url, '1')).status).toBe(200);
  });

  test('bytes are handed over untouched, within their own limit', async () => {
    const { url } = await startEcho();
    const send = (body: Uint8Array<ArrayBuffer>) => fetch(`${url}/raw`, { method: 'POST', headers: JSON_TYPE, body });
    expect(await (await send(new Uint8Array([0, 255, 10]))).text()).toBe('00ff0a');
    expect((await send(new Uint8Array(11))).status).toBe(413);
  });
});

test('a client that disconnects in the middle gets no response and no log line', async () => {
  const { port, url, log } = await startEcho();
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
      setTimeout(() => socket.destroy(), 50);
    });
    socket.on('close', () => setTimeout(resolve, 50));
  });
  expect(log).toEqual([]);
  expect((await post(url, '1')).status).toBe(200);
});

describe('elements and nesting are bounded before anything is parsed', () => {
  test('elements: what is allowed is taken, one more is 413', async () => {
    const { url } = await startEcho({ elements: 10_000 });
    const list = (count: number) => `[${Array(count).fill('0').join(',')}]`;
    expect((await post(url, list(10_000))).status).toBe(200);
    expect(await post(url, list(10_001))).toMatchObject({
      status: 413,
      body: {
        detail: 'The body has more than 10,000 objects, lists and members.',
        errors: [{ allowed: 'at most 10,000 objects, lists and members' }],
      },
    });
  });

  test('nesting: 32 levels are taken, one more is a 400', async () => {
    const { url } = await startEcho();
    const nested = (levels: number) => `${'['.repeat(levels)}"${'x'.repeat(5000)}"${']'.repeat(levels)}`;
    expect((await post(url, nested(32))).status).toBe(200);
    expect(await post(url, nested(33))).toMatchObject({
      status: 400,
      body: { errors: [{ found: 'nesting deeper than 32 levels', allowed: 'at most 32 levels of objects and lists' }] },
    });
  });
});
