import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { RunningPrometheus } from './rules.ts';
import { runningPrometheus } from './running.ts';

/** A stand-in for the two paths that are asked. */
let answers: Record<string, { status: number; body: unknown }>;
let asked: string[];
let prometheus: RunningPrometheus;
let stop: () => Promise<void>;
beforeEach(async () => {
  [answers, asked] = [{}, []];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const { status, body } = answers[(request.url ?? '').replace(/\?.*/, '')] ?? { status: 404, body: 'not found' };
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(() => stop());
  prometheus = runningPrometheus(`http://127.0.0.1:${(server.address() as AddressInfo).port}/prom/`, 'secret');
});

test('it is told to read its files, at its own path and with the token', async () => {
  answers['/prom/-/reload'] = { status: 200, body: '' };
  await prometheus.reload();
  expect(asked).toEqual(['POST /prom/-/reload Bearer secret']);
});

test.each([
  [403, '--web.enable-lifecycle'],
  [500, 'see its log'],
])('refused with %i it says what to do', async (status, words) => {
  answers['/prom/-/reload'] = { status, body: '' };
  await expect(prometheus.reload()).rejects.toThrow(words);
});

test('without an answer the rules are written all the same', async () => {
  await stop();
  await expect(prometheus.reload()).rejects.toThrow('The rules are written, but Prometheus does not answer');
  await expect(prometheus.listed()).rejects.toThrow('The rules are written, but Prometheus does not answer');
});

describe('the rules that it has', () => {
  const rule = { state: 'inactive', name: 'Few peers', query: 'up', health: 'ok', type: 'alerting' };
  const labels = { dnpName: 'geth', correlationId: 'peers' };

  test('those of the own group alone, as older versions answer with all', async () => {
    const groups = [
      { name: 'others', file: '/a', rules: [{ ...rule, labels: { ...labels, dnpName: 'other' } }] },
      { name: 'nodebell', file: '/b', rules: [{ ...rule, labels }, rule] },
    ];
    answers['/prom/api/v1/rules'] = { status: 200, body: { status: 'success', data: { groups } } };
    expect(await prometheus.listed()).toEqual([labels, {}]);
    expect(asked).toEqual([
      'GET /prom/api/v1/rules?type=alert&rule_group%5B%5D=nodebell&exclude_alerts=true Bearer secret',
    ]);
  });

  test.each([
    ['no such path', 404, 'not found'],
    ['no leave', 403, { status: 'error' }],
    ['something else', 200, '<html>'],
    ['another shape', 200, { status: 'success', data: {} }],
  ])('%s: that it does not say', async (_, status, body) => {
    answers['/prom/api/v1/rules'] = { status, body };
    await expect(prometheus.listed()).rejects.toThrow(`does not say whether it has them (${status} to /api/v1/rules)`);
  });
});
