import { expect, test } from 'vitest';
import { type Person, readPerson, recordedAs } from './identity.ts';

/** As Grafana writes a signed-in user into the header, and as it arrives in Node. */
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
  expect(readPerson(header(change))).toEqual({ ...ADA, ...expected });
});

test.each<[string, Record<string, unknown>]>([
  ['not signed in', { ...NOBODY, IsAnonymous: true, OrgRole: 'Viewer' }],
  ['not signed in, with an id all the same', { IsAnonymous: true, Login: '', Name: '', OrgRole: 'Viewer' }],
  ['the image renderer, for nobody', { ...NOBODY, OrgRole: 'Viewer' }],
])('%s: nobody in particular', (_what, change) => {
  const person = readPerson(header(change));
  expect(person).toEqual({
    key: 'org:1/anonymous',
    login: 'anonymous',
    orgId: 1,
    role: 'Viewer',
    anonymous: true,
    verified: false,
  });
  expect(recordedAs(person)).toBeUndefined();
});

test('no header: not through Grafana', () => {
  expect(readPerson({})).toBeUndefined();
  expect(readPerson({ 'x-grafana-user': 'ada' })).toBeUndefined();
  expect(recordedAs(undefined)).toBeUndefined();
});

test.each(['{', 'null', '[]', '""', '{}', '{"OrgID":0,"UserID":1}', '{"OrgID":"1","UserID":1}', ''])(
  'a context that Grafana did not write is refused: %s',
  (written) => {
    expect(() => readPerson({ 'x-grafana-context': written })).toThrow('not what Grafana writes');
  }
);

test('records name the login', () => {
  expect(recordedAs(ADA)).toBe('ada');
});
