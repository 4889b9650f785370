import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingsYaml } from './settingsYaml';

test('round-trips any names through YAML', () => {
  const document = {
    apiVersion: 1 as const,
    categories: { 'yes: "no"': false, '#1': true, 'a\nb': true },
    packages: {
      'dms.dnp.dappnode.eth': {
        enabled: false,
        endpoints: { 'dms-cpu': { threshold: 0.75, enabled: true }, '- x': {} },
      },
      'geth.eth': {},
    },
  };
  expect(parse(settingsYaml(document))).toEqual(document);
  expect(settingsYaml({ apiVersion: 1, categories: { hardware: false } })).toBe(
    'apiVersion: 1\ncategories:\n  "hardware": false\n'
  );
});

test('without settings', () =>
  expect(settingsYaml({ apiVersion: 1, packages: {} })).toBe('apiVersion: 1\npackages: {}\n'));
