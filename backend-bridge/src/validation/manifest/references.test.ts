import { describe, expect, test } from 'vitest';
import { briefly, validated } from './manifest.testing.ts';

const compose = (...services: string[]) => ({
  compose: { services: services.map((name) => ({ name, environment: [] as string[] })) },
});
const onlyErrors = (found: { findings: { verdict: string }[] }): unknown[] =>
  found.findings.filter(({ verdict }) => verdict === 'error');

describe('services of the compose file', () => {
  const members = {
    mainService: 'node',
    chain: { driver: 'ethereum', serviceName: 'node', portNumber: 8545 },
    backup: [{ name: 'a', path: '/a', service: 'node' }],
    exposable: [{ name: 'API', port: 80, serviceName: 'node' }],
    globalEnvs: [{ envs: ['DOMAIN'], services: ['node'] }],
  };
  test('exist for every reference of the manifest', () => {
    expect(onlyErrors(validated(members, compose('node', 'ui')))).toEqual([]);
  });
  test('are not checked without a compose file', () => {
    expect(onlyErrors(validated(members))).toEqual([]);
  });
  test('unknown services are reported with a suggestion', () => {
    const found = validated(members, compose('nodes', 'ui')).findings;
    expect(briefly({ findings: found }).filter((one) => one.includes('service'))).toEqual([
      'warning service-unknown /mainService',
      'warning service-unknown /chain/serviceName',
      'warning service-unknown /backup/0/service',
      'warning service-unknown /exposable/0/serviceName',
      'warning global-envs-service /globalEnvs/0/services/0',
    ]);
    expect(found.find(({ pointer }) => pointer === '/mainService')?.detail).toBe(
      'Found “node”. Did you mean nodes? Services in the compose file: nodes and ui.'
    );
  });
  test('the default service is reported when there are several', () => {
    const lacking = {
      backup: [
        { name: 'a', path: '/a' },
        { name: 'b', path: '/b' },
      ],
      exposable: [{ name: 'API', port: 80 }],
    };
    const found = validated(lacking, compose('rtl', 'lnd')).findings;
    expect(found.map(({ title, detail }) => [title, detail])).toEqual([
      [
        'mainService not set',
        'DAppNode assigns the root domain of the package to none of its 2 services. Set mainService.',
      ],
      ['No service set for 2 backups', 'Defaults to the first service of the compose file, rtl.'],
      ['No service set for 1 exposable service', 'Defaults to the first service of the compose file, rtl.'],
    ]);
    expect(validated(lacking, compose('rtl')).findings).toEqual([]);
  });
});

describe('a library', () => {
  const library = { type: 'library', dependencies: { 'a.eth': '1.0.0', 'b.eth': '1.0.0' } };
  test('must not depend on a service', () => {
    const types: Record<string, string> = { 'a.eth': 'service', 'b.eth': 'library' };
    const found = (dialect: 'dappnode' | 'spec') =>
      briefly(validated(library, { dialect, typeOf: (name) => types[name] }));
    expect(found('spec')).toEqual(['error library-depends /dependencies/a.eth']);
    expect(found('dappnode')).toEqual(['warning library-depends /dependencies/a.eth']);
  });
  test('dependencies of unknown type are reported', () => {
    expect(validated(library).findings.map(({ detail }) => detail)).toEqual([
      'Libraries can only depend on libraries. The type of a.eth and b.eth is unknown.',
    ]);
  });
  test('should not have environment variables', () => {
    const { findings } = validated(
      { type: 'library' },
      { compose: { services: [{ name: 'db', environment: ['USER', 'PORT'] }] } }
    );
    expect(briefly({ findings })).toEqual(['warning library-environment /type']);
    expect(findings[0]?.detail).toContain('The service db in the compose file sets USER and PORT');
  });
  test('a service may have environment variables', () => {
    expect(validated({}, { compose: { services: [{ name: 'db', environment: ['USER'] }] } }).findings).toEqual([]);
  });
});

