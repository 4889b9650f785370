import { temporaryFolder } from '../folder.testing.ts';
import type { Operation } from '../../contract/operation.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashToken, provisionedId } from '../platform/access/token.ts';
import type { ChannelStatus, PlacedRoute } from '../../contract/channel.ts';
import type { PackageSummary } from '../../contract/package.ts';
import type { ProvisionedHeartbeat } from '../../contract/heartbeat.ts';
import type { ChannelPerson, OnCallSchedule } from '../../contract/onCall.ts';
import type { InhibitRule, MaintenanceBody } from '../../contract/suppression.ts';
import type { Category } from '../../contract/query.ts';
import type { Token } from '../../contract/token.ts';
import { type Difference, differencesOf, readState } from './difference.ts';
import type { Get } from './kinds/kind.ts';
import { loadFolder } from './loadFolder.ts';

const A = 'a.example.eth';
const TOKEN = 'the-token-of-the-backup-job';
const ID = provisionedId(hashToken(TOKEN));
/** As the API of a bridge returns it. */
interface InUse {
  packages: Pick<PackageSummary, 'dnpName' | 'version' | 'fingerprint' | 'origin'>[];
  categories: Pick<Category, 'category' | 'enabled' | 'file'>[];
  senders: Pick<Token, 'id' | 'name' | 'packages' | 'revokedAt' | 'file'>[];
  channels: Pick<ChannelStatus, 'name' | 'type' | 'target' | 'giveUpAfter' | 'perMinute' | 'file'>[];
  routes: PlacedRoute[];
  heartbeats: (ProvisionedHeartbeat & { file: string })[];
  schedules: (OnCallSchedule & { file: string })[];
  people: (ChannelPerson & { file: string })[];
  windows: (MaintenanceBody & { file?: string })[];
  rules: (InhibitRule & { file: string })[];
}

function responses({
  packages = [],
  categories = [],
  senders = [],
  channels = [],
  routes = [],
  heartbeats = [],
  schedules = [],
  people = [],
  windows = [],
  rules = [],
}: Partial<InUse>): Get {
  const byPath: Record<string, unknown> = {
    packages,
    endpoints: { packages: [] },
    categories,
    tokens: senders,
    retention: { policy: {} },
    channels: { channels, routes },
    schedules: { schedules, people },
    maintenance: { windows, rules },
    provisioning: { files: heartbeats.map(({ file, ...one }) => ({ file, heartbeats: [one] })) },
  };
  return <T>(operation: Operation) => Promise.resolve(byPath[operation.path.replace('/api/v1/', '')] as T);
}

function manifest(name: string, version = '1.0.0', more: object = {}): string {
  return JSON.stringify({ name, version, type: 'service', description: 'It.', license: 'MIT', ...more });
}

function folder(files: Record<string, string>): string {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

const load = (files: Record<string, string>, typeOf?: (name: string) => string | undefined) =>
  loadFolder(folder(files), { TOKEN }, typeOf);

/** `file +kind name: detail`, with what is to be read before. */
const inWords = (differences: readonly Difference[]): string[] =>
  differences.map(({ file, action, kind, name, detail, warnings = [] }) => {
    const sign = { add: '+', change: '~', remove: '-' }[action];
    return [`${file} ${sign}${kind} ${name}: ${detail}`, ...warnings.map(({ message }) => message)].join(' | ');
  });

const between = async (files: Record<string, string>, inUse: Partial<InUse>): Promise<string[]> =>
  inWords(differencesOf(await load(files), await readState(responses(inUse))));

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

describe('schedules and people', () => {
  const file = `apiVersion: 1
channels: [{ name: hook, type: webhook, url: 'http://h/' }]
people: [{ login: ada, channels: [hook] }]
schedules: [{ name: db, rotations: [{ people: [ada], every: 1w, from: '2026-01-05T09:00' }] }]`;
  const schedule = {
    name: 'db',
    rotations: [{ people: ['ada'], every: '1w', from: '2026-01-05T09:00' }],
    file: 'a.yaml',
  };
  const ada = { login: 'ada', channels: ['hook'], file: 'a.yaml' };
  const channels = [{ name: 'hook', type: 'webhook' as const, target: 'h', giveUpAfter: '24h', perMinute: null }].map(
    (one) => ({ ...one, file: 'a.yaml' })
  );

  test.each<[string, Partial<InUse>, string[]]>([
    ['as they are', { schedules: [schedule], people: [ada] }, []],
    [
      'new and gone',
      { people: [ada, { ...ada, login: 'bob' }] },
      ['a.yaml +schedule db: ada every 1w from 2026-01-05T09:00; UTC', 'a.yaml -person bob: no channels'],
    ],
    [
      'others',
      { schedules: [{ ...schedule, zone: 'Europe/Berlin' }], people: [{ ...ada, channels: ['mail'] }] },
      [
        'a.yaml ~schedule db: ada every 1w from 2026-01-05T09:00; Europe/Berlin → ada every 1w from 2026-01-05T09:00; UTC',
        'a.yaml ~person ada: mail → hook',
      ],
    ],
  ])('%s', async (_, inUse, expected) => {
    expect(await between({ 'a.yaml': file }, { ...inUse, channels })).toEqual(expected);
  });
});
