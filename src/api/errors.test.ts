import { expect, it } from 'vitest';
import { toBridgeError } from './errors';

const problem = (status: number, detail = 'What to do.') => ({
  type: '/api/v1/problems/x',
  title: 'T',
  status,
  detail,
  id: 'a',
  errors: [],
});

it.each([
  ['nothing at all', new TypeError('Failed to fetch'), 'unreachable'],
  ['the proxy could not reach the bridge', { status: 502, data: '' }, 'unreachable'],
  ['the proxy gave up', { status: 504 }, 'unreachable'],
  ['a load balancer without a server', { status: 503, data: '<html>' }, 'unreachable'],
  ['the bridge cannot write', { status: 503, data: problem(503) }, 'busy'],
  ['too many requests', { status: 429, data: problem(429) }, 'busy'],
  ['the bridge refuses the token', { status: 403, data: problem(403, 'This is not the admin token.') }, 'token'],
  [
    'the bridge refuses who asks',
    { status: 403, data: problem(403, 'The identity in X-Grafana-Id has expired.') },
    'refused',
  ],
  ['a problem that came as text', { status: 400, data: JSON.stringify(problem(400)) }, 'invalid'],
  ['Grafana refuses the role', { status: 403, data: { message: 'plugin proxy route access denied' } }, 'role'],
  ['deleted', { status: 404, data: problem(404) }, 'not-found'],
  ['another service at that address', { status: 404, data: 'Not Found' }, 'unexpected'],
  ['our mistake', { status: 400, data: problem(400) }, 'invalid'],
  ['the bridge failed', { status: 500, data: problem(500) }, 'failed'],
])('%s', (_what, thrown, kind) => expect(toBridgeError(thrown).kind).toBe(kind));

it('uses the detail of the bridge as message', () => {
  expect(toBridgeError({ status: 400, data: problem(400) }).message).toBe('What to do.');
});

it('says who is not responding instead of the status text', () => {
  expect(toBridgeError({ status: 502, statusText: 'Bad Gateway' }).message).toBe('The bridge is not responding.');
  expect(toBridgeError(new TypeError('Failed to fetch')).message).toBe('Grafana is not responding.');
});