test.each([
  ['arm64', 'Did you mean linux/arm64? Allowed values: linux/amd64'],
  ['constructor', 'Expected linux/amd64'],
])('the value %s is unknown', (value, advice) => {
  expect(validated({ architectures: [value] }).findings[0]?.detail).toContain(`Found “${value}”. ${advice}`);
});

describe('unknown members', () => {
  const found = (members: Record<string, unknown>): string[] =>
    validated(members).findings.map(({ verdict, title, detail }) => `${verdict}: ${title}. ${detail}`);
  test.each([
    [{ licence: 'MIT' }, 'warning: Unknown member licence. Did you mean license? It has no effect.'],
    [
      { style: { featuredColour: '#eee' } },
      'warning: Unknown member featuredColour. Did you mean featuredColor? It has no effect.',
    ],
    [
      { minimumDappnodeVersion: '0.2.0' },
      'warning: Unknown member minimumDappnodeVersion. Move it to requirements. It has no effect here.',
    ],
    [{ somethingElse: 1 }, 'warning: Unknown member somethingElse. It has no effect.'],
    [{ warnings: { onRemoved: 'a' } }, 'warning: Unknown member onRemoved. Did you mean onRemove? It has no effect.'],
    [
      { disclaimer: { message: 'a', mesage: 'b' } },
      'warning: Unknown member mesage. Did you mean message? It has no effect.',
    ],
    [
      { requirements: { minimumDappnodVersion: 'a' } },
      'warning: Unknown member minimumDappnodVersion. Did you mean minimumDappnodeVersion? It has no effect.',
    ],
    [
      { backup: [{ name: 'a', path: '/a', servise: 'b' }] },
      'warning: Unknown member servise. Did you mean service? It has no effect.',
    ],
    [
      { updateAlerts: [{ from: '1.x', message: 'a', too: '2.x' }] },
      'warning: Unknown member too. Did you mean to? It has no effect.',
    ],
    [
      { exposable: [{ name: 'a', port: 1, serviceNmae: 'b' }] },
      'warning: Unknown member serviceNmae. Did you mean serviceName? It has no effect.',
    ],
    [
      { repository: { type: 'git', url: 'https://a.example', dir: 'a' } },
      'warning: Unknown member dir. It has no effect.',
    ],
    [{ bugs: { url: 'https://a.example', email: 'a' } }, 'warning: Unknown member email. It has no effect.'],
  ])('%j', (members, expected) => expect(found(members)).toEqual([expected]));
  test('$schema is for editors', () => expect(found({ $schema: 'manifest.json' })).toEqual([]));
  test('what only DAppNode defines has a finding in the dialect spec', () => {
    expect(briefly(validated({ upstreamRepo: 'a/b' }))).toEqual([]);
    expect(briefly(validated({ upstreamRepo: 'a/b' }, { dialect: 'spec' }))).toEqual([
      'warning dialect-member /upstreamRepo',
    ]);
    const members = { warnings: { onMajorUpdate: 'a' } };
    expect(briefly(validated(members))).toEqual([]);
    expect(briefly(validated(members, { dialect: 'spec' }))).toEqual(['error update-warning /warnings/onMajorUpdate']);
  });
  test('upstream must not be combined with upstreamVersion', () => {
    expect(briefly(validated({ upstream: [], upstreamVersion: '1' }))).toEqual(['error upstream-twice /upstream']);
    expect(briefly(validated({ upstream: '', upstreamVersion: '1' }))).toEqual(['error type /upstream']);
  });
  test('onUpdate alone is never shown by DAppNode', () => {
    const both = { onUpdate: 'a', onMajorUpdate: 'b' };
    expect(briefly(validated({ warnings: { onUpdate: 'a' } }))).toEqual([
      'warning update-warning-unread /warnings/onUpdate',
    ]);
    expect(briefly(validated({ warnings: both }))).toEqual([]);
  });
});
