import { describe, expect, test } from 'vitest';
import { A, ID, type InUse, manifest, load, between } from './difference.testing.ts';

const one = (version: string, file?: string) => ({
  packages: [
    {
      dnpName: A,
      version,
      fingerprint: 'x',
      origin: file === undefined ? { kind: 'api' as const } : { kind: 'file' as const, file },
    },
  ],
});
const WARNED = {
  warnings: { onInstall: 'Room?', onUpdate: 'Offline.' },
  updateAlerts: [{ from: '<1.0.0', message: 'Converted.' }],
};
const p = { 'p.yaml': 'apiVersion: 1\npackages: [{ manifest: a.json }]\n', 'a.json': manifest(A, '1.0.0', WARNED) };

describe('packages', () => {
  test.each<[string, Partial<InUse>, string[]]>([
    ['not registered', {}, ['p.yaml +package a.example.eth: 1.0.0 | Room?']],
    [
      'older',
      one('0.9.9', 'p.yaml'),
      ['p.yaml ~package a.example.eth: 0.9.9 → 1.0.0, a major update | Converted. | Offline.'],
    ],
    ['newer', one('1.0.1', 'p.yaml'), ['p.yaml ~package a.example.eth: 1.0.1 → 1.0.0, a downgrade | Offline.']],
    ['the same version', one('1.0.0', 'p.yaml'), ['p.yaml ~package a.example.eth: 1.0.0, with other files | Offline.']],
    [
      'by hand',
      one('1.0.0'),
      ['p.yaml ~package a.example.eth: 1.0.0, with other files; until now registered by hand | Offline.'],
    ],
    [
      'of another file',
      one('1.0.0', 'q.yaml'),
      ['p.yaml ~package a.example.eth: 1.0.0, with other files; until now provisioned by q.yaml | Offline.'],
    ],
  ])('%s', async (_what, inUse, words) => {
    expect(await between(p, inUse)).toEqual(words);
  });

  test('what is named no longer is removed, also when its file is gone; what is of no file stays', async () => {
    const empty = { 'p.yaml': 'apiVersion: 1\n' };
    expect(await between(empty, one('1.0.0', 'p.yaml'))).toEqual(['p.yaml -package a.example.eth: 1.0.0']);
    expect(await between(empty, one('1.0.0', 'gone.yaml'))).toEqual(['gone.yaml -package a.example.eth: 1.0.0']);
    expect(await between(empty, one('1.0.0'))).toEqual([]);
  });
});

describe('categories', () => {
  const off = { 'p.yaml': 'apiVersion: 1\ncategories: { hardware: false }\n' };
  const is = (enabled: boolean, file?: string): Partial<InUse> => ({
    categories: [{ category: 'hardware', enabled, ...(file !== undefined && { file }) }],
  });
  test.each<[string, Partial<InUse>, string[]]>([
    ['not known', {}, ['p.yaml +category hardware: on → off']],
    ['on', is(true), ['p.yaml +category hardware: on → off']],
    ['off by hand', is(false), ['p.yaml +category hardware: stays off']],
    ['on by this file', is(true, 'p.yaml'), ['p.yaml ~category hardware: on → off']],
    ['off by this file', is(false, 'p.yaml'), []],
    ['off by another', is(false, 'q.yaml'), ['p.yaml ~category hardware: stays off; until now provisioned by q.yaml']],
  ])('%s', async (_what, inUse, words) => {
    expect(await between(off, inUse)).toEqual(words);
  });

  test('on again when nobody names them', async () => {
    const empty = { 'p.yaml': 'apiVersion: 1\n' };
    expect(await between(empty, is(false, 'p.yaml'))).toEqual(['p.yaml -category hardware: off → on']);
    expect(await between(empty, is(true, 'p.yaml'))).toEqual(['p.yaml -category hardware: stays on']);
    expect(await between(empty, is(false))).toEqual([]);
  });
});

describe('channels and routes', () => {
  const file = (routes: string) => ({
    'p.yaml': `apiVersion: 1\nchannels: [{ name: hook, type: webhook, url: 'http://h:1/secret', secret: $TOKEN }]\nroutes: ${routes}\n`,
  });
  const hook = { name: 'hook', type: 'webhook', target: 'h:1', giveUpAfter: '24h', perMinute: null } as const;
  const route = { channels: ['hook'], file: 'p.yaml', index: 0 };
  test.each<[string, string, Partial<InUse>, string[]]>([
    [
      'new',
      '[{ channels: [hook] }]',
      {},
      [
        'p.yaml +channel hook: webhook to h:1, gives up after 24h',
        'p.yaml +routes p.yaml: none → [{"channels":["hook"]}]',
      ],
    ],
    ['as they are', '[{ channels: [hook] }]', { channels: [{ ...hook, file: 'p.yaml' }], routes: [route] }, []],
    [
      'others',
      '[]',
      { channels: [{ ...hook, giveUpAfter: '1h', file: 'p.yaml' }], routes: [route] },
      [
        'p.yaml ~channel hook: webhook to h:1, gives up after 1h → webhook to h:1, gives up after 24h',
        'p.yaml -routes p.yaml: [{"channels":["hook"]}] → none',
      ],
    ],
  ])('%s', async (_what, routes, inUse, words) => {
    expect(await between(file(routes), inUse)).toEqual(words);
  });
});

