import { describe, expect, test } from 'vitest';
import { bridge, problem, run, STORED, TITLE } from './cliWorld.testing.ts';

describe('URL and token', () => {
  const sentWith = async (args: string[], env: Record<string, string> = {}, files: Record<string, string> = {}) => {
    const { sent, fetch } = bridge({ body: args[0] === 'send' ? STORED : [] });
    const ran = await run(args, { fetch, env, files });
    return { ...ran, url: sent[0]?.url, authorization: sent[0]?.headers.authorization };
  };
  const SEND = ['send', ...TITLE];

  test('URL: flag, then environment; with or without a path', async () => {
    expect((await sentWith(SEND, { NODEBELL_URL: 'https://x.example/bell' })).url).toBe(
      'https://x.example/bell/api/v1/notifications'
    );
    expect((await sentWith([...SEND, '--url', 'http://y/'], { NODEBELL_URL: 'http://x' })).url).toBe(
      'http://y/api/v1/notifications'
    );
    expect((await sentWith(SEND, { NODEBELL_URL: '' })).url).toBe('http://127.0.0.1:8080/api/v1/notifications');
  });

  test('token: file by flag, then environment, then file by environment', async () => {
    expect((await sentWith(SEND, { NODEBELL_TOKEN: 'nbs_1' })).authorization).toBe('Bearer nbs_1');
    expect((await sentWith(SEND, { NODEBELL_TOKEN_FILE: '/t' }, { '/t': ' nbs_2\n' })).authorization).toBe(
      'Bearer nbs_2'
    );
    expect(
      (await sentWith([...SEND, '--token-file', '/t'], { NODEBELL_TOKEN: 'nbs_1' }, { '/t': 'nbs_3' })).authorization
    ).toBe('Bearer nbs_3');
    expect(await sentWith(SEND, { NODEBELL_TOKEN: 'a', NODEBELL_TOKEN_FILE: '/t' }, { '/t': 'b' })).toMatchObject({
      code: 2,
      url: undefined,
    });
    expect((await sentWith(SEND, { NODEBELL_ADMIN_TOKEN: 'nba_1' })).authorization).toBeUndefined();
  });

  test('admin token: the same, then the data directory', async () => {
    const LIST = ['token', 'list'];
    expect((await sentWith(LIST, { NODEBELL_ADMIN_TOKEN: 'nba_1', NODEBELL_TOKEN: 'nbs_1' })).authorization).toBe(
      'Bearer nba_1'
    );
    expect((await sentWith(LIST, { NODEBELL_ADMIN_TOKEN_FILE: '/t' }, { '/t': 'nba_2' })).authorization).toBe(
      'Bearer nba_2'
    );
    expect((await sentWith(LIST, {}, { 'data/admin-token': 'nba_3\n' })).authorization).toBe('Bearer nba_3');
    expect((await sentWith(LIST, { NODEBELL_DATA_DIR: '/d' }, { '/d/admin-token': 'nba_4' })).authorization).toBe(
      'Bearer nba_4'
    );
    expect(
      (await sentWith([...LIST, '--data-dir', '/e'], { NODEBELL_DATA_DIR: '/d' }, { '/e/admin-token': 'nba_5' }))
        .authorization
    ).toBe('Bearer nba_5');
    expect((await sentWith(LIST)).authorization).toBeUndefined();
    expect(await sentWith([...LIST, '--data-dir', '/no'])).toMatchObject({
      code: 2,
      err: 'nodebell: cannot read /no/admin-token (ENOENT).\n',
    });
  });

  test('an invalid token is neither sent nor printed', async () => {
    for (const token of ['two words', 'line\nbreak', 'ümlaut']) {
      const ran = await sentWith(SEND, { NODEBELL_TOKEN: token });
      expect(ran).toMatchObject({ code: 2, url: undefined });
      expect(ran.err).not.toContain(token);
    }
  });
});

