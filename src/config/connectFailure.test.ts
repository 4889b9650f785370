import { expect, it } from 'vitest';
import { readConnectFailure } from './connectFailure';

it.each([
  ['Post "http://bridge:8080/": dial tcp: lookup bridge on 127.0.0.11:53: no such host', { cause: 'name' }],
  ['dial tcp: lookup bridge on 127.0.0.53:53: server misbehaving', { cause: 'name' }],
  ['dial tcp: lookup bridge: i/o timeout', { cause: 'name' }],
  ['lookup bridge: Temporary failure in name resolution', { cause: 'name' }],
  ['dial tcp 172.33.0.14:8080: connect: connection refused', { cause: 'refused', ip: '172.33.0.14' }],
  ['dial tcp [::1]:8080: connect: connection refused', { cause: 'refused', ip: '::1' }],
  ['dial tcp 10.255.255.1:8080: i/o timeout', { cause: 'timeout', ip: '10.255.255.1' }],
  ['the receiver timed out: Post "http://b/": context deadline exceeded', { cause: 'timeout' }],
  ['net/http: request canceled (Client.Timeout exceeded while awaiting headers)', { cause: 'timeout' }],
  ['dial tcp 192.168.7.9:8080: connect: no route to host', { cause: 'route', ip: '192.168.7.9' }],
  ['tls: failed to verify certificate: x509: certificate signed by unknown authority', { cause: 'tls' }],
  ['http: server gave HTTP response to HTTPS client', { cause: 'tls' }],
  ['read tcp 10.0.0.2:34934->10.0.0.3:8080: read: connection reset by peer', { cause: 'reset' }],
  ['Post "http://bridge:8080/": EOF', { cause: 'reset' }],
  ['unexpected status code 404', { cause: 'recovered' }],
  ['webhook response status 404 Not Found', { cause: 'recovered' }],
  ['unexpected status code 404: {"type":"/api/v1/problems/not-found"}', { cause: 'recovered' }],
])('reads %s', (message, failure) => {
  expect(readConnectFailure(message)).toEqual(failure);
});

it('returns undefined for unknown messages', () => {
  expect(readConnectFailure('something else happened')).toBeUndefined();
});
