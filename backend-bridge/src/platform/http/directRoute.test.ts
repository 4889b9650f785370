import express from 'express';
import type { RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { withDirectRoute, writeJson } from './directRoute.ts';
import { errorWriter, notFound } from './errors.ts';
import { captureLog } from './httpServer.testing.ts';
import { HttpProblem } from './problem.ts';
import { listen } from './server.ts';

/** Serves the same handlers twice: `/direct` without the router, `/routed` with it. */
async function start(...handlers: RequestHandler[]) {
  const { lines, log } = captureLog();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.post(['/direct', '/routed'], ...handlers);
  app.use(notFound());
  const writeError = errorWriter(log, () => 'the-id');
  app.use(writeError);
  const direct = withDirectRoute(app, { method: 'POST', url: '/direct', handlers }, writeError);
  const listening = await listen(direct, { host: '127.0.0.1', port: 0, closeTimeout: 500 });
  onTestFinished(() => listening.close());
  const ask = async (path: string, method = 'POST') => {
    const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, { method });
    const headers = [...response.headers].filter(([name]) => name !== 'date');
    return { status: response.status, headers, body: (await response.text()).replace('/routed', '/direct') };
  };
  return { ask, lines };
}

const stored: RequestHandler = (req, res) =>
  writeJson(res, 201, { text: 'ü', path: req.baseUrl + req.path, locals: res.locals }, { Location: '/1' });
const problem = () => new HttpProblem('forbidden', 'No.', { headers: { 'Retry-After': '1' } });

test.each<[string, RequestHandler[]]>([
  ['a response', [(_req, res, next) => ((res.locals.person = undefined), next()), stored]],
  ['a later handler', [async (_req, _res, next) => (await Promise.resolve(), next()), stored]],
  [
    'a handler that throws',
    [
      () => {
        throw problem();
      },
      stored,
    ],
  ],
  ['a handler that rejects', [() => Promise.reject(problem()), stored]],
  ['a handler that passes an error on', [(_req, _res, next) => next(problem()), stored]],
  [
    'a fault of the code',
    [
      () => {
        throw new TypeError('x is not a function');
      },
    ],
  ],
])('%s is the same with and without the router', async (_, handlers) => {
  const { ask, lines } = await start(...handlers);
  const direct = await ask('/direct');
  expect(direct).toEqual(await ask('/routed'));
  const [one, other] = lines.map(({ level, fields }) => ({ level, ...fields, path: undefined, err: undefined }));
  expect(one).toEqual(other);
});

test('other methods and spellings go to the router', async () => {
  const { ask } = await start(stored);
  expect(await ask('/direct?query')).toEqual(await ask('/direct'));
  expect(await ask('/direct/')).toMatchObject({ status: 201 });
  expect(await ask('/direct', 'PUT')).toMatchObject({ status: 405 });
});
