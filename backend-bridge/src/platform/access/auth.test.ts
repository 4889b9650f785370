import { describe, expect, test } from 'vitest';
import { hashToken, newToken } from './token.ts';
import type { AuthMode } from '../http/guard.ts';
import { createGuard, type SenderLookup } from './auth.ts';
import type { Sender } from '../http/guard.ts';
import { startServer } from '../http/httpServer.testing.ts';

const ADMIN_TOKEN = newToken('nba_');
const GOOD = newToken('nbs_');
const REVOKED = newToken('nbs_');
const CI: Sender = { id: 'ci', name: 'CI', packages: ['a.eth'] };
const senders: SenderLookup = {
  find: (hash) => (hash === hashToken(GOOD) ? CI : hash === hashToken(REVOKED) ? 'revoked' : undefined),
};

/** Whom the guard took for somebody behind the admin token. */
let admitted: string[] = [];

const start = (mode: AuthMode) =>
  startServer((app) => {
    const guard = createGuard({
      mode,
      isAdmin: (token) => token === ADMIN_TOKEN,
      senders,
      admitPerson: (req, _res, action) => {
        admitted.push(`${req.path} ${action ?? 'no action'}`);
        return Promise.resolve();
      },
    });
    app.get('/admin', guard.admin, (_req, res) => void res.json({}));
    app.get('/open', guard.open, (_req, res) => void res.json({}));
    app.get('/sender', guard.sender, (_req, res) => void res.json({ sender: res.locals.sender?.id ?? null }));
  });

const ADMIN_MISSING = 'This requires the admin token.';
const ADMIN_WRONG = 'This is not the admin token.';
const ADMIN_SENDER = 'A sender token can only send.';
const UNKNOWN = 'Unknown sender token.';
const GONE = 'This sender token was revoked or replaced.';
const NEEDED = 'Sending requires a token.';
const NO_SENDER = UNKNOWN;

/** The header, and the responses of the admin and the sender route: the id of the sender (null: nobody in particular), or why not. */
const rows: [AuthMode, string, string | undefined, string, string | null][] = [
  ['sender-open', 'no token', undefined, ADMIN_MISSING, null],
  ['sender-open', 'the admin token', `Bearer ${ADMIN_TOKEN}`, 'ok', 'admin'],
  ['sender-open', 'a sender token', `Bearer ${GOOD}`, ADMIN_SENDER, 'ci'],
  ['sender-open', 'a revoked sender token', `Bearer ${REVOKED}`, ADMIN_SENDER, GONE],
  ['sender-open', 'an unknown sender token', `Bearer ${newToken('nbs_')}`, ADMIN_SENDER, UNKNOWN],
  ['sender-open', 'some other token', 'Bearer something-of-the-monitor', ADMIN_WRONG, null],
  ['sender-open', 'another scheme', 'Basic dXNlcjpwYXNz', ADMIN_MISSING, null],
  ['sender-open', 'the admin token and more', `Bearer ${ADMIN_TOKEN}x`, ADMIN_WRONG, null],
  ['sender-open', 'the beginning of the admin token', `Bearer ${ADMIN_TOKEN.slice(0, -1)}`, ADMIN_WRONG, null],
  ['sender-open', 'an empty token', 'Bearer ', ADMIN_MISSING, null],
  ['token', 'no token', undefined, ADMIN_MISSING, NEEDED],
  ['token', 'the admin token', `Bearer ${ADMIN_TOKEN}`, 'ok', 'admin'],
  ['token', 'the admin token, scheme in small letters', `bearer  ${ADMIN_TOKEN}`, 'ok', 'admin'],
  ['token', 'a sender token', `Bearer ${GOOD}`, ADMIN_SENDER, 'ci'],
  ['token', 'a revoked sender token', `Bearer ${REVOKED}`, ADMIN_SENDER, GONE],
  ['token', 'an unknown sender token', `Bearer ${newToken('nbs_')}`, ADMIN_SENDER, UNKNOWN],
  ['token', 'some other token', 'Bearer something-of-the-monitor', ADMIN_WRONG, NO_SENDER],
  ['token', 'another scheme', 'Basic dXNlcjpwYXNz', ADMIN_MISSING, NEEDED],
  ['none', 'no token', undefined, 'ok', null],
  ['none', 'the admin token', `Bearer ${ADMIN_TOKEN}`, 'ok', 'admin'],
  ['none', 'a sender token', `Bearer ${GOOD}`, 'ok', 'ci'],
  ['none', 'a revoked sender token', `Bearer ${REVOKED}`, 'ok', GONE],
  ['none', 'some other token', 'Bearer something-of-the-monitor', 'ok', null],
];

