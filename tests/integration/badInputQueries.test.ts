import { describe, expect, test } from 'vitest';
import { expectRefused, useBridgeProcess } from './badInputProcess.testing.ts';

const PATH = '/api/v1/notifications';
const bridge = useBridgeProcess();
const ask = (method: string, route: string, body?: unknown) => () =>
  bridge().request(
    method,
    route,
    body === undefined ? undefined : JSON.stringify(body),
    body === undefined ? {} : undefined
  );

describe('query parameters', () => {
  test.each([
    ['from', 'yesterday'],
    ['from', '2026-02-30'],
    ['from', '2026-13-01'],
    ['from', '2026-11-21T25:00:00Z'],
    ['from', '2026-11-21 10:00'],
    ['from', '21.11.2026'],
    ['from', '-1'],
    ['from', '1e9'],
    ['from', '0x10'],
    ['from', 'Infinity'],
    ['from', '999999999999999'],
    ['to', '2025-02-29'],
    ['to', '2026-11-21T10:00:00+99:99'],
    ['timestamp', 'now'],
    ['priority', 'urgent'],
    ['status', 'open'],
    ['seen', 'maybe'],
    ['isBanner', '1'],
    ['muted', 'yes'],
    ['errors', 'some'],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['untilId', '-1'],
    ['q', 'x'.repeat(501)],
    ['matchers', 'severity'],
    ['matchers', 'severity="critical'],
    ['matchers', 'severity=~"("'],
    ['matchers', `a="${'x'.repeat(4000)}"`],
    ['latest', 'x'],
    ['open', 'x'],
    ['unknown', 'x'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
  ])('%s=%s', async (name, value) => {
    const { errors } = await expectRefused(bridge(), ask('GET', `${PATH}?${name}=${encodeURIComponent(value)}`), 400);
    expect(errors[0]?.pointer.replace(/\/0$/, '')).toBe(`?${name === 'timestamp' ? 'from' : name}`);
  });

  test('duplicate parameters, where one is expected', async () => {
    const { errors } = await expectRefused(bridge(), ask('GET', `${PATH}?limit=1&limit=2`), 400);
    expect(errors).toMatchObject([{ pointer: '?limit', found: '2 values', allowed: 'one value' }]);
  });

  test.each([
    "q='",
    'q=%22%22%22',
    'q=*',
    'q=a%00b',
    'q=AND+OR+NOT',
    'q=title:x',
    'q=(',
    'q=%F0%9F%98%80',
    'q=%ff',
    'q=-',
    'category=%27%3B+drop+table+notifications',
  ])('%s is not treated as an operator', async (query) => {
    const { status } = await bridge().request('GET', `${PATH}?${query}`, undefined, {});
    expect(status).toBe(200);
    expect(await bridge().count()).toBe(1);
  });
});

describe('cursors', () => {
  test.each(['x', 'AAAA', '0', 'MS4xLmFiY2RlZmdoaWprbA', '../..', '%00', 'x'.repeat(501)])(
    '%j is invalid',
    async (cursor) => {
      const { errors } = await expectRefused(bridge(), ask('GET', `${PATH}?cursor=${cursor}`), 400);
      expect(errors[0]?.pointer).toBe('?cursor');
    }
  );

  test('a cursor of another query is rejected', async () => {
    for (const title of ['a', 'b']) {
      await ask('POST', PATH, { title, body: 'x' })();
    }
    const response = await fetch(`${bridge().url}${PATH}?limit=1&category=other`, {
      headers: { authorization: 'Bearer the-admin-token-of-these-tests' },
    });
    const next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    expect((await ask('GET', next)()).status).toBe(200);
    for (const other of [
      next.replace('category=other', 'category=one'),
      next.replace('&category=other', ''),
      `${next}&priority=high`,
      `${next}&q=a`,
    ]) {
      expect(other).not.toBe(next);
      const { errors } = await expectRefused(bridge(), ask('GET', other), 400);
      expect(errors).toMatchObject([{ pointer: '?cursor', found: 'a cursor of another query' }]);
    }
  });
});

describe('ids', () => {
  test.each(['x', '0', '-1', '1.5', '1e3', '0x1', '01', '99999999999999999999', '1%20', 'NaN', "1'"])(
    '%s is invalid',
    async (id) => {
      for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { seen: true }]] as const) {
        const { errors } = await expectRefused(bridge(), ask(method, `${PATH}/${id}`, body), 400);
        expect(errors[0]).toMatchObject({ pointer: 'path', allowed: 'a whole number from 1 to 9007199254740991' });
      }
    }
  );

  test.each([
    '/api/v1/notifications/../../etc/passwd',
    '/api/v1/notifications/..',
    '/api/v1/notifications/%2e%2e/1',
    '/api/v1/notifications/..%2f..%2fetc',
    '/api/v1/notifications/1%2F..%2F2',
    '/api/v1/notifications/1%2Fseen',
    '/api/v1/notifications/1%00',
    '/api/v1/notifications/..\\1',
    '/api/v1/notifications/one/../seen',
    '/api/v1/notifications/%2e%2e%2fone/seen',
    '/api/v1/categories/../notifications/1',
    '/api/v1/categories/..%2Fnotifications%2F1',
    '/api/v1/tokens/..%2f',
    '/api/v1/schemas/..%2f..%2fpackage.json',
    '/api/v1/./notifications',
    '/../../../../etc/passwd',
  ])('%s', async (path) => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const { errors } = await expectRefused(bridge(), () => bridge().rawPath(method, path), 400);
      expect(errors[0]?.pointer).toBe('path');
    }
  });

  test.each([
    '/api/v1/notifications/%zz',
    '/api/v1/notifications/%c3%28',
    '/api/v1/categories/%ff',
    '/api/v1/notifications/%ff/seen',
  ])('%s cannot be decoded', async (path) => {
    const answer = await bridge().rawPath('PUT', path);
    expect([400, 405]).toContain(answer.status);
    expect(bridge().alive).toBe(true);
  });
});