describe('senders', () => {
  const files = { 'p.yaml': 'apiVersion: 1\nsenders: [{ name: backup, packages: [a.eth], token: $TOKEN }]\n' };
  const is = (change: Partial<InUse['senders'][number]>): Partial<InUse> => ({
    senders: [{ id: ID, name: 'backup', packages: ['a.eth'], revokedAt: null, file: 'p.yaml', ...change }],
  });
  test.each<[string, Partial<InUse>, string[]]>([
    ['not there', {}, ['p.yaml +sender backup: its token is valid for a.eth']],
    ['revoked', is({ revokedAt: '2026-11-21T10:00:00Z' }), ['p.yaml +sender backup: its token is valid for a.eth']],
    ['as it is', is({}), []],
    ['for any', is({ packages: [] }), ['p.yaml ~sender backup: any package → a.eth']],
    ['of a node', is({ node: 'attic' }), ['p.yaml ~sender backup: a.eth, as the node attic → a.eth']],
    ['called otherwise', is({ name: 'old' }), ['p.yaml ~sender backup: until now called old']],
    ['of another file', is({ file: 'q.yaml' }), ['p.yaml ~sender backup: until now provisioned by q.yaml']],
    [
      'with another token',
      is({ id: 'other' }),
      ['p.yaml +sender backup: its token is valid for a.eth', 'p.yaml -sender backup: its token is revoked'],
    ],
  ])('%s', async (_what, inUse, words) => {
    expect(await between(files, inUse)).toEqual(words);
  });
});

describe('all files as one', () => {
  const mistakes = async (files: Record<string, string>, typeOf?: (name: string) => string | undefined) =>
    (await load(files, typeOf)).files.flatMap(({ findings }) =>
      findings.map(({ file, line, column, detail }) => `${file}:${line}:${column} ${detail}`)
    );

  test('two files cannot have the same thing', async () => {
    const both =
      'apiVersion: 1\npackages:\n  - manifest: a.json\ncategories:\n  X: true\nsenders:\n  - { name: s, token: $TOKEN }\n';
    expect(await mistakes({ '1.yaml': both, '2.yaml': both, 'a.json': manifest(A) })).toEqual([
      `2.yaml:3:5 The package ${A} is provisioned by 1.yaml: keep it in one of the two.`,
      '2.yaml:5:6 The category "x" is provisioned by 1.yaml: keep it in one of the two.',
      '2.yaml:7:5 The token of s is provisioned by 1.yaml: keep it in one of the two.',
    ]);
  });

  test('a library does not depend on a service, of these files or registered', async () => {
    const library = manifest('lib.example.eth', '1.0.0', { type: 'library', dependencies: { [A]: '*' } });
    const files = { '1.yaml': 'apiVersion: 1\npackages: [{ manifest: l.json, dialect: spec }]\n', 'l.json': library };
    expect(await mistakes(files)).toEqual([]);
    const refused = [expect.stringMatching(/^1\.yaml:2:12 .*a\.example\.eth/)];
    expect(await mistakes(files, (name) => (name === A ? 'service' : undefined))).toEqual(refused);
    expect(await mistakes({ ...files, '2.yaml': p['p.yaml'], 'a.json': manifest(A) })).toEqual(refused);
  });
});

describe('maintenance windows and inhibition rules', () => {
  const file = `apiVersion: 1
maintenance: [{ name: Backup, matchers: 'package="nas"', weekly: [{ from: '02:00', to: '04:00' }] }]
inhibit_rules: [{ source_matchers: ['a="1"'], target_matchers: ['b="2"'], equal: [c] }]`;
  const window = { name: 'Backup', matchers: 'package="nas"', weekly: [{ from: '02:00', to: '04:00' }] };
  const rule = { source_matchers: ['a="1"'], target_matchers: ['b="2"'], equal: ['c'], file: 'a.yaml' };

  test.each([
    [
      'new',
      {},
      [
        'a.yaml +maintenance window Backup: package="nas" [{"from":"02:00","to":"04:00"}]',
        'a.yaml +inhibition rule a="1" inhibits b="2", equal c: a="1" inhibits b="2", equal c',
      ],
    ],
    ['as they are', { windows: [{ ...window, file: 'a.yaml' }], rules: [rule] }, []],
    [
      'others',
      {
        windows: [
          { ...window, matchers: 'package="router"', file: 'a.yaml' },
          { ...window, name: 'Page' },
        ],
        rules: [rule],
      },
      [
        'a.yaml ~maintenance window Backup: package="router" [{"from":"02:00","to":"04:00"}] → package="nas" [{"from":"02:00","to":"04:00"}]',
      ],
    ],
  ])('%s', async (_, inUse: Partial<InUse>, expected) => {
    expect(await between({ 'a.yaml': file }, inUse)).toEqual(expected);
  });
});
