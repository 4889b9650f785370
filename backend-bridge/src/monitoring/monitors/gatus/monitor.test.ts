import { parse } from 'yaml';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CPU, monitored } from '../monitored.testing.ts';
import { fromGatus } from '../../../intake/webhooks/fromGatus.ts';
import { gatusSupport, gatusConfig } from './monitor.ts';

const TARGET = { webhookUrl: 'http://127.0.0.1:8080/api/v1/webhooks/gatus' };

const ALERT = { type: 'custom', enabled: true, description: 'x', 'failure-threshold': 1, 'success-threshold': 1 };

/** Parses like Gatus: `$$` is a dollar sign; there must be no variables. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the file holds
function read(text: string): any {
  const expanded = text.replaceAll('$$', '\u0001');
  expect(expanded).not.toContain('$');
  return parse(expanded.replaceAll('\u0001', '$'));
}

test('an endpoint with the complete notification in its alerts', () => {
  const file = read(gatusConfig([monitored(CPU, { threshold: 85 })], TARGET));
  const [{ alerts, ...endpoint }] = file.endpoints;
  expect(endpoint).toEqual({
    name: 'CPU (geth.example.eth)',
    group: 'hardware',
    url: CPU.url,
    interval: '30s',
    conditions: ['[BODY].data.result[0].value[1] <= 85'],
  });
  const { 'provider-override': override, ...alert } = alerts[0];
  expect(alert).toEqual({
    type: 'custom',
    enabled: true,
    description: 'Fewer than [CONDITION_VALUE] peers',
    'failure-threshold': 4,
    'success-threshold': 1,
    'send-on-resolved': true,
  });
  const filled = String(override.body).replace('[ALERT_TRIGGERED_OR_RESOLVED]', 'TRIGGERED');
  expect(fromGatus(filled)).toMatchObject({
    ok: true,
    value: {
      incoming: {
        payload: {
          title: 'CPU usage',
          category: 'hardware',
          dnpName: 'geth.example.eth',
          correlationId: 'host-cpu',
          priority: 'medium',
          status: 'triggered',
          isBanner: false,
          callToAction: { title: 'Look', url: 'https://example.org/cpu' },
        },
      },
    },
  });
  expect(JSON.parse(override.body).body).toBe('Fewer than 85 peers');
  expect(file.alerting.custom).toMatchObject({ url: TARGET.webhookUrl, method: 'POST' });
});

test('endpoints that are off are left out; a file without endpoints is still valid for Gatus', () => {
  const both = [monitored(CPU, { enabled: false }), monitored()];
  expect(read(gatusConfig(both, TARGET)).endpoints).toMatchObject([
    { name: 'Peers (geth.example.eth)', method: 'POST' },
  ]);
  expect(read(gatusConfig([monitored(CPU, { enabled: false })], TARGET)).endpoints).toMatchObject([{ enabled: false }]);
});

test('characters that YAML forbids are replaced', () => {
  expect(gatusConfig([monitored({ name: 'a\u007f\u0090\ufeff\uffffb' })], TARGET)).toContain(
    'name: "a\ufffd\ufffd\ufffd\ufffdb ('
  );
});

test('the sender token is sent in a header', () => {
  const { headers } = read(gatusConfig([], { ...TARGET, token: 'of a $ender' })).alerting.custom;
  expect(headers).toEqual({ 'Content-Type': 'application/json', Authorization: 'Bearer of a $ender' });
});

test('pairs of group and name that are equal for Gatus get a number', () => {
  const names = ['a.b', 'A_b', 'a b'].map((name, index) => monitored({ name, correlationId: `geth-x${index}` }));
  const { endpoints } = read(gatusConfig(names, TARGET)) as { endpoints: { name: string }[] };
  expect(endpoints.map(({ name }) => name)).toEqual([
    'a.b (geth.example.eth)',
    'A_b (geth.example.eth) 2',
    'a b (geth.example.eth) 3',
  ]);
});

describe('endpoints that Gatus rejects are read-only, with the reason', () => {
  test.each([
    [{ url: '' }, 'no URL'],
    [{ url: 'ftp://example.org' }, 'is not supported'],
    [{ url: 'http://[' }, 'is not supported'],
    [{ url: 'http://x/%zz' }, 'is not supported'],
    [{ url: 'http://x/a\u0001b' }, 'is not supported'],
    [{ method: 'GE T' }, 'its method (GE T) is not one of GET'],
    [{ interval: '999999999d' }, 'longer than 7 days'],
    [{ alerts: [{ ...ALERT, 'failure-threshold': 1e30 }] }, 'counts 1e+30 checks'],
    [{ alerts: [ALERT, { ...ALERT, 'success-threshold': 1001 }] }, 'counts 1001 checks'],
    [{ conditions: [] }, 'no condition'],
    [{ conditions: ['[STATUS]==200'] }, 'no space on each side'],
    [{ conditions: ['[STATUS] == 200', '[BODY].x>1'] }, '[BODY].x>1'],
    [{ conditions: ['[DOMAIN_EXPIRATION] > 48h'] }, 'shorter than 5 minutes'],
    [{ dns: { 'query-name': 'x' } }, 'dns and ssh'],
  ])('%j', (changes, reason) => {
    expect(gatusSupport(monitored(changes))).toEqual({ kind: 'read-only', reason: expect.stringContaining(reason) });
  });

  test('decimals that Gatus truncates add a note', () => {
    expect(gatusSupport(monitored({}, { threshold: 12.5 }))).toEqual({
      kind: 'supported',
      note: 'Gatus truncates decimals and compares with 12.',
    });
    expect(gatusSupport(monitored({}, { threshold: 12 }))).toEqual({ kind: 'supported' });
  });
});

test('any text of a package is escaped: the file is YAML without variables', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((word) => word.trim() !== '');
  fc.assert(
    fc.property(text, text, text, (name, description, path) => {
      const url = `http://geth.example/${encodeURIComponent(path)}$HOME\${X}`;
      const alerts = [
        {
          type: 'custom',
          enabled: true,
          description,
          'failure-threshold': 1,
          'success-threshold': 1,
          'send-on-resolved': true,
        },
      ];
      const file = read(gatusConfig([monitored({ name, url, alerts })], TARGET));
      expect(file.endpoints[0].url).toBe(url);
      expect(file.endpoints[0].name).not.toMatch(/["\\]/);
      expect(file.endpoints[0].alerts[0].description).not.toMatch(/["\\]/);
      const { body } = file.endpoints[0].alerts[0]['provider-override'];
      expect(JSON.parse(body).body).toBe(description.replaceAll('[CONDITION_VALUE]', '10'));
    })
  );
});
