/** Which filters Alertmanager accepts, and as which matcher: cases of its tests (`matcher/compat` and `pkg/labels`). */
import { describe, expect, test } from 'vitest';
import { parseFilter } from './filter.ts';

const read = (text: string): [name: string, operator: string, value: string] => {
  const { name, value, isRegex, isEqual } = parseFilter(text);
  return [name, isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!=', value];
};

describe('a filter', () => {
  test.each([
    ['foo=bar', 'foo', '=', 'bar'],
    ['foo🙂=bar', 'foo🙂', '=', 'bar'],
    ['"foo bar"=~"a.*"', 'foo bar', '=~', 'a.*'],
    ['foo="bar",', 'foo', '=', 'bar'],
  ])('in the UTF-8 syntax: %s', (text, ...wanted) => {
    expect(read(text)).toEqual(wanted);
  });

  test.each([
    ['summary=foo bar', 'summary', '=', 'foo bar'],
    [' summary =~ foo (bar|baz) ', 'summary', '=~', 'foo (bar|baz)'],
    ['foo=!bar\\n', 'foo', '=', '!bar\n'],
    ["foo='", 'foo', '=', "'"],
    ['foo=`', 'foo', '=', '`'],
    ['foo=\\"', 'foo', '=', '"'],
    ['tricky=~~~', 'tricky', '=~', '~~'],
    [String.raw`trickier==\\=\=\"`, 'trickier', '=', String.raw`=\=\="`],
    ['foo=a{b}c', 'foo', '=', 'a{b}c'],
    ['foo=bar\\t', 'foo', '=', 'bar\\t'],
    ['foo=bar\\', 'foo', '=', 'bar\\'],
    ['foo=bar\\\\', 'foo', '=', 'bar\\'],
    ['foo="a\\.b"', 'foo', '=', 'a\\.b'],
    ['foo="a\nb"', 'foo', '=', 'a\nb'],
    ['job=', 'job', '=', ''],
    ['a:b!=c d', 'a:b', '!=', 'c d'],
    // Without quotes, the rest is the value.
    ['foo=bar,dings!=bums', 'foo', '=', 'bar,dings!=bums'],
  ])('in the classic syntax, which the UTF-8 syntax rejects: %s', (text, ...wanted) => {
    expect(read(text)).toEqual(wanted);
  });

  test.each([
    ['foo!bar', /Character 4: found "!"/],
    ['', /found no matcher/],
    [',', /Character 1/],
    ['{foo=bar}', /without braces/],
    ['foo=bar}', /without braces/],
    ['foo="bar", baz!="quux"', /a filter is one matcher/],
    ['job="value', /quote/],
    ['job=value"', /./],
    ['contains_unescaped_quote = foo"bar', /./],
    [String.raw`trickier==\\=\=\""`, /./],
    ['job="a\\"', /quote/],
    ['"foo="bar""', /./],
    ['foo=~"invalid[regexp"', /regular expression/],
    ['foo=~a (b', /missing closing/],
  ])('that is invalid in both: %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
