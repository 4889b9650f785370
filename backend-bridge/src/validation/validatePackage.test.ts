import { expect, test } from 'vitest';
import { validatePackage } from './validatePackage.ts';

const MANIFEST = {
  name: 'web.dnp.dappnode.eth',
  version: '1.0.0',
  description: 'A web server.',
  type: 'service',
  license: 'MIT',
  categories: ['Developer tools'],
  mainService: 'web',
};
const COMPOSE = 'services:\n  web: {}\n  db: {}\n';
const NOTIFICATIONS =
  'customEndpoints:\n  - {name: a, description: b, correlationId: web-up, enabled: true, isBanner: false}\n';
const text = (changes: object): string => JSON.stringify({ ...MANIFEST, ...changes }, null, 2);
const options = { dialect: 'dappnode' } as const;

test('three valid files are acceptable', () => {
  const validated = validatePackage({ manifest: text({}), notifications: NOTIFICATIONS, compose: COMPOSE }, options);
  expect(validated.findings).toEqual([]);
  expect(validated).toMatchObject({
    acceptable: true,
    manifest: { name: MANIFEST.name },
    facts: { facts: { services: ['web', 'db'], mainService: 'web' } },
    customEndpoints: [{ correlationId: 'web-up' }],
    endpoints: [],
    compose: { services: [{ name: 'web' }, { name: 'db' }] },
  });
});

test('the manifest is validated against the compose file', () => {
  const files = { manifest: text({ mainService: 'api' }), compose: COMPOSE };
  const { acceptable, findings } = validatePackage(files, { dialect: 'spec' });
  expect([acceptable, findings.map(({ rule, pointer }) => `${rule} ${pointer}`)]).toEqual([
    false,
    ['service-unknown /mainService'],
  ]);
  expect(validatePackage(files, { dialect: 'any' })).toMatchObject({
    acceptable: true,
    findings: [{ title: 'The specification refuses this: mainService is not in the compose file' }],
  });
  expect(validatePackage({ manifest: files.manifest }, options).acceptable).toBe(true);
});

test('findings are sorted by file and position; an error in any file rejects the package', () => {
  const files = {
    manifest: text({ shortDescription: 'Too short', colour: 'red' }),
    notifications: 'endpoints: []\nother: 1\nendpoints: 5\n',
    compose: 'services:\n  web: x\n  web: {}\n',
  };
  const { acceptable, findings } = validatePackage(files, options);
  expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
    'manifest short-description-words',
    'manifest unknown-member',
    'notifications member-unknown',
    'notifications yaml-duplicate',
    'notifications file-shape',
    'compose yaml-duplicate',
  ]);
  expect(acceptable).toBe(false);
});

test('files that cannot be parsed are rejected, without contents', () => {
  const validated = validatePackage({ manifest: '{', notifications: '[', compose: '[' }, options);
  const { findings, ...rest } = validated;
  expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
    'manifest syntax',
    'notifications yaml-syntax',
    'compose yaml-syntax',
  ]);
  expect(rest).toEqual({ acceptable: false, endpoints: [], customEndpoints: [] });
});
