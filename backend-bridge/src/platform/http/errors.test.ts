import express from 'express';
import { describe, expect, test, vi } from 'vitest';
import { PROBLEM_KINDS, type Problem, type ProblemKind } from '../../../contract/problem.ts';
import { newProblemId, redact } from './errors.ts';
import { rawPath, startServer } from './httpServer.testing.ts';
import { HttpProblem, invalid } from './problem.ts';

const json = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  body: (await response.json()) as Record<string, unknown>,
});

describe('the error writer', () => {
  test('writes our problems out, with their headers, as RFC 9457 says', async () => {
    const errors = [{ pointer: '/x', found: '1', allowed: '2', detail: 'd' }];
    const { url } = await startServer((app) =>
      app.get('/', () => {
        throw new HttpProblem('too-many', 'Slower.', { errors, headers: { 'Retry-After': '7' } });
      })
    );
    const response = await fetch(url);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await json(response)).toEqual({
      status: 429,
      type: 'application/problem+json',
      body: {
        type: '/api/v1/problems/too-many',
        title: 'Too many requests',
        status: 429,
        detail: 'Slower.',
        id: 'the-id',
        errors,
      },
    });
  });

  const mistakes = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ pointer: `/${index}`, found: '1', allowed: '2', detail: 'd' }));

  test.each([
    [20, undefined],
    [21, 1],
    [57, 37],
    [5000, 980],
  ])('of %i errors it lists 20 and counts the others', async (count, more) => {
    const { url } = await startServer((app) =>
      app.get('/', () => {
        throw invalid(mistakes(count), 'the body');
      })
    );
    const { body } = await json(await fetch(url));
    expect(body.errors).toEqual(mistakes(20));
    expect(body.moreErrors).toBe(more);
    const counted = count > 1000 ? 'at least 1000' : String(count);
    const listed = more === undefined ? '' : ', of which 20 are listed';
    expect(body.detail).toBe(`There are ${counted} errors in the body${listed}. The first: d`);
  });

  test('each text of an error has a limit', async () => {
    const long = '😀'.repeat(100_000);
    const { url } = await startServer((app) =>
      app.get('/', () => {
        throw new HttpProblem('invalid', `a${long}`, {
          errors: [{ pointer: `a${long}`, found: long, allowed: long, detail: long }],
        });
      })
    );
    const { detail, errors } = (await (await fetch(url)).json()) as Problem;
    expect(detail).toHaveLength(1000);
    for (const text of [detail, ...Object.values(errors[0]!)]) {
      expect(text.length).toBeLessThanOrEqual(text === detail ? 1000 : 500);
      expect(text.endsWith('…') && text.isWellFormed()).toBe(true);
    }
  });

  test('every kind is written with its own status', async () => {
    const { url } = await startServer((app) =>
      app.get('/:kind', (req) => {
        throw new HttpProblem(req.params.kind as ProblemKind, 'x');
      })
    );
    for (const [kind, { status, title }] of Object.entries(PROBLEM_KINDS)) {
      expect(await json(await fetch(`${url}/${kind}`))).toMatchObject({ status, body: { status, title, errors: [] } });
    }
  });

  test.each(['development', 'production'])(
    'tells nothing of an unexpected error, in %s; the log has it under the same id',
    async (env) => {
      const { url, log } = await startServer((app) => {
        app.set('env', env);
        app.get('/', () => {
          throw new Error('the database password is 123');
        });
      });
      const response = await fetch(`${url}/?q=secret`);
      const { status, body } = await json(response);
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toMatch(/password|at .*errors\.test/);
      expect(body.id).toBe('the-id');
      expect(log).toHaveLength(1);
      expect(log[0]).toMatchObject({ level: 'error', fields: { id: 'the-id', status: 500, method: 'GET', path: '/' } });
      expect((log[0]?.fields.err as Error).message).toBe('the database password is 123');
    }
  );

  test('a rejected promise is an error like any other', async () => {
    const { url } = await startServer((app) => app.get('/', () => Promise.reject(new Error('x'))));
    expect((await fetch(url)).status).toBe(500);
  });

  test('mistakes of clients are one line at info: where, never what', async () => {
    const { url, log } = await startServer((app) =>
      app.get('/', () => {
        throw new HttpProblem('invalid', '"title" must be text; found my secret.', {
          errors: [{ pointer: '/title', found: 'my secret', allowed: 'text', detail: 'd' }],
        });
      })
    );
    await fetch(`${url}/?q=secret`, { headers: { authorization: 'Bearer secret' } });
    expect(log).toEqual([
      {
        level: 'info',
        message: 'The request is not valid',
        fields: { id: 'the-id', status: 400, kind: 'invalid', method: 'GET', path: '/', pointers: ['/title'] },
      },
    ]);
  });

  test('a response that has begun is aborted, so that nobody takes it for complete', async () => {
    const byExpress = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { url, log } = await startServer((app) => {
      // In tests Express keeps silent.
      app.set('env', 'production');
      app.get('/', async (_req, res) => {
        res.write('[1,');
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('x');
      });
    });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow('terminated');
    expect(log).toHaveLength(1);
    expect(byExpress).not.toHaveBeenCalled();
  });

  test('an error with a type that is not known is 500', async () => {
    const { url } = await startServer((app) =>
      app.get('/', () => {
        throw Object.assign(new Error('x'), { type: 'something.new' });
      })
    );
    expect(await json(await fetch(url))).toMatchObject({ status: 500, type: 'application/problem+json' });
  });

  test('a path that cannot be decoded is a 400', async () => {
    const { port } = await startServer((app) => app.get('/:id', (_req, res) => void res.end()));
    expect(await rawPath(port, '/%ZZ')).toMatchObject({ status: 400, body: { type: '/api/v1/problems/malformed' } });
    expect(await rawPath(port, '/%C3%28')).toMatchObject({ status: 400 });
  });
});

