import { describe, expect, test } from 'vitest';
import { brokenQuery } from './promql.ts';

describe('a whole query', () => {
  test.each([
    'up',
    '100 - (avg by (instance) (rate(node_cpu_seconds_total{mode="idle", job=~"a.*\\\\d"}[5m])) * 100)',
    'max_over_time(up[5m:30s] offset -1h) unless on () vector(1) != bool 2 ^ 1e-3 % 0x1F',
    'up{a="})]", b=\'{[("\', c=`\\(`}',
    'up # it\'s ( "open',
    '# first\nup\r\n\t+ up @ end()',
    'up{a="\\n\\"\\x7f\\u00e9\\U0001F600\\101é", a!~"x"}',
  ])('%s', (query) => expect(brokenQuery(query)).toBeUndefined());
});

describe('a broken one, with the reason', () => {
  test.each([
    ['(up', 'leaves a ( open'],
    ['up{a="b"', 'leaves a { open'],
    ['rate(up[5m)', 'closes a ) that is not open'],
    ['up)', 'closes a ) that is not open'],
    ['up) or (up', 'closes a ) that is not open'],
    ['sum(up # )', 'leaves a ( open'],
    ['up{a="b}', 'cannot be read from "\\"b}" on'],
    ['"a\nb"', 'cannot be read'],
    ['"\\q"', 'cannot be read'],
    ["'\\\"'", 'cannot be read'],
    ['`a', 'cannot be read'],
    ['up; down', 'cannot be read from "; down" on'],
    ['rate(up[$__rate_interval])', 'cannot be read from "$__rate_interval])" on'],
    ['up\u00a0', 'cannot be read'],
    ['# nothing', 'nothing but comments'],
    [' \n', 'nothing but comments'],
  ])('%s', (query, reason) => expect(brokenQuery(query)).toContain(reason));
});
