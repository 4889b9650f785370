import { expect, test } from 'vitest';
import type { SettingRow } from '../../platform/storage/schema.ts';
import { documentOf, readDocument } from './exchange.ts';

const row = (dnp_name: string, correlation_id: string, member: SettingRow['member'], value: number): SettingRow => ({
  dnp_name,
  correlation_id,
  member,
  value,
  file: '',
  shipped: null,
  subject: null,
  ts: 0,
  set_by: null,
});

test('exports packages, their endpoints, and categories that are off', () => {
  const rows = [
    row('a.eth', '', 'enabled', 0),
    row('a.eth', 'a-x', 'enabled', 1),
    row('a.eth', 'a-x', 'threshold', 0.5),
    row('b.eth', 'b-x', 'threshold', 3),
    { ...row('c.eth', '', 'enabled', 0), file: 'all.yaml' },
  ];
  const categories = [
    { category: 'z', enabled: 0 as const, file: null },
    { category: 'b', enabled: 1 as const, file: null },
    { category: 'a', enabled: 0 as const, file: null },
    { category: 'f', enabled: 0 as const, file: 'all.yaml' },
  ];
  expect(JSON.stringify(documentOf(rows, categories))).toBe(
    '{"apiVersion":1,"categories":{"a":false,"z":false},"packages":{' +
      '"a.eth":{"enabled":false,"endpoints":{"a-x":{"enabled":true,"threshold":0.5}}},' +
      '"b.eth":{"endpoints":{"b-x":{"threshold":3}}}}}'
  );
  expect(documentOf([], [])).toEqual({ apiVersion: 1 });
});

test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
  'the name %s is like any other, and nothing of it is written onto what all objects have',
  (name) => {
    const document = documentOf(
      [row(name, '', 'enabled', 0), row(name, name, 'threshold', 7), row(name, name, 'enabled', 0)],
      [{ category: name, enabled: 0, file: null }]
    );
    const settings = `{"enabled":false,"endpoints":{"${name}":{"threshold":7,"enabled":false}}}`;
    expect(JSON.stringify(document)).toBe(
      `{"apiVersion":1,"categories":{"${name}":false},"packages":{"${name}":${settings}}}`
    );
    expect([Object, {}].some((one) => 'enabled' in one || 'threshold' in one)).toBe(false);
  }
);

test.each(['constructor', 'toString'])('the name %s is read again', (name) => {
  const text = JSON.stringify(documentOf([row(name, name, 'threshold', 7)], []));
  expect(readDocument(text)).toEqual({
    apiVersion: 1,
    packages: { [name]: { endpoints: { [name]: { threshold: 7 } } } },
  });
});
