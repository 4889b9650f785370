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
  test('are those that the manifest names', () => {
    expect(onlyErrors(validated(members, compose('node', 'ui')))).toEqual([]);
  });
  test('are not held to anything when there is no compose file', () => {
    expect(onlyErrors(validated(members))).toEqual([]);
  });
  test('each name is found out, with what is meant', () => {
    const found = validated(members, compose('nodes', 'ui')).findings;
    expect(briefly({ findings: found }).filter((one) => one.includes('service'))).toEqual([
      'error service-unknown /mainService',
      'error service-unknown /chain/serviceName',
      'error service-unknown /backup/0/service',
      'error service-unknown /exposable/0/serviceName',
      'warning global-envs-service /globalEnvs/0/services/0',
    ]);
    expect(found.find(({ pointer }) => pointer === '/mainService')?.detail).toBe(
      'Found “node”. Did you mean nodes? The compose file has nodes and ui.'
    );
  });
  test('what names none is told of the default when there are several', () => {
    const lacking = {
      backup: [
        { name: 'a', path: '/a' },
        { name: 'b', path: '/b' },
      ],
      exposable: [{ name: 'API', port: 80 }],
    };
    const found = validated(lacking, compose('rtl', 'lnd')).findings;
    expect(found.map(({ title, detail }) => [title, detail])).toEqual([
      ['No mainService given', 'The root name of the package leads to the first of 2 services, rtl.'],
      ['No service given for 2 backups', 'Default: the first service of the compose file, rtl.'],
      ['No service given for 1 exposable service', 'Default: the first service of the compose file, rtl.'],
    ]);
    expect(validated(lacking, compose('rtl')).findings).toEqual([]);
  });
});

describe('a library', () => {
  const library = { type: 'library', dependencies: { 'a.eth': '1.0.0', 'b.eth': '1.0.0' } };
  test('does not depend on a service', () => {
    const types: Record<string, string> = { 'a.eth': 'service', 'b.eth': 'library' };
    expect(briefly(validated(library, { typeOf: (name) => types[name] }))).toEqual([
      'error library-depends /dependencies/a.eth',
    ]);
  });
  test('is told what cannot be known', () => {
    expect(validated(library).findings.map(({ detail }) => detail)).toEqual([
      'A library may depend on libraries only. What a.eth and b.eth are is not known here.',
    ]);
  });
  test('has no environment variables', () => {
    const { findings } = validated(
      { type: 'library' },
      { compose: { services: [{ name: 'db', environment: ['USER', 'PORT'] }] } }
    );
    expect(briefly({ findings })).toEqual(['error library-environment /type']);
    expect(findings[0]?.detail).toContain('the service db of the compose file has USER and PORT');
  });
  test('a service may have them', () => {
    expect(validated({}, { compose: { services: [{ name: 'db', environment: ['USER'] }] } }).findings).toEqual([]);
  });
});

describe('members that are not known', () => {
  const found = (members: Record<string, unknown>): string[] =>
    validated(members).findings.map(({ verdict, title, detail }) => `${verdict}: ${title}. ${detail}`);
  test.each([
    [{ licence: 'MIT' }, 'warning: Unknown member licence. Did you mean license? It is kept, but has no effect.'],
    [
      { style: { featuredColour: '#eee' } },
      'warning: Unknown member featuredColour. Did you mean featuredColor? It is kept, but has no effect.',
    ],
    [
      { minimumDappnodeVersion: '0.2.0' },
      'warning: Unknown member minimumDappnodeVersion. It belongs into requirements. Here it is kept, but has no effect.',
    ],
    [{ somethingElse: 1 }, 'warning: Unknown member somethingElse. It is kept, but has no effect.'],
    [{ upstreamRepo: 'a/b' }, 'note: upstreamRepo is DAppNode’s own. It is not in the specification.'],
    [
      { warnings: { onRemoved: 'a' } },
      'warning: Unknown member onRemoved. Did you mean onRemove? It is kept, but has no effect.',
    ],
    [
      { disclaimer: { message: 'a', mesage: 'b' } },
      'warning: Unknown member mesage. Did you mean message? It is kept, but has no effect.',
    ],
    [
      { requirements: { minimumDappnodVersion: 'a' } },
      'warning: Unknown member minimumDappnodVersion. Did you mean minimumDappnodeVersion? It is kept, but has no effect.',
    ],
    [{ globalEnvs: { al: true } }, 'warning: Unknown member al. Did you mean all? It is kept, but has no effect.'],
    [
      { backup: [{ name: 'a', path: '/a', servise: 'b' }] },
      'warning: Unknown member servise. Did you mean service? It is kept, but has no effect.',
    ],
    [
      { updateAlerts: [{ from: '1.x', message: 'a', too: '2.x' }] },
      'warning: Unknown member too. Did you mean to? It is kept, but has no effect.',
    ],
    [
      { exposable: [{ name: 'a', port: 1, serviceNmae: 'b' }] },
      'warning: Unknown member serviceNmae. Did you mean serviceName? It is kept, but has no effect.',
    ],
    [
      { repository: { type: 'git', url: 'https://a.example', dir: 'a' } },
      'warning: Unknown member dir. It is kept, but has no effect.',
    ],
    [
      { bugs: { url: 'https://a.example', email: 'a' } },
      'warning: Unknown member email. It is kept, but has no effect.',
    ],
  ])('%j', (members, expected) => expect(found(members)).toEqual([expected]));
  test('$schema is for editors', () => expect(found({ $schema: 'manifest.json' })).toEqual([]));
  test('a warning of the other dialect is refused by the specification', () => {
    const members = { warnings: { onMajorUpdate: 'a' } };
    expect(briefly(validated(members))).toEqual(['warning update-warning /warnings/onMajorUpdate']);
    expect(briefly(validated(members, { dialect: 'spec' }))).toEqual(['error update-warning /warnings/onMajorUpdate']);
  });
  test('what is wrapped is not said twice', () => {
    expect(briefly(validated({ upstream: [], upstreamVersion: '1' }))).toEqual([
      'warning upstream-twice /upstream',
      'note dialect-member /upstream',
    ]);
  });
});
