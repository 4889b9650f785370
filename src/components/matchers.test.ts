import { describe, expect, it } from 'vitest';
import { addLabel, complete, completableAt, fitsLabels, mistakeOf, needsBridge } from './matchers';

/** The caret is at the bar. */
const at = (text: string) => completableAt(text.replace('|', ''), text.includes('|') ? text.indexOf('|') : text.length);

describe('what is typed at the caret', () => {
  it.each([
    ['', 'name', '', ''],
    ['sev', 'name', 'sev', 'sev'],
    ['{sev', 'name', 'sev', 'sev'],
    ['a="1", in', 'name', 'in', 'in'],
    ['a="1,2", in', 'name', 'in', 'in'],
    ['a="1", in|stance="x"', 'name', 'in', 'in'],
    ['"ü', 'name', 'ü', 'ü'],
    ['severity ', 'operator', 'severity', ''],
    ['severity!', 'operator', 'severity', '!'],
    ['severity=', 'value', 'severity', ''],
    ['severity="cr', 'value', 'severity', 'cr'],
    ['a="1", severity=~cr', 'value', 'severity', 'cr'],
    ['path="C:\\\\d', 'value', 'path', 'C:\\d'],
    ['a="x, y', 'value', 'a', 'x, y'],
  ])('%s', (text, kind, name, prefix) => expect(at(text)).toMatchObject({ kind, name, prefix }));

  it.each(['severity="critical"', 'severity="critical" ', '{severity="a"}'])('nothing: %s', (text) =>
    expect(at(text)).toBeUndefined()
  );
});

it.each([
  ['sev', 'severity', 'severity='],
  ['a="1", sev', 'severity', 'a="1", severity='],
  ['ü', 'ünï', '"ünï"='],
  ['severity ', '!=', 'severity!='],
  ['severity="cr', 'critical', 'severity="critical"'],
  ['severity=~', 'a.b', 'severity=~"a\\\\.b"'],
  ['path=', 'C:\\"x"', 'path="C:\\\\\\"x\\""'],
  ['sev|, a="1"', 'severity', 'severity=, a="1"'],
])('%s completed by %s', (text, chosen, expected) => {
  const { text: written, caret } = complete(text.replace('|', ''), at(text)!, chosen);
  expect(written).toBe(expected);
  expect(written.slice(0, caret)).toBe(text.includes('|') ? 'severity=' : expected);
});

it('an arrival matches by its labels; regular expressions are left to the bridge', () => {
  const labels = { severity: 'critical', team: 'a' };
  expect(fitsLabels(labels, '')).toBe(true);
  expect(fitsLabels(labels, 'severity="critical", absent=""')).toBe(true);
  expect(fitsLabels(labels, 'team!="a"')).toBe(false);
  expect(fitsLabels(labels, 'team=~".*"')).toBe(false);
  expect(fitsLabels(labels, 'team="')).toBe(false);
  expect(['', 'a="b"', 'a=~"b"', 'a='].map(needsBridge)).toEqual([false, false, true, true]);
});

it('a label is added once, and replaces what is invalid', () => {
  expect(addLabel('', 'a', 'b c')).toBe('a="b c"');
  expect(addLabel('{a="1"}', 'b', '2')).toBe('a="1", b="2"');
  expect(addLabel('a="1", b="2"', 'a', '1')).toBe('b="2", a="1"');
  expect(addLabel('a=', 'b', '2')).toBe('b="2"');
});

it('a mistake is described with its position', () => {
  expect(mistakeOf('a="b"')).toBeUndefined();
  expect(mistakeOf('a')).toBe('Character 2: found the end, expected an operator: =, !=, =~, !~.');
});
