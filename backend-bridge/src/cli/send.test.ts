import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
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

/** A bridge that stores what is sent, but for lines of which it has a problem. */
function batchBridge(fails: (line: string) => boolean, ...refusals: { status: number; retryAfter?: string }[]) {
  const requests: { key: string; lines: string[]; url: string }[] = [];
  const fetch = ((url: URL, { body, headers }: RequestInit) => {
    const lines = Buffer.from(body as Uint8Array)
      .toString()
      .trimEnd()
      .split('\n');
    requests.push({
      key: (headers as Record<string, string>)['idempotency-key']!,
      lines,
      url: url.pathname + url.search,
    });
    const refusal = refusals.shift();
    if (refusal) {
      const { status, retryAfter = '' } = refusal;
      return Promise.resolve(
        new Response(JSON.stringify(problem(status)), { status, headers: { 'retry-after': retryAfter } })
      );
    }
    const results = lines.map((line, index) =>
      fails(line)
        ? { index, line: index + 1, outcome: 'failed', problem: problem(400) }
        : { index, line: index + 1, outcome: 'stored', id: index + 1 }
    );
    const failed = results.filter(({ outcome }) => outcome === 'failed').length;
    const sums = { stored: lines.length - failed, duplicates: 0, failed };
    return Promise.resolve(Response.json({ ...sums, results }, { status: failed ? 207 : 200 }));
  }) as NonNullable<Parameters<typeof run>[1]>['fetch'];
  return { requests, fetch };
}
const never = (): boolean => false;
const manyLines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `{"title":"${index}"}\n`).join('');

describe('send --lines', () => {
  test('sends up to 1,000 lines in a request, with a key of its own, and prints the sums', async () => {
    const { requests, fetch } = batchBridge(never);
    const files = { 'a.ndjson': `\ufeff${manyLines(2500).replaceAll('\n', '\r\n\n')}` };
    const ran = await run(['send', '--lines', 'a.ndjson', '--strict'], { files, fetch });
    expect(ran).toEqual({ code: 0, out: 'stored 2500, stored before 0, failed 0\n', err: '' });
    expect(requests.map(({ lines }) => lines.length)).toEqual([1000, 1000, 500]);
    expect(requests.flatMap(({ lines }) => lines).join('\n')).toBe(manyLines(2500).trimEnd());
    expect(requests[0]?.url).toBe('/api/v1/notifications/batch?strict=true');
    expect(new Set(requests.map(({ key }) => key)).size).toBe(3);
  });

  test('prints each line that failed with its number; exit code 1', async () => {
    const { fetch } = batchBridge((line) => line.includes('bad'));
    const stdin = '{"title":"a"}\n\nbad\n{"title":"ü"}\nbad';
    const ran = await run(['send', '--lines'], { stdin, fetch });
    expect([ran.code, ran.out]).toEqual([1, 'stored 2, stored before 0, failed 2\n']);
    expect(ran.err.match(/^nodebell: line \d+: Not good \(400\): It is not good\./gm)).toEqual([
      'nodebell: line 3: Not good (400): It is not good.',
      'nodebell: line 5: Not good (400): It is not good.',
    ]);
    const json = await run(['send', '--lines', '-', '--json'], { stdin, fetch });
    expect(
      json.err
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    ).toEqual([
      { line: 3, problem: problem(400) },
      { line: 5, problem: problem(400) },
    ]);
  });

  test('flags override members; a line that is no object is left to the bridge', async () => {
    const { requests, fetch } = batchBridge(never);
    await run(['send', '--lines', '--category', 'c'], { stdin: '{"title":"a","category":"z"}\n7\n{', fetch });
    expect(requests[0]?.lines).toEqual(['{"title":"a","category":"c"}', '7', '{']);
  });

  test('repeats a request under its key while the bridge is busy; the same --idempotency-key makes the same keys', async () => {
    const { requests, fetch } = batchBridge(never, { status: 429, retryAfter: '7' }, { status: 503 });
    const args = ['send', '--lines', '--idempotency-key', 'k'];
    const ran = await run(args, { stdin: manyLines(1001), fetch });
    expect(ran).toMatchObject({ code: 0, waited: [7000, 2000] });
    await run(args, { stdin: manyLines(1001), fetch });
    const keys = requests.map(({ key }) => key);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3], keys[0], keys[3]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('exit code 3 names the first line that was not acknowledged', async () => {
    const refusals = Array.from({ length: 6 }, () => ({ status: 503 }));
    const { requests, fetch } = batchBridge(never, ...refusals);
    const ran = await run(['send', '--lines'], { stdin: `\n${manyLines(3)}`, fetch });
    expect([ran.code, ran.out, requests.length]).toEqual([3, '', 6]);
    expect(ran.err).toContain('Lines from 2 on were not acknowledged.');
  });

  test('halves a request that is too large', async () => {
    const { requests, fetch } = batchBridge(never, { status: 413 }, { status: 413 }, { status: 413 });
    const ran = await run(['send', '--lines'], { stdin: manyLines(4), fetch });
    expect(requests.map(({ lines }) => lines.length)).toEqual([4, 2, 1, 1, 2]);
    expect([ran.code, ran.out]).toEqual([1, 'stored 3, stored before 0, failed 1\n']);
    expect(ran.err).toContain('nodebell: line 1: Not good (413)');
  });

  test.each<[string, Record<string, string>, string[], string | undefined, string]>([
    ['a file that is not there', {}, ['no.ndjson'], undefined, 'cannot read no.ndjson (ENOENT)'],
    ['a terminal', {}, [], undefined, 'it is a terminal'],
    ['an empty file', { 'a.ndjson': '\n' }, ['a.ndjson'], undefined, 'the input has no lines'],
  ])('exit code 2: %s', async (_kind, files, args, stdin, words) => {
    const ran = await run(['send', '--lines', ...args], { files, ...(stdin !== undefined && { stdin }) });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(words);
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
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
    const server = createServer(() => undefined);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ran = await run(['send', ...TITLE, '--url', url, '--timeout', '0.2'], { fetch });
    expect([ran.code, ran.err]).toEqual([
      3,
      `nodebell: cannot connect to the bridge at ${url}: timeout after 0.2 s.\n`,
    ]);
  });
});
