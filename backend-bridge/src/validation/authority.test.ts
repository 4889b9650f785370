/** The dialect `any`: an error only if both authorities refuse it; a warning names the one that does. */
import { expect, test } from 'vitest';
import { briefly, validated } from './manifest/manifest.testing.ts';

const any = (members: Record<string, unknown>): string[] =>
  validated(members, { dialect: 'any' }).findings.map(({ verdict, title }) => `${verdict}: ${title}`);

test.each([
  ['globalEnvs as a list', { globalEnvs: [{ envs: ['DOMAIN'], services: ['node'] }] }],
  ['chain as an object', { chain: { driver: 'ethereum-beacon-chain', serviceName: 'a', portNumber: 3500 } }],
  ['a driver that only DAppNode supports', { chain: 'ethereum-beacon-chain' }],
  ['categories that only DAppNode has', { categories: ['AI', 'Lido'] }],
  ['onMajorUpdate', { warnings: { onMajorUpdate: 'Careful.', onUpdate: 'Careful.' } }],
  ['members that only DAppNode defines', { upstream: [{ repo: 'a/b', version: '1', arg: 'V' }], runOrder: ['a'] }],
  ['a form of the specification that DAppNode takes', { chain: 'ethereum', categories: ['Storage'] }],
])('no finding: %s', (_, members) => expect(any(members)).toEqual([]));

test.each([
  ['globalEnvs as an object', { globalEnvs: { all: true } }, 'DAppNode rejects this: globalEnvs must be a list'],
  ['upstream as text', { upstream: '1.0.0' }, 'DAppNode rejects this: upstream must be a list'],
  [
    'upstream without arg',
    { upstream: [{ repo: 'a/b', version: '1' }] },
    'DAppNode rejects this: upstream arg is missing',
  ],
  [
    'minimumDockerVersion',
    { requirements: { minimumDockerVersion: '20' } },
    'DAppNode rejects this: requirements minimumDockerVersion is not a version',
  ],
  [
    'notInstalledPackages',
    { requirements: { notInstalledPackages: 'a' } },
    'DAppNode rejects this: requirements notInstalledPackages must be a list',
  ],
  ['runOrder', { runOrder: 'a' }, 'DAppNode rejects this: runOrder must be a list'],
  ['restartCommand', { restartCommand: ['a'] }, 'DAppNode rejects this: restartCommand must be a string'],
  [
    'exposeByDefault',
    { exposable: [{ name: 'a', port: 80, exposeByDefault: 'yes' }] },
    'DAppNode rejects this: exposable exposeByDefault must be a boolean',
  ],
  ['upstream twice', { upstream: [], upstreamVersion: '1' }, 'DAppNode rejects this: Duplicate upstream'],
  [
    'a path with ~',
    { backup: [{ name: 'a', path: '~/a' }] },
    'The specification rejects this: backup path is not absolute',
  ],
  ['a number as text', { dockerTimeout: 120 }, 'The specification rejects this: dockerTimeout must be a string'],
  [
    'a style',
    { style: { featuredColor: 'rainbow' } },
    'The specification rejects this: featuredColor is not valid CSS',
  ],
])('a warning: %s', (_, members, title) => expect(any(members)).toContain(`warning: ${title}`));

test.each([
  ['links as text', { links: 'https://example.org' }, 'error links-text /links'],
  ['different places in the same value', { globalEnvs: { all: 'yes' } }, 'error type /globalEnvs'],
  [
    'a name twice, which nobody could restore',
    { backup: [1, 2].map((at) => ({ name: 'a', path: `/${at}` })) },
    'error backup-name-twice /backup/1/name',
  ],
])('an error: %s', (_, members, finding) => expect(briefly(validated(members, { dialect: 'any' }))).toEqual([finding]));

test.each([
  ['a driver that neither supports', { chain: 'handshake' }, 'warning chain-unlisted /chain'],
  ['in an object', { chain: { driver: 'handshake' } }, 'warning chain-unlisted /chain/driver'],
  ['a category that neither lists', { categories: ['Fun'] }, 'warning category-unlisted /categories/0'],
])('a warning, because the package is usable: %s', (_, members, finding) =>
  expect(briefly(validated(members, { dialect: 'any' }))).toEqual([finding])
);

test('onUpdate alone: a note, because DAppNode never shows it', () =>
  expect(any({ warnings: { onUpdate: 'Careful.' } })).toEqual(['note: DAppNode never shows onUpdate']));