describe('unknown paths and methods', () => {
  const routes = (app: express.Express) => {
    const router = express.Router();
    router.get('/', (_req, res) => void res.end());
    router.post('/', (_req, res) => void res.end());
    router.patch('/:id', (_req, res) => void res.end());
    app.use('/api/things', router);
    app.get('/healthz', (_req, res) => void res.end());
    app.get('/texts/:name', (_req, _res, next) => next());
  };

  test('404 for a path that is not there', async () => {
    const { url } = await startServer(routes);
    expect(await json(await fetch(`${url}/api/nothing?x=1`))).toMatchObject({
      status: 404,
      body: { detail: 'There is nothing at GET /api/nothing. /api/v1/openapi.json lists every path.' },
    });
  });

  test('404 where the route itself finds nothing, not 405 for a method that it supports', async () => {
    const { url } = await startServer(routes);
    const response = await fetch(`${url}/texts/none`);
    expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
    expect((await fetch(`${url}/texts/none`, { method: 'PUT' })).status).toBe(405);
  });

  test.each([
    ['DELETE', '/api/things', 'GET, HEAD, POST'],
    ['GET', '/api/things/7', 'PATCH'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('405 with Allow for %s %s', async (method, path, allow) => {
    const { url } = await startServer(routes);
    const response = await fetch(url + path, { method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await json(response)).toMatchObject({ status: 405, body: { type: '/api/v1/problems/method-not-allowed' } });
  });

  test('a very long path is truncated, in the response and in the log', async () => {
    const { url, log } = await startServer(routes);
    const { body } = await json(await fetch(`${url}/${'a'.repeat(3000)}`));
    expect((body.detail as string).length).toBeLessThan(400);
    expect((log[0]?.fields.path as string).length).toBe(200);
  });
});

describe('secrets', () => {
  test.each([
    ['/x/nbs_abcdefghij_-KL/y', '/x/nb?_[redacted]/y'],
    ['nba_abcdefghij', 'nb?_[redacted]'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['/x/eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1In0.c2ln/y', '/x/[redacted]/y'],
    ['authorization=basic%20dXNlcjpwYXNz', 'authorization=basic [redacted]'],
    ['Send the header "Authorization: Bearer <token>".', 'Send the header "Authorization: Bearer <token>".'],
  ])('%j is logged as %j', (text, safe) => {
    expect(redact(text)).toBe(safe);
  });

  test('a token in a path is neither in the response nor in the log', async () => {
    const { url, log } = await startServer(() => undefined);
    const text = await (await fetch(`${url}/api/v1/tokens/nbs_abcdefghijklmnop`)).text();
    expect(text + JSON.stringify(log)).not.toContain('abcdefgh');
  });
});

test('ids of problems are short and do not repeat', () => {
  const ids = Array.from({ length: 1000 }, newProblemId);
  expect(new Set(ids).size).toBe(1000);
  expect(ids[0]).toMatch(/^[\w-]{12}$/);
});
