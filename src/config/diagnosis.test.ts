import { describe, expect, it } from 'vitest';
import type { BridgeStatus } from '@nodebell/contract/status.ts';
import type { CheckState } from './checks';
import { diagnose } from './diagnosis';
import type { Evidence, Reply } from './evidence';

const NOW = Date.UTC(2026, 10, 21, 10);
const status: BridgeStatus = {
  version: '0.1.3',
  time: new Date(NOW).toISOString(),
  startedAt: new Date(NOW - 60_000).toISOString(),
  auth: 'sender-open',
  webhookSecret: false,
  storeWritable: true,
  database: 'sqlite',
  pages: 1,
};
const statusReply = (change: Partial<BridgeStatus> = {}, grafanaAt = NOW): Reply => ({
  kind: 'status',
  status: { ...status, ...change },
  sentAt: NOW - 10,
  receivedAt: NOW + 10,
  grafanaAt,
});
const given = (reply: Reply, change: Partial<Evidence> = {}) =>
  diagnose({ host: 'bridge', port: 8080, tokenSet: true, version: '0.1.0', reply, ...change });
const states = (reply: Reply, change?: Partial<Evidence>): CheckState[] =>
  given(reply, change).checks.map(({ state }) => state);

describe('each cause has its own title and failed check', () => {
  const failed = (cause: string, ip?: string) =>
    ({ kind: 'no-connection', failure: { cause, ...(ip && { ip }) } }) as Reply;
  const cases: Array<[string, Reply, string, CheckState[], Partial<Evidence>?]> = [
    ['name', failed('name'), 'Could not resolve bridge', ['failed', 'not-reached']],
    ['refused', failed('refused', '172.33.0.14'), 'Connection refused by bridge:8080', ['ok', 'failed', 'not-reached']],
    ['time-out', failed('timeout'), 'Connection to bridge:8080 timed out', ['ok', 'failed']],
    ['timeout', { kind: 'timeout', afterMs: 10_000 }, 'Connection to bridge:8080 timed out', ['ok', 'failed']],
    ['no route', failed('route'), 'No network route to bridge', ['ok', 'failed']],
    ['TLS', failed('tls'), 'TLS connection to bridge:8080 failed', ['ok', 'failed']],
    ['connection reset', failed('reset'), 'Connection reset by bridge:8080', ['ok', 'failed']],
    ['recovered', failed('recovered'), 'The bridge was unreachable but is responding now', ['ok', 'ok', 'unknown']],
    ['a name, cause unknown', { kind: 'no-connection' }, 'Grafana could not connect to bridge:8080', ['unknown']],
    [
      'an address, cause unknown',
      { kind: 'no-connection' },
      'Grafana could not connect to [::1]:8080',
      ['ok', 'failed'],
      { host: '::1' },
    ],
    [
      'token',
      { kind: 'problem', status: 403, detail: 'This is not the admin token.' },
      'Authentication failed: the bridge rejected the token',
      ['ok', 'ok', 'failed', 'not-reached'],
    ],
    [
      'no token',
      { kind: 'problem', status: 403, detail: 'This needs the admin token.' },
      'Authentication failed: no token configured',
      ['ok', 'ok', 'failed'],
      { tokenSet: false },
    ],
    [
      'who it is',
      { kind: 'problem', status: 403, detail: 'The identity in X-Grafana-Id has expired.' },
      'The bridge returned status 403',
      ['ok', 'ok', 'unknown'],
    ],
    [
      'name of the host',
      { kind: 'problem', status: 403, detail: 'Add it to NODEBELL_ALLOWED_HOSTS.' },
      'The bridge does not allow the host name bridge',
      ['ok', 'ok', 'unknown'],
    ],
    [
      'a failing bridge',
      { kind: 'problem', status: 500, detail: 'Failed.' },
      'The bridge returned status 500',
      ['ok', 'ok', 'unknown'],
    ],
    [
      'an old bridge',
      { kind: 'problem', status: 404, detail: 'There is nothing here.' },
      'The bridge is older than the plugin',
      ['ok', 'ok', 'ok', 'failed', 'not-reached'],
    ],
    [
      'another version',
      statusReply({ version: '0.2.0' }),
      'Version mismatch: bridge 0.2.0, plugin 0.1.0',
      ['ok', 'ok', 'ok', 'failed', 'not-reached'],
    ],
    [
      'another version, another shape',
      { kind: 'foreign', version: '3.0.0' },
      'Version mismatch: bridge 3.0.0, plugin 0.1.0',
      ['ok', 'ok', 'ok', 'failed'],
    ],
    [
      'something else',
      { kind: 'foreign' },
      'The service at bridge:8080 is not a Nodebell bridge',
      ['ok', 'ok', 'unknown'],
    ],
    [
      'app off',
      { kind: 'grafana', status: 404, message: 'Plugin not found' },
      'The app is disabled in this organization',
      ['not-reached'],
    ],
    [
      'other routes',
      { kind: 'grafana', status: 404, message: 'plugin route match not found' },
      'Grafana is still using the previous plugin version',
      ['not-reached'],
    ],
    ['Grafana down', { kind: 'grafana', status: 0, message: '' }, 'Grafana is not responding', ['not-reached']],
    [
      'Grafana refuses',
      { kind: 'grafana', status: 403, message: 'access denied' },
      'Grafana returned status 403',
      ['not-reached'],
    ],
    [
      'clocks',
      statusReply({ time: new Date(NOW - 300_000).toISOString() }),
      'Connected, but the clocks are out of sync',
      ['ok', 'ok', 'ok', 'ok', 'warned'],
    ],
    [
      'store',
      statusReply({ storeWritable: false }),
      'Connected, but the bridge cannot write to its database',
      ['ok', 'ok', 'ok', 'ok', 'ok'],
    ],
    [
      'disk full',
      statusReply({ storeWritable: false, storeFailure: { reason: 'disk_full', since: new Date(NOW).toISOString() } }),
      'Connected, but the bridge’s disk is full',
      ['ok', 'ok', 'ok', 'ok', 'ok'],
    ],
    [
      'damaged',
      statusReply({ storeWritable: false, storeFailure: { reason: 'corrupt', since: new Date(NOW).toISOString() } }),
      'Connected, but the bridge’s database is corrupt',
      ['ok', 'ok', 'ok', 'ok', 'ok'],
    ],
    [
      'removed',
      statusReply({
        storeWritable: false,
        storeFailure: { reason: 'database_missing', since: new Date(NOW).toISOString() },
      }),
      'Connected, but the database file was removed or replaced',
      ['ok', 'ok', 'ok', 'ok', 'ok'],
    ],
    ['connected', statusReply(), 'Connected', ['ok', 'ok', 'ok', 'ok', 'ok']],
  ];

  it.each(cases)('%s', (_name, reply, title, first, change) => {
    const diagnosis = given(reply, change);
    expect(diagnosis.title).toBe(title);
    expect(diagnosis.checks).toHaveLength(5);
    expect(states(reply, change).slice(0, first.length)).toEqual(first);
    expect(`${diagnosis.title} ${diagnosis.text}`).not.toMatch(/\{|\}|undefined/);
  });

  it('titles are unique except for the two timeouts', () => {
    const titles = cases.map(([, reply, , , change]) => given(reply, change).title);
    expect(new Set(titles).size).toBe(titles.length - 1);
  });
});

it('shows the address that a name resolves to', () => {
  const { checks } = given({ kind: 'no-connection', failure: { cause: 'refused', ip: '172.33.0.14' } });
  expect(checks[0]?.detail).toBe('bridge resolves to 172.33.0.14');
});

it.each([
  ['0.1.0', '0.1.9', true],
  ['0.1.0', '0.2.0', false],
  ['1.2.0', '1.9.4', true],
  ['1.2.0', '2.0.0', false],
  ['0.1.0', '0.10.0', false],
  ['1.0.0', '10.0.0', false],
])('plugin %s and bridge %s: one release is %s', (plugin, bridge, same) => {
  expect(states(statusReply({ version: bridge }), { version: plugin })[3]).toBe(same ? 'ok' : 'failed');
});

it('reports rejected signed alerts only if signatures are required', () => {
  const late = NOW - 6 * 60_000;
  expect(given(statusReply({ webhookSecret: true }, late)).text).toContain('rejects signed Grafana alerts');
  expect(given(statusReply({ webhookSecret: false }, late)).text).toContain('off by this amount');
});
