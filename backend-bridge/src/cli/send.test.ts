import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { urlOf } from '../listening.testing.ts';
import { bridge, problem, run, STORED, TITLE } from './cliWorld.testing.ts';

describe('send', () => {
  test('a flag per field', async () => {
    const { sent, fetch } = bridge();
    const ran = await run(
      [
        'send',
        ...['--title', 'T', '--body', '**B**', '--category', 'hardware', '--dnp-name', 'a.eth', '--priority', 'high'],
        ...['--status', 'triggered', '--correlation-id', 'c/1', '--banner', '--cta-title', 'Go', '--cta-url', '/x'],
        ...['--errors', 'e', '--icon', 'http://x/i.png', '--idempotency-key', 'k1'],
      ],
      { fetch }
    );
    expect(ran).toEqual({ code: 0, out: 'sent 7: T (other, unknown, low)\n', err: '' });
    expect(sent).toMatchObject([
      {
        url: 'http://127.0.0.1:8080/api/v1/notifications',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'k1', 'user-agent': 'nodebell/1.2.3' },
      },
    ]);
    expect(sent[0]?.headers).not.toHaveProperty('authorization');
    expect(sent[0]?.body).toEqual({
      title: 'T',
      body: '**B**',
      category: 'hardware',
      dnpName: 'a.eth',
      priority: 'high',
      status: 'triggered',
      correlationId: 'c/1',
      isBanner: true,
      callToAction: { title: 'Go', url: '/x' },
      errors: 'e',
      icon: 'http://x/i.png',
    });
  });

  test('defaults are left to the bridge', async () => {
    const { sent, fetch } = bridge();
    await run(['send', ...TITLE], { fetch });
    expect(sent[0]?.body).toEqual({ title: 'T', body: 'B' });
  });

  test.each([
    ['one object', '{"title":"a","body":"b"}', 1],
    ['one object over several lines', '{\n"title":"a",\n"body":"b"\n}\n', 1],
    ['a list', '[{"title":"a","body":"b"},{"title":"c","body":"d"}]', 2],
    ['one a line', '{"title":"a","body":"b"}\n\n{"title":"c","body":"d"}\r\n', 2],
  ])('from standard input: %s', async (_kind, stdin, count) => {
    const { sent, fetch } = bridge();
    expect((await run(['send'], { stdin, fetch })).code).toBe(0);
    expect(sent).toHaveLength(count);
    expect(sent[0]?.body).toEqual({ title: 'a', body: 'b' });
  });

  test('an empty list is an error', async () => {
    const { sent, fetch } = bridge();
    expect(await run(['send'], { stdin: ' [] ', fetch })).toEqual({
      code: 2,
      out: '',
      err: 'nodebell: standard input contains an empty list: there is nothing to send.\n',
    });
    expect(sent).toEqual([]);
  });

  test('flags override members on standard input', async () => {
    const { sent, fetch } = bridge();
    await run(['send', '--category', 'c', '--title', 'x'].slice(0, 3), {
      stdin: '[{"title":"a","body":"b","category":"z"},{"title":"c","body":"d"}]',
      fetch,
    });
    expect(sent.map(({ body }) => body)).toEqual([
      { title: 'a', body: 'b', category: 'c' },
      { title: 'c', body: 'd', category: 'c' },
    ]);
  });

  test('--body - reads the text', async () => {
    const { sent, fetch } = bridge();
    await run(['send', '--title', 'T', '--body', '-'], { stdin: 'a {\nb\n\n', fetch });
    expect(sent[0]?.body).toEqual({ title: 'T', body: 'a {\nb' });
  });

  test('--json prints stored notifications, one per line', async () => {
    const { fetch } = bridge();
    const ran = await run(['send', '--json'], { stdin: '[{"title":"a","body":"b"},{"title":"c","body":"d"}]', fetch });
    expect(ran.out).toBe(`${JSON.stringify(STORED)}\n`.repeat(2));
  });

  test('control characters are not printed', async () => {
    const { fetch } = bridge({ body: { ...STORED, title: '\u001b[2Jgone\u202e\u0007\n' } });
    expect((await run(['send', ...TITLE], { fetch })).out).toBe('sent 7: [2Jgone (other, unknown, low)\n');
  });
});

describe('send: exit code 1, rejected', () => {
  test('lists all errors', async () => {
    const errors = [
      { pointer: '/a', found: '1', allowed: '2', detail: 'A must be 2.' },
      { pointer: '/b', found: '1', allowed: '2', detail: 'B must be 2.' },
    ];
    const { fetch } = bridge({ status: 400, body: problem(400, { errors }) });
    expect(await run(['send', ...TITLE], { fetch })).toEqual({
      code: 1,
      out: '',
      err: 'nodebell: Not good (400): It is not good.\n  /a: A must be 2.\n  /b: B must be 2.\n  (request ID abc in the log of the bridge)\n',
    });
  });

  test('a rejected notification does not stop the others', async () => {
    const { sent, fetch } = bridge({}, { status: 400, body: problem(400) }, {});
    const stdin = '{"title":"a"}\n{"title":"b"}\n{"title":"c"}';
    const ran = await run(['send'], { stdin, fetch });
    expect([ran.code, sent.length]).toEqual([1, 3]);
    expect(ran.out.match(/sent 7/g)).toHaveLength(2);
    expect(ran.err).toContain('number 2 of 3: Not good');
  });

  test('--json prints the problem document', async () => {
    const { fetch } = bridge({ status: 400, body: problem(400) });
    const ran = await run(['send', '--json', ...TITLE], { fetch });
    expect([ran.code, JSON.parse(ran.err)]).toEqual([1, problem(400)]);
  });
});