describe('bodies of changes', () => {
  test.each<[string, string, unknown, string]>([
    ['PATCH', '/1', {}, '/seen'],
    ['PATCH', '/1', { seen: 'true' }, '/seen'],
    ['PATCH', '/1', { seen: true, title: 'x' }, '/title'],
    ['PATCH', '/1', [], '#'],
    ['PATCH', '/1', null, '#'],
    ['PUT', '/seen', { ids: [] }, '/ids'],
    ['PUT', '/seen', { ids: ['1'] }, '/ids/0'],
    ['PUT', '/seen', { ids: [0] }, '/ids/0'],
    ['PUT', '/seen', { ids: [1.5] }, '/ids/0'],
    ['PUT', '/seen', { ids: Array.from({ length: 1001 }, (_, index) => index + 1) }, '/ids'],
    ['PUT', '/seen', { seen: false }, '/seen'],
    ['POST', '/delete', { filter: { priority: 'x' } }, '/filter/priority/0'],
    ['POST', '/delete', { filter: { from: 'x' } }, '/filter/from'],
    ['POST', '/delete', { filter: { unknown: 1 } }, '/filter/unknown'],
    ...['/delete', '/resolve', '/acknowledge'].map((route): [string, string, unknown, string] => [
      'POST',
      route,
      JSON.parse('{"filter":{"__proto__":{}}}'),
      '/filter/__proto__',
    ]),
    ['POST', '/restore', {}, '/undo'],
    ['POST', '/restore', { undo: 1 }, '/undo'],
  ])('%s %s %j', async (method, route, body, pointer) => {
    const { errors } = await expectRefused(bridge(), ask(method, PATH + route, body), 400);
    expect(errors.map((mistake) => mistake.pointer)).toContain(pointer);
  });

  test.each([{}, { ids: [1], filter: {} }, { ids: 'all' }, { filter: [] }, [], null, { filter: 'x' }])(
    'delete with %j deletes nothing',
    async (body) => {
      await expectRefused(bridge(), ask('POST', `${PATH}/delete`, body), 400);
    }
  );

  test.each([{}, { enabled: 'no' }, { enabled: 1 }, { enabled: true, x: 1 }, [], null])(
    'a category with %j',
    async (body) => {
      await expectRefused(bridge(), ask('PUT', '/api/v1/categories/one', body), 400);
    }
  );
});