test.each(rows)('%s, %s', async (mode, _what, authorization, admin, sender) => {
  const { url } = await start(mode);
  const get = async (path: string) => {
    const response = await fetch(url + path, authorization === undefined ? {} : { headers: { authorization } });
    const body = (await response.json()) as { detail?: string; sender?: string | null };
    // Never 401: Grafana's client would take it for the end of its own session.
    expect([200, 403]).toContain(response.status);
    return response.status === 200 ? (body.sender === undefined ? 'ok' : body.sender) : body.detail;
  };
  expect(await get('/open')).toBe('ok');
  expect(await get('/admin')).toMatch(new RegExp(`^${admin}`));
  const sent = await get('/sender');
  expect(sent === null || sender === null ? sent : sent?.startsWith(sender)).toBe(sender === null ? null : true);
});

describe('a token in the address', () => {
  test.each([
    'token=x',
    'access_token=x',
    'a=1&admin_token=x',
    'bridgeToken=x',
    'Authorization=x',
    'q=nbs_abc',
    'q=nba_abc',
  ])('?%s is refused on every route, in every mode, and not logged', async (query) => {
    for (const mode of ['sender-open', 'token', 'none'] as const) {
      const { url, log } = await start(mode);
      for (const path of ['/open', '/admin', '/sender']) {
        const response = await fetch(`${url}${path}?${query}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
        expect(response.status).toBe(403);
        expect(await response.json()).toMatchObject({
          detail: expect.stringContaining('must not be part of the URL') as unknown,
        });
      }
      expect(JSON.stringify(log)).not.toContain(query);
    }
  });

  test('an ordinary query is none', async () => {
    const { url } = await start('token');
    expect((await fetch(`${url}/open?q=the+token+was+lost&category=tokens`)).status).toBe(200);
  });
});

describe('what comes through Grafana', () => {
  const grafana = (token: string, action = 'inbox:read') => `Grafana action="${action}", token="${token}"`;
  const context = { 'x-grafana-context': '{}' };
  const ask = async (mode: AuthMode, path: string, headers: Record<string, string>) => {
    admitted = [];
    const { url } = await start(mode);
    const response = await fetch(url + path, { headers });
    const { detail, sender } = (await response.json()) as { detail?: string; sender?: string };
    return [response.status, admitted.join(), detail ?? sender ?? ''];
  };

  test.each<[AuthMode, string, string, Record<string, string>, (number | string)[]]>([
    ['token', 'a route', '/admin', { authorization: grafana(ADMIN_TOKEN) }, [200, '/admin inbox:read', '']],
    ['token', 'a route', '/sender', { authorization: grafana(ADMIN_TOKEN) }, [200, '/sender inbox:read', 'admin']],
    [
      'sender-open',
      'a route',
      '/sender',
      { authorization: grafana(ADMIN_TOKEN) },
      [200, '/sender inbox:read', 'admin'],
    ],
    ['token', 'a script', '/admin', { authorization: `Bearer ${ADMIN_TOKEN}` }, [200, '/admin no action', '']],
    ['token', 'a script', '/sender', { authorization: `Bearer ${ADMIN_TOKEN}` }, [200, '', 'admin']],
    [
      'token',
      'another proxy',
      '/sender',
      { ...context, authorization: `Bearer ${ADMIN_TOKEN}` },
      [200, '/sender no action', 'admin'],
    ],
    ['token', 'a monitor behind Grafana', '/sender', { ...context, authorization: `Bearer ${GOOD}` }, [200, '', 'ci']],
    ['none', 'no token is asked for', '/admin', { authorization: grafana(ADMIN_TOKEN) }, [200, '', '']],
  ])('%s, %s: %s', async (mode, _what, path, headers, expected) => {
    expect(await ask(mode, path, headers)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['a wrong token', grafana(`${ADMIN_TOKEN}x`)],
    ['an empty token', grafana('')],
    ["a sender's token", grafana(GOOD)],
    ['no action', `Grafana token="${ADMIN_TOKEN}"`],
    ['two tokens', `Grafana action="inbox:read", token="x", token="${ADMIN_TOKEN}"`],
  ])('%s is refused, also where senders need none', async (what, authorization) => {
    for (const path of ['/admin', '/sender']) {
      const [status, who] = await ask('token', path, { authorization });
      expect([status, who], path).toEqual([403, '']);
    }
    // Another scheme is a sender without a token.
    expect((await ask('sender-open', '/sender', { authorization }))[0]).toBe(what === 'no action' ? 200 : 403);
  });

  test('a token that holds quotes', async () => {
    const word = 'sixteen "letters" or more';
    const { url } = await startServer((app) => {
      const admitPerson = () => Promise.resolve();
      app.get(
        '/',
        createGuard({ mode: 'token', isAdmin: (token) => token === word, senders, admitPerson }).admin,
        (_q, res) => void res.end()
      );
    });
    expect((await fetch(url, { headers: { authorization: grafana(word) } })).status).toBe(200);
  });
});
