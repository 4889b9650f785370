import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../contract/api.ts';
import { type Action, ACTIONS, type Role, ROLES } from '../../../contract/roles.ts';
import { actionFor, type AdmitOptions, authorise, createAdmission } from './admitPerson.ts';
import type { Person } from '../http/guard.ts';

const CONTEXT = JSON.stringify({ OrgID: 1, UserID: 7, UserUID: 'u7', OrgRole: 'Viewer', Login: 'ada' });

/** The person that is let in; or why nobody is. */
async function admit(
  headers: Record<string, string>,
  options: Partial<AdmitOptions> = {},
  action: string | undefined = 'inbox:read'
): Promise<Person | string | undefined> {
  const req = { headers, method: 'GET', baseUrl: '/api/v1/notifications', path: '/unseen' } as unknown as Request;
  const res = { locals: {} } as Response;
  try {
    await createAdmission({ requireId: false, ...options })(req, res, action);
    return res.locals.person;
  } catch (error) {
    return (error as Error).message;
  }
}

const grafana = { 'x-grafana-context': CONTEXT };
const signed = { ...grafana, 'x-grafana-id': 'a.b.c' };
const says = (subject: string | undefined) => ({ checkId: () => Promise.resolve(subject) });
const ADA = { key: 'org:1/user:u7', verified: false };

test.each<[string, Record<string, string>, Partial<AdmitOptions>, object]>([
  ['the context alone', grafana, {}, ADA],
  ['a signed identity that nobody can check, since Grafana is not set', signed, {}, ADA],
  ['a signed identity that says the same', signed, says('user:7'), { ...ADA, verified: true }],
  ['no signed identity where none is asked for', grafana, says('user:7'), ADA],
  ['keys that cannot be had', signed, says(undefined), ADA],
  ['the same, where it is asked for', signed, { ...says('user:7'), requireId: true }, { ...ADA, verified: true }],
])('lets in: %s', async (_what, headers, options, person) => {
  expect(await admit(headers, options)).toMatchObject(person);
});

test.each<[string, Record<string, string>, Partial<AdmitOptions>, string]>([
  ['a route without a context', {}, {}, 'without a user'],
  ['somebody else', signed, says('user:8'), 'different users'],
  ['nobody', signed, says('anonymous:0'), 'different users'],
  ['no signed identity where one is asked for', grafana, { ...says('user:7'), requireId: true }, 'did not sign'],
  [
    'keys that cannot be had, where it is asked for',
    signed,
    { ...says(undefined), requireId: true },
    'are unavailable',
  ],
])('refuses: %s', async (_what, headers, options, why) => {
  expect(await admit(headers, options)).toContain(why);
});

test('verifies the identity for the organisation that the context names', async () => {
  const asked: unknown[] = [];
  const checkId = (token: string, orgId: number) => {
    asked.push([token, orgId]);
    return Promise.resolve('user:7');
  };
  await admit(signed, { checkId });
  expect(asked).toEqual([['a.b.c', 1]]);
});

test('who does not come through Grafana is a script of the admin', async () => {
  const req = { headers: {}, method: 'GET', baseUrl: '', path: '/api/v1/tokens' } as unknown as Request;
  const res = { locals: {} } as Response;
  await createAdmission({ requireId: true, ...says('user:7') })(req, res, undefined);
  expect(res.locals.person).toBeUndefined();
});

test('who may not do it is refused, and known to the log', async () => {
  const req = {
    headers: grafana,
    method: 'DELETE',
    baseUrl: '/api/v1/notifications',
    path: '/1',
  } as unknown as Request;
  const res = { locals: {} } as Response;
  const admitted = createAdmission({ requireId: false })(req, res, undefined);
  await expect(admitted).rejects.toThrow('requires the role Editor');
  expect(res.locals.person).toMatchObject(PERSON);
});

const PERSON: Person = {
  key: 'org:1/user:u7',
  login: 'ada',
  orgId: 1,
  role: 'Viewer',
  anonymous: false,
  verified: false,
};

/** A path of every operation, with ids that are words of other paths as well. */
const EXAMPLES = OPERATIONS.flatMap(({ id, method, path, may }) =>
  ['x', 'seen', 'settings', 'history', 'unseen'].map((word) => ({
    id,
    action: may,
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, word),
  }))
);

test('every path leads to the action of its operation, also where two paths are alike', () => {
  const wrong = EXAMPLES.filter(({ action, method, path }) => actionFor(method, path) !== action);
  expect(wrong).toEqual([]);
});

test.each<[string, string, string, Action | null | undefined]>([
  ['as Express reads it, in other letters', 'PATCH', '/API/v1/Packages/x/Settings', 'thresholds:write'],
  ['with a slash at its end', 'DELETE', '/api/v1/notifications/1/', 'inbox:write'],
  ['HEAD, which Express answers as GET', 'HEAD', '/api/v1/package-files/x', 'packages:write'],
  ['an id that holds slashes', 'PUT', '/api/v1/notifications/a/b/seen', 'inbox:seen'],
  ['no path of ours', 'GET', '/api/v1/nothing', undefined],
  ['another method', 'DELETE', '/api/v1/notifications', undefined],
  ['what is not offered', 'POST', '/api/v1/admin-token/rotate', null],
])('%s', (_what, method, path, action) => {
  expect(actionFor(method, path)).toBe(action);
});

describe('authorise', () => {
  const may = (person: Partial<Person>, routed: string | undefined, method: string, path: string): string => {
    try {
      authorise({ ...PERSON, ...person }, routed, method, path);
      return 'yes';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const FILE = '/api/v1/package-files/x';

  test('the action of the route counts, not the role: it may have been granted', () => {
    expect(may({ role: 'Viewer' }, 'packages:write', 'GET', FILE)).toBe('yes');
    expect(may({ role: 'Admin' }, 'packages:read', 'GET', FILE)).toMatch('requires the action packages:write');
    expect(may({ role: 'Admin' }, '', 'GET', FILE)).toMatch('requires the action packages:write');
  });

  test('without an action from the route, the role counts', () => {
    const table = ROLES.map((role) => [role, may({ role }, undefined, 'GET', FILE) === 'yes'] as [Role, boolean]);
    expect(Object.fromEntries(table)).toEqual({ Viewer: false, Editor: true, Admin: true });
    expect(may({ role: 'Viewer' }, undefined, 'GET', FILE)).toBe(
      `This requires the role Editor, which may ${ACTIONS['packages:write'].may}.`
    );
  });

  test('who has not signed in reads, and changes nothing, whatever was granted', () => {
    const anonymous = { anonymous: true, role: 'Admin' } as const;
    expect(may(anonymous, 'inbox:read', 'GET', '/api/v1/notifications')).toBe('yes');
    const changes = EXAMPLES.filter(({ action }) => action && ACTIONS[action].changes);
    expect(changes.length).toBeGreaterThan(20);
    for (const { id, action, method, path } of changes) {
      expect(may(anonymous, action ?? undefined, method, path), id).toMatch('not signed in');
      expect(may(anonymous, undefined, method, path), id).toMatch('not signed in');
    }
  });

  test('what is not available through Grafana, and what does not exist, is refused to admins as well', () => {
    expect(may({ role: 'Admin' }, undefined, 'POST', '/api/v1/admin-token/rotate')).toMatch(
      'not available through Grafana'
    );
    expect(may({ role: 'Admin' }, 'bridge:admin', 'GET', '/metrics')).toMatch('not available through Grafana');
    expect(may({ role: 'Admin' }, 'bridge:admin', 'GET', '/api/v1/nothing')).toMatch('nothing here');
  });
});
