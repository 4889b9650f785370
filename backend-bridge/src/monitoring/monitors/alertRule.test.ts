import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CPU, monitored } from './monitored.testing.ts';
import { ruleFile } from './prometheus/monitor.ts';
import { alertRule, promQuery, ruleSupport } from './alertRule.ts';

test('a query of Prometheus becomes a rule that fires while the condition does not hold', () => {
  expect(alertRule(monitored(CPU, { threshold: 85.5 }))).toEqual({
    dnpName: 'geth.example.eth',
    correlationId: 'host-cpu',
    title: 'CPU usage',
    expr: '100 * avg(rate(cpu{mode!="idle"}[2m]))',
    operator: '>',
    threshold: 85.5,
    forSeconds: 90,
    labels: {
      dnpName: 'geth.example.eth',
      correlationId: 'host-cpu',
      category: 'hardware',
      severity: 'medium',
      isBanner: 'false',
    },
    annotations: {
      summary: 'CPU usage',
      description: 'Fewer than 85.5 peers',
      callToActionTitle: 'Look',
      callToActionUrl: 'https://example.org/cpu',
    },
    on: true,
  });
});

test.each([
  ['<=', '>'],
  ['<', '>='],
  ['>=', '<'],
  ['>', '<='],
  ['==', '!='],
  ['!=', '=='],
])('a condition with %s becomes a rule with %s', (health, alert) => {
  const conditions = [`[BODY].data.result[0].value[1] ${health} 80`];
  expect(alertRule(monitored({ ...CPU, conditions })).operator).toBe(alert);
});

test.each([
  ['http://p:9090/api/v1/query?query=up', 'up'],
  ['http://p:9090/prometheus/api/v1/query?time=1&query=a%2Bb', 'a+b'],
  ['http://p:9090/api/v1/query?query=', undefined],
  ['http://p:9090/api/v1/query', undefined],
  ['http://p:9090/api/v1/query_range?query=up', undefined],
  ['http://geth:8545', undefined],
  ['not an address', undefined],
])('%s contains the query %s', (url, query) => {
  expect(promQuery({ url })).toBe(query);
});

test('endpoints without a rule have a reason', () => {
  expect(ruleSupport(monitored())).toEqual({ kind: 'none' });
  expect(ruleSupport(monitored(CPU))).toEqual({ kind: 'supported' });
  expect(ruleSupport(monitored({ ...CPU, conditions: ['[STATUS] == 200'] }))).toMatchObject({ kind: 'read-only' });
  expect(ruleSupport(monitored({ ...CPU, conditions: ['[BODY].data == false'] }))).toMatchObject({ kind: 'read-only' });
  for (const right of ['2h', '80%', '80 %']) {
    const conditions = [`[BODY].data.result[0].value[1] < ${right}`];
    const reason = `No rule: the condition compares with ${right}, but values of Prometheus have no unit.`;
    expect(ruleSupport(monitored({ ...CPU, conditions }))).toEqual({ kind: 'read-only', reason });
  }
  const two = [...CPU.conditions, '[STATUS] == 200'];
  expect(ruleSupport(monitored({ ...CPU, conditions: two }))).toMatchObject({
    kind: 'supported',
    note: expect.any(String),
  });
});

describe('endpoints that would make Prometheus reject the whole file are read-only, with the reason', () => {
  const querying = (query: string) => ({
    ...CPU,
    url: `http://p:9090/api/v1/query?query=${encodeURIComponent(query)}`,
  });
  const alerting = (failures: number) => [{ enabled: true, description: '', 'failure-threshold': failures }];
  test.each([
    [querying('sum(up'), 'of its query, it leaves a ( open'],
    [querying('up) or (up'), 'closes a ) that is not open'],
    [querying('"up'), 'cannot be read from "\\"up" on'],
    [{ ...CPU, interval: '999999999d' }, 'longer than 7 days'],
    [{ ...CPU, alerts: alerting(1e30) }, 'counts 1e+30 checks'],
    [{ ...CPU, interval: '1d', alerts: alerting(9) }, 'after more than 7 days of failed checks'],
  ])('%j', (changes, reason) => {
    expect(ruleSupport(monitored(changes))).toEqual({ kind: 'read-only', reason: expect.stringContaining(reason) });
  });

  test('the limits themselves are supported', () => {
    expect(ruleSupport(monitored({ ...CPU, interval: '1d', alerts: alerting(8) }))).toEqual({ kind: 'supported' });
    expect(ruleSupport(monitored({ ...CPU, alerts: alerting(1000) }))).toEqual({ kind: 'supported' });
  });

  test('a query may end in a comment', () => {
    expect(ruleSupport(monitored(querying('up # (')))).toEqual({ kind: 'supported' });
    const { groups } = parse(ruleFile([alertRule(monitored(querying('up # (')))])) as { groups: { rules: object[] }[] };
    expect(groups[0]?.rules).toMatchObject([{ expr: '(\nup # (\n) > 80' }]);
  });

  test('a rule has a name', () => {
    const nameless = monitored({ ...CPU, definition: { title: ' ', description: '' } });
    expect(ruleFile([alertRule(nameless)])).toContain('- alert: host-cpu\n');
  });
});

test('the rule file of Prometheus, byte for byte', () => {
  const title = 'CPU {{ $value }}';
  const rules = [
    monitored({ ...CPU, definition: { title, description: 'x' } }),
    monitored(CPU, { enabled: false }),
  ].map(alertRule);
  expect(ruleFile(rules))
    .toBe(`# Written by Nodebell from the endpoints of its packages. Changes to this file are overwritten; use Nodebell.
groups:
  - name: nodebell
    rules:
      - alert: CPU {{ $value }}
        expr: |-
          (
          100 * avg(rate(cpu{mode!="idle"}[2m]))
          ) > 80
        for: 90s
        labels:
          dnpName: geth.example.eth
          correlationId: host-cpu
          category: hardware
          severity: medium
          isBanner: "false"
        annotations:
          summary: CPU {{"{{"}} $value }}
          description: Fewer than 80 peers
          callToActionTitle: Look
          callToActionUrl: https://example.org/cpu
`);
  expect(ruleFile([])).toContain('groups: []');
});