describe('send: exit code 2, nothing sent', () => {
  test.each<[string, string[], string | undefined, string]>([
    ['no flags at a terminal', ['send'], undefined, '--title is required'],
    ['a title alone', ['send', '--title', 'x'], undefined, '--body is required'],
    ['a title alone, with JSON', ['send', '--title', 'x'], '{"body":"b"}', '--body is required'],
    ['an unknown flag', ['send', '--titel', 'x'], undefined, 'Did you mean --title?'],
    ['an invalid priority', ['send', ...TITLE, '--priority', 'urgent'], undefined, 'low, medium, high, critical'],
    ['an invalid status', ['send', ...TITLE, '--status', 'open'], undefined, 'triggered, resolved'],
    ['an incomplete call to action', ['send', ...TITLE, '--cta-url', '/'], undefined, 'must be used together'],
    ['nothing on standard input', ['send'], ' \n', 'standard input is empty'],
    ['no JSON', ['send'], 'hello', 'line 1, column 1'],
    ['broken JSON', ['send'], '{"title": "a",\n"body": }', 'line 2, column 9'],
    ['a broken line', ['send'], '{"title":"a"}\n{"title":}', 'line 2: '],
    ['text in quotes', ['send'], '"x"', 'this is not an object'],
    ['a list with a number', ['send'], '[{}, 1]', 'number 2 is not an object'],
    ['--body - at a terminal', ['send', '--title', 'x', '--body', '-'], undefined, 'a terminal'],
    ['one key for several', ['send', '--idempotency-key', 'k'], '[{},{}]', 'requires a single notification'],
    ['an invalid key', ['send', ...TITLE, '--idempotency-key', 'a b'], undefined, 'visible ASCII'],
    ['an address that is none', ['send', ...TITLE, '--url', 'localhost:8080'], undefined, 'expected an http(s) URL'],
    ['an address with a password', ['send', ...TITLE, '--url', 'http://a:b@x'], undefined, 'must not contain'],
    ['an invalid timeout', ['send', ...TITLE, '--timeout', '-1'], undefined, 'more than 0'],
    ['unexpected arguments', ['send', 'hello'], undefined, 'too many arguments'],
    ['a token on the command line', ['send', ...TITLE, '--token', 'x'], undefined, 'unknown option'],
    [
      'a token file that is not there',
      ['send', ...TITLE, '--token-file', '/no'],
      undefined,
      'cannot read /no (ENOENT)',
    ],
    ['an unknown command', ['sned'], undefined, 'Did you mean send?'],
    ['no command', [], undefined, 'Usage: nodebell'],
    ['an incomplete command', ['token'], undefined, 'create [options] <name>'],
    ['no name', ['token', 'create'], undefined, "missing required argument 'name'"],
  ])('%s', async (_kind, args, stdin, words) => {
    const ran = await run(args, stdin === undefined ? {} : { stdin });
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toContain(words);
  });
});

describe('send: exit code 3, try again', () => {
  test.each([429, 503])('%i prints Retry-After', async (status) => {
    const { sent, fetch } = bridge({ status, body: problem(status), headers: { 'retry-after': '7' } });
    const ran = await run(['send'], { stdin: '[{"title":"a"},{"title":"b"},{"title":"c"}]', fetch });
    expect([ran.code, sent.length]).toEqual([3, 1]);
    expect(ran.err).toContain('Retry after 7 s.');
    expect(ran.err).toContain('the remaining 2 were not sent');
  });

  test.each([
    [200, '<html>'],
    [404, 'Not Found'],
    [302, ''],
    [502, '{"message":"Bad gateway"}'],
  ])('%i %j is an unexpected response', async (status, body) => {
    const { fetch } = bridge({ status, body });
    const ran = await run(['send', ...TITLE], { fetch });
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('unexpected response');
  });

  test('a redirect is not followed: the token is for this bridge', async () => {
    const requested: string[] = [];
    const server = createServer((req, res) => {
      requested.push(req.url ?? '');
      res.writeHead(307, { location: '/elsewhere' }).end();
    });
    const url = await urlOf(server);
    const ran = await run(['send', ...TITLE, '--url', url], { fetch, env: { NODEBELL_TOKEN: 'nbs_x' } });
    expect(ran).toMatchObject({
      code: 3,
      err: expect.stringContaining('unexpected response (status 307)') as unknown,
    });
    expect(requested).toEqual(['/api/v1/notifications']);
  });

  test('connection refused', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const ran = await run(['send', ...TITLE, '--url', `http://127.0.0.1:${port}`], { fetch });
    expect(ran).toMatchObject({
      code: 3,
      err: `nodebell: cannot connect to the bridge at http://127.0.0.1:${port}: connection refused.\n`,
    });
  });

  test('timeout', async () => {
    const url = await urlOf(createServer(() => undefined));
    const ran = await run(['send', ...TITLE, '--url', url, '--timeout', '0.2'], { fetch });
    expect([ran.code, ran.err]).toEqual([
      3,
      `nodebell: cannot connect to the bridge at ${url}: timeout after 0.2 s.\n`,
    ]);
  });
});
