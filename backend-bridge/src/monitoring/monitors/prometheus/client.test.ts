import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPrometheusClient, type PrometheusClient } from './client.ts';

/** An HTTP server with two paths of Prometheus. */
let responses: Record<string, { status: number; body: unknown }>;
let requests: string[];
let prometheus: PrometheusClient;
let stop: () => Promise<void>;
beforeEach(async () => {
  [responses, requests] = [{}, []];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    const { status, body } = responses[(request.url ?? '').replace(/\?.*/, '')] ?? { status: 404, body: 'not found' };
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(() => stop());
  prometheus = createPrometheusClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/prom/`, 'secret');
});

test('reload is requested below the sub-path, with the token', async () => {
  responses['/prom/-/reload'] = { status: 200, body: '' };
  await prometheus.reload();
  expect(requests).toEqual(['POST /prom/-/reload Bearer secret']);
});

test.each([
  [403, '--web.enable-lifecycle'],
  [500, 'see its log'],
])('status %i: the error says what to do', async (status, advice) => {
  responses['/prom/-/reload'] = { status, body: '' };
  await expect(prometheus.reload()).rejects.toThrow(advice);
});

test('unreachable: the rules are written nevertheless', async () => {
  await stop();
  await expect(prometheus.reload()).rejects.toThrow('The rules are written, but Prometheus does not respond');
  await expect(prometheus.ruleLabels()).rejects.toThrow('The rules are written, but Prometheus does not respond');
});

describe('the loaded rules', () => {
  const rule = { state: 'inactive', name: 'Few peers', query: 'up', health: 'ok', type: 'alerting' };
  const labels = { dnpName: 'geth', correlationId: 'peers' };

  test('are those of the bridge, although older versions respond with all groups', async () => {
    const groups = [
      { name: 'others', file: '/a', rules: [{ ...rule, labels: { ...labels, dnpName: 'other' } }] },
      { name: 'nodebell', file: '/b', rules: [{ ...rule, labels }, rule] },
    ];
    responses['/prom/api/v1/rules'] = { status: 200, body: { status: 'success', data: { groups } } };
    expect(await prometheus.ruleLabels()).toEqual([labels, {}]);
    expect(requests).toEqual([
      'GET /prom/api/v1/rules?type=alert&rule_group%5B%5D=nodebell&exclude_alerts=true Bearer secret',
    ]);
  });

  test.each([
    ['unknown path', 404, 'not found'],
    ['forbidden', 403, { status: 'error' }],
    ['not JSON', 200, '<html>'],
    ['another shape', 200, { status: 'success', data: {} }],
  ])('%s: the error contains the status', async (_, status, body) => {
    responses['/prom/api/v1/rules'] = { status, body };
    await expect(prometheus.ruleLabels()).rejects.toThrow(`does not list its rules (${status} from /api/v1/rules)`);
  });
});
