import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { monitorOutbound } from './outbound.ts';

test.each(['localhost', '127.0.0.1'])('a monitor at %s is reached', async (host) => {
  const server = createServer((_req, res) => res.end('here')).listen(0);
  onTestFinished(() => void server.close());
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  expect((await monitorOutbound(url, 100).fetchGuarded(url, 'test')).body.toString()).toBe('here');
});

test('a monitor may have an absolute name', () => {
  expect(() => monitorOutbound('http://prometheus.monitoring.svc.cluster.local.:9090', 100)).not.toThrow();
});
