import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { type AdmitOptions, createAdmission } from './admitPerson.ts';
import type { Person } from './identity.ts';

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
  ['a route without a context', {}, {}, 'without saying who'],
  ['somebody else', signed, says('user:8'), 'two different people'],
  ['nobody', signed, says('anonymous:0'), 'two different people'],
  ['no signed identity where one is asked for', grafana, { ...says('user:7'), requireId: true }, 'did not sign'],
  ['keys that cannot be had, where it is asked for', signed, { ...says(undefined), requireId: true }, 'cannot be read'],
])('refuses: %s', async (_what, headers, options, why) => {
  expect(await admit(headers, options)).toContain(why);
});

test('asks for the identity of the organisation that the context names', async () => {
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
  await expect(admitted).rejects.toThrow('needs the role Editor');
  expect(res.locals.person).toMatchObject(ADA);
});
