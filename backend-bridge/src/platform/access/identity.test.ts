import { expect, test } from 'vitest';
import { readContext } from './identity.ts';
import type { Person } from '../http/guard.ts';

const person = (headers: Record<string, string>) => readContext(headers)?.person;

/** Header of a signed-in user as Grafana writes it and Node receives it. */
function header(change: Record<string, unknown> = {}): Record<string, string> {
  const context = { UserID: 7, UserUID: 'u7', OrgID: 1, OrgRole: 'Editor', Login: 'ada', Name: 'Ada', ...change };
  return { 'x-grafana-context': Buffer.from(JSON.stringify(context), 'utf8').toString('latin1') };
}

const ADA: Person = {
  key: 'org:1/user:u7',
  login: 'ada',
  name: 'Ada',
  orgId: 1,
  role: 'Editor',
  anonymous: false,
  verified: false,
};

const NOBODY = { UserID: 0, UserUID: '', Login: '', Name: '' };

test.each<[string, Record<string, unknown>, Partial<Person>]>([
  ['a user', {}, {}],
  ['UTF-8', { Login: 'Zoë', Name: '名' }, { login: 'Zoë', name: '名' }],
  ['another organisation', { OrgID: 2 }, { orgId: 2, key: 'org:2/user:u7' }],
  ['a user without a uid', { UserUID: '' }, { key: 'org:1/user:7' }],
  ['a uid that could be read as another part', { UserUID: 'a/b' }, { key: 'org:1/user:7' }],
  [
    'a service account',
    { IsServiceAccount: true, Login: 'sa-1-x' },
    { key: 'org:1/service-account:u7', login: 'sa-1-x' },
  ],
  ['an API key', { ...NOBODY, ApiKeyID: 3 }, { key: 'org:1/api-key:3', login: 'api-key:3', name: undefined }],
  ['the role None', { OrgRole: 'None' }, { role: 'Viewer' }],
  ['an admin', { OrgRole: 'Admin' }, { role: 'Admin' }],
  ['control characters', { Login: 'a\u0000\u001bb' }, { login: 'ab' }],
  ['half a surrogate pair', { Login: 'a\ud800' }, { login: 'a\ufffd' }],
  ['a login that is no text', { Login: 1 }, { login: 'user:u7' }],
  ['a long login', { Login: 'a'.repeat(1000) }, { login: 'a'.repeat(200) }],
])('%s', (_what, change, expected) => {
  expect(person(header(change))).toEqual({ ...ADA, ...expected });
});

test.each<[string, Record<string, unknown>]>([
  ['not signed in', { ...NOBODY, IsAnonymous: true, OrgRole: 'Viewer' }],
  ['not signed in, with an id all the same', { IsAnonymous: true, Login: '', Name: '', OrgRole: 'Viewer' }],
  ['the image renderer, for nobody', { ...NOBODY, OrgRole: 'Viewer' }],
])('%s: nobody in particular', (_what, change) => {
  const nobody = person(header(change));
  expect(nobody).toEqual({
    key: 'org:1/anonymous',
    login: 'anonymous',
    orgId: 1,
    role: 'Viewer',
    anonymous: true,
    verified: false,
  });
});

test('no header: not through Grafana', () => {
  expect(person({})).toBeUndefined();
  expect(person({ 'x-grafana-user': 'ada' })).toBeUndefined();
});

test.each(['{', 'null', '[]', '""', '{}', '{"OrgID":0,"UserID":1}', '{"OrgID":"1","UserID":1}', ''])(
  'a context that Grafana did not write is refused: %s',
  (written) => {
    expect(() => person({ 'x-grafana-context': written })).toThrow('is invalid');
  }
);

test.each<[string, Record<string, unknown>, string[], string[]]>([
  ['a user', {}, ['user:7', 'user:u7'], ['user:8', 'service-account:7', 'api-key:7', 'anonymous:0', '', 'user:']],
  ['a service account', { IsServiceAccount: true }, ['service-account:7', 'service-account:u7'], ['user:7']],
  ['an API key', { ...NOBODY, ApiKeyID: 3 }, ['api-key:3'], ['api-key:4', 'user:3', 'anonymous:0']],
  ['nobody', { ...NOBODY, IsAnonymous: true }, ['anonymous:0', 'anonymous:'], ['user:0', 'user:']],
])('the subject of %s in a signed identity', (_what, change, right, wrong) => {
  const context = readContext(header(change));
  expect([...right, ...wrong].filter((subject) => context?.is(subject))).toEqual(right);
});
