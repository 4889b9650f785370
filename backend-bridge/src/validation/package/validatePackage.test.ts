import { describe, expect, test } from 'vitest';
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
const COMPOSE = 'services:\n  web: {}\n  db: {}\nversion: "3.5"\n';
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
    findings: [{ title: 'The specification rejects this: mainService is not in the compose file' }],
  });
  expect(validatePackage({ manifest: files.manifest }, options).acceptable).toBe(true);
});

test('findings are sorted by file and position; an error in any file rejects the package', () => {
  const files = {
    manifest: text({ shortDescription: 'Too short', colour: 'red' }),
    notifications: 'endpoints: []\nother: 1\nendpoints: 5\n',
    compose: 'services:\n  web: x\n  web: {}\nversion: "3.5"\n',
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

describe('the icon of the card', () => {
  const CID = 'QmV4FbVtWJspi6VuAC6KKU1SxBRTudD6gHkS6iJ8xFyrnC';
  const iconOf = (avatar: string) => validatePackage({ manifest: text({ avatar }) }, options).facts?.summary.icon;
  test.each([
    [`/ipfs/${CID}`, `https://ipfs-gateway.dappnode.net/ipfs/${CID}`],
    [`/ipfs/${CID}/avatar.png`, `https://ipfs-gateway.dappnode.net/ipfs/${CID}/avatar.png`],
    ['https://example.org/a.png', 'https://example.org/a.png'],
    [`/ipfs/${CID}/../x`, undefined],
    [`/ipfs/${CID}?a`, undefined],
    ['/ipfs/none', undefined],
    ['/logout', undefined],
  ])('of avatar %s is %s', (avatar, icon) => expect(iconOf(avatar)).toBe(icon));
});

describe('links of other schemes', () => {
  const found = (url: string) => {
    const { facts, findings } = validatePackage({ manifest: text({ links: { rpc: url } }) }, { dialect: 'any' });
    return [facts?.summary.links[0]?.url, facts?.summary.links[0]?.copyOnly, findings.map(({ rule }) => rule)];
  };
  test.each([['ws://a.dappnode:8546'], ['wss://a.dappnode/x'], ['ssh://root@a.dappnode'], ['tcp://1.2.3.4:5']])(
    '%s is there to copy, without a finding',
    (url) => expect(found(url)).toEqual([url, true, []])
  );
  test.each([['javascript://%0aalert(1)'], ['data://x'], ['file:///etc/passwd'], ['ws://a b'], ['a.dappnode']])(
    '%s is ignored with a finding',
    (url) => expect(found(url)).toEqual([undefined, undefined, ['link']])
  );
});

describe('notifications in the manifest, as on the disk of a node', () => {
  const custom = { name: 'a', description: 'b', correlationId: 'web-up', enabled: true, isBanner: false };
  const inside = (notifications: unknown) => `\uFEFF${text({ mainService: undefined, notifications })}`;

  test('are used without a notifications file', () => {
    const { acceptable, customEndpoints, findings } = validatePackage(
      { manifest: inside({ customEndpoints: [custom] }) },
      { dialect: 'any' }
    );
    expect([acceptable, customEndpoints.map(({ correlationId }) => correlationId)]).toEqual([true, ['web-up']]);
    expect(findings.map(({ rule }) => rule)).toEqual(['byte-order-mark']);
  });
  test('a notifications file replaces them', () => {
    const files = { manifest: inside({ customEndpoints: [custom] }), notifications: 'endpoints: []\n' };
    expect(validatePackage(files, { dialect: 'any' }).customEndpoints).toEqual([]);
  });
  test('findings have their place in the manifest', () => {
    const manifest = inside({ endpoints: [{ ...custom, conditions: 5 }] });
    const { findings } = validatePackage({ manifest }, { dialect: 'any' });
    const found = findings.find(({ rule }) => rule === 'conditions-shape');
    expect(found).toMatchObject({
      verdict: 'error',
      file: 'manifest',
      pointer: '/notifications/endpoints/0/conditions',
    });
    expect(
      manifest
        .slice(1)
        .split('\n')
        [found!.line - 1]!.slice(found!.column - 1)
    ).toBe('5');
    // DAppNode does not validate them there.
    expect(validatePackage({ manifest }, options).acceptable).toBe(true);
  });
  test.each([[null], ['x'], [[]]])('%j is none', (notifications) => {
    expect(validatePackage({ manifest: inside(notifications) }, options)).toMatchObject({
      endpoints: [],
      acceptable: true,
    });
  });
});
