import { describe, expect, test } from 'vitest';
import { foreignApiAt } from '../../backend-bridge/src/platform/http/foreignApis.ts';
import { ADMIN_TOKEN, ask, startTestBridge } from './accessBridge.testing.ts';
import { type Access, PAYLOAD, ROUTES } from './accessRoutes.testing.ts';

const MODES = ['sender-open', 'token', 'none'] as const;
const WHO = ['nobody', 'a sender', 'a revoked sender', 'a stranger', 'the admin'] as const;

/** Callers of a route of each access level, by mode. */
const MAY: Record<(typeof MODES)[number], Record<Access, (typeof WHO)[number][]>> = {
  'sender-open': { open: [...WHO], sender: ['nobody', 'a sender', 'the admin'], admin: ['the admin'] },
  token: { open: [...WHO], sender: ['a sender', 'the admin'], admin: ['the admin'] },
  // A revoked token is rejected even in this mode; otherwise revoking it would have no effect.
  none: { open: [...WHO], sender: ['nobody', 'a sender', 'the admin'], admin: [...WHO] },
};

/** Discord requires 401 for a wrong signature; Grafana's proxy does not call it. */
const SIGNED = '/api/v1/actions/discord';

describe.each(MODES)('NODEBELL_AUTH=%s', (mode) => {
  test('every route accepts the permitted callers and responds with 403 to all others', async () => {
    const { url } = await startTestBridge({ NODEBELL_AUTH: mode });
    const sender = (await ask(url, 'POST', '/api/v1/tokens', { token: ADMIN_TOKEN, body: { name: 'good' } })).body;
    const revoked = (await ask(url, 'POST', '/api/v1/tokens', { token: ADMIN_TOKEN, body: { name: 'bad' } })).body;
    await ask(url, 'DELETE', `/api/v1/tokens/${revoked.id}`, { token: ADMIN_TOKEN });
    const tokens: Record<(typeof WHO)[number], string | undefined> = {
      nobody: undefined,
      'a sender': sender.token,
      'a revoked sender': revoked.token,
      'a stranger': `nbs_${'x'.repeat(43)}`,
      'the admin': ADMIN_TOKEN,
    };
    const wrong: string[] = [];
    for (const [method, route, access, body] of ROUTES) {
      for (const who of WHO) {
        const answer = await ask(url, method, route, { token: tokens[who], body });
        const through = answer.status !== 403;
        const refusedWell =
          through ||
          (foreignApiAt(route)?.errorOf
            ? JSON.stringify(answer.body).length > 10 && answer.body.type === undefined
            : answer.body.type === '/api/v1/problems/forbidden' && answer.body.detail !== '');
        if (
          through !== MAY[mode][access].includes(who) ||
          (answer.status === 401 && route !== SIGNED) ||
          answer.status >= 500 ||
          !refusedWell
        ) {
          wrong.push(`${method} ${route} by ${who}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('the table above contains every operation of the OpenAPI document, with the same access', async () => {
    const { url } = await startTestBridge({ NODEBELL_AUTH: mode });
    const { body } = await ask(url, 'GET', '/api/v1/openapi.json');
    const described = Object.entries(body.paths as Record<string, Record<string, { security: object[] }>>).flatMap(
      ([route, operations]) =>
        Object.entries(operations).map(([method, { security }]) => {
          const access = security.length === 0 ? 'open' : security.length === 2 ? 'sender' : 'admin';
          return `${method.toUpperCase()} ${route.replace(/\{[^}]+\}/g, '*')} ${access}`;
        })
    );
    const tested = ROUTES.map(([method, route, access]) => {
      const pattern = route
        .replace(/\?.*$/, '')
        .replace(
          /(notifications|tokens|comments|categories|packages|package-files|package-manifest|backups|chains)\/(1|x|other)/,
          '$1/*'
        )
        .replace(/(devices|silences?|maintenance|mapped)\/(?:1|x)(?=\/|$)/, '$1/*')
        .replace(/(schedules|overrides)\/[xy](?=\/|$)/g, '$1/*')
        .replace(/(channels|undelivered)\/(?:1|x)(?=\/|$)/, '$1/*')
        .replace(/integrations\/v1\/webhook\/x|ntfy\/x/, (one) => one.replace(/webhook|x$/g, '*'))
        .replace(/(notifications\/\*)\/body$/, '$1/*')
        .replace(/(\/endpoints)\/x(?=\/|$)/, '$1/*')
        .replace('notification.json', '*.json');
      return `${method} ${pattern} ${access}`;
    });
    expect(described.filter((operation) => !tested.includes(operation))).toEqual([]);
  });
});

test('NODEBELL_METRICS_OPEN=true makes /metrics public, and nothing else', async () => {
  const { url } = await startTestBridge({ NODEBELL_METRICS_OPEN: 'true' });
  expect((await ask(url, 'GET', '/metrics')).status).toBe(200);
  expect((await ask(url, 'GET', '/api/v1/notifications')).status).toBe(403);
});

test('a sender over its rate limit gets 429 with Retry-After; others are not affected', async () => {
  const { url } = await startTestBridge({ NODEBELL_RATE_LIMIT: '1' });
  const make = async (name: string) =>
    (await ask(url, 'POST', '/api/v1/tokens', { token: ADMIN_TOKEN, body: { name } })).body.token as string;
  const [loud, quiet] = [await make('loud'), await make('quiet')];
  const send = (token?: string) => ask(url, 'POST', '/api/v1/notifications', { token, body: PAYLOAD });
  const answers = await Promise.all(Array.from({ length: 30 }, () => send(loud)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(15);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(answers.filter(({ status }) => status === 201).length + refused.length).toBe(30);
  expect((await send(quiet)).status).toBe(201);
  expect((await send()).status).toBe(201);
  const stored = (await ask(url, 'GET', '/api/v1/notifications', { token: ADMIN_TOKEN })).body;
  expect(stored).toHaveLength(30 - refused.length + 2);
});