describe('token', () => {
  const TOKEN = {
    id: 'd50e',
    name: 'back\u001bup',
    packages: ['a.eth', 'b.eth'],
    createdAt: '2026-11-21T10:00:00.000Z',
    lastUsedAt: null,
    lastUsedFrom: null,
    previous: null,
    revokedAt: null,
  };

  test('create prints only the token to standard output', async () => {
    const { sent, fetch } = bridge({ body: { ...TOKEN, token: 'nbs_x' } });
    const ran = await run(['token', 'create', 'back up', '-p', 'a.eth', '--package', 'b.eth'], { fetch });
    expect(ran).toMatchObject({ code: 0, out: 'nbs_x\n' });
    expect(ran.err).toContain('Token d50e "back up" for a.eth, b.eth. It will not be shown again:');
    expect(sent).toMatchObject([
      {
        method: 'POST',
        url: 'http://127.0.0.1:8080/api/v1/tokens',
        body: { name: 'back up', packages: ['a.eth', 'b.eth'] },
      },
    ]);
  });

  test('list: a table, or JSON', async () => {
    const other = {
      ...TOKEN,
      id: 'ff',
      name: 'x',
      packages: [],
      lastUsedAt: '2026-11-21T10:01:59.000Z',
      lastUsedFrom: '192.0.2.1',
      revokedAt: '2026-11-21T10:02:00.000Z',
    };
    const previous = { validUntil: null, lastUsedAt: '2026-11-21T10:03:00.000Z', lastUsedFrom: '192.0.2.7' };
    const rotated = { ...other, id: 'aa', revokedAt: null, previous };
    const world = { fetch: bridge({ status: 200, body: [TOKEN, other, rotated] }).fetch };
    expect((await run(['token', 'list'], world)).out).toBe(
      [
        'ID    NAME     CREATED           LAST USED         FROM       PACKAGES      STATE',
        'd50e  back up  2026-11-21 10:00  never                        a.eth, b.eth  active',
        'ff    x        2026-11-21 10:00  2026-11-21 10:01  192.0.2.1  any package   revoked',
        'aa    x        2026-11-21 10:00  2026-11-21 10:01  192.0.2.1  any package   active; old token valid, last used 2026-11-21 10:03 from 192.0.2.7',
        '',
      ].join('\n')
    );
    expect(JSON.parse((await run(['token', 'list', '--json'], world)).out)).toEqual([TOKEN, other, rotated]);
    expect((await run(['token', 'list'], { fetch: bridge({ status: 200, body: [] }).fetch })).err).toContain(
      'No tokens'
    );
  });

  test('rotate and rotate-admin print only the token to standard output', async () => {
    const previous = { validUntil: '2026-11-22T10:00:00.000Z', lastUsedAt: null, lastUsedFrom: null };
    const { sent, fetch } = bridge({ status: 200, body: { ...TOKEN, previous, token: 'nbs_y' } });
    const ran = await run(['token', 'rotate', 'd50e', '--grace', '0.5'], { fetch });
    expect(ran).toMatchObject({ code: 0, out: 'nbs_y\n' });
    expect(ran.err).toContain('The old token is valid until 2026-11-22T10:00:00.000Z.');
    expect(sent).toMatchObject([
      { method: 'POST', url: 'http://127.0.0.1:8080/api/v1/tokens/d50e/rotate', body: { graceHours: 0.5 } },
    ]);
    const admin = bridge({ status: 200, body: { origin: 'file', previous, token: 'nba_z' } });
    const rotated = await run(['token', 'rotate-admin'], { fetch: admin.fetch });
    expect(rotated).toMatchObject({ code: 0, out: 'nba_z\n' });
    expect(rotated.err).toContain('Configure the new one in Grafana');
    expect(admin.sent).toMatchObject([{ url: 'http://127.0.0.1:8080/api/v1/admin-token/rotate', body: {} }]);
    expect(await run(['token', 'rotate', 'd50e', '--grace', '721'], { fetch })).toMatchObject({ code: 2 });
  });

  test('revoke', async () => {
    const { sent, fetch } = bridge({ status: 200, body: TOKEN });
    expect(await run(['token', 'revoke', 'd50e/../x'], { fetch })).toEqual({
      code: 0,
      out: 'revoked d50e "back up"\n',
      err: '',
    });
    expect(sent).toMatchObject([{ method: 'DELETE', url: 'http://127.0.0.1:8080/api/v1/tokens/d50e%2F..%2Fx' }]);
  });

  test('rejections, and the hint about the admin token', async () => {
    const { fetch } = bridge({ status: 403, body: problem(403) });
    expect(await run(['token', 'list'], { fetch })).toMatchObject({
      code: 1,
      err: expect.stringContaining('No admin token found'),
    });
    expect((await run(['token', 'list'], { fetch, env: { NODEBELL_ADMIN_TOKEN: 'x' } })).err).not.toContain(
      'No admin token'
    );
    const ran = await run(['token', 'list', '--json'], { fetch });
    expect(JSON.parse(ran.err)).toEqual(problem(403));
  });

  test('unexpected responses', async () => {
    const { fetch } = bridge({ status: 200, body: { users: [] } });
    expect(await run(['token', 'list'], { fetch })).toMatchObject({ code: 3, out: '' });
  });
});

describe('help', () => {
  test.each([
    ['--help'],
    ['-h'],
    ['send', '--help'],
    ['token', '--help'],
    ['token', 'create', '--help'],
    ['help'],
    ['help', 'send'],
  ])('%s %s', async (...args) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain('Usage: nodebell');
    // A page that fits a terminal of 120 columns.
    expect(Math.max(...ran.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('of send lists the exit codes', async () => {
    expect((await run(['send', '--help'])).out).toMatch(
      /Exit codes:\n {2}0 .+\n {2}1 .+\n(?: {5}.+\n)* {2}2 .+\n {2}3 .+\n/
    );
  });

  test.each(['--version', '-V'])('%s', async (flag) => {
    expect(await run([flag])).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  });
});
