import { describe, expect, test } from 'vitest';
import { problem, run } from './cliWorld.testing.ts';

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
    ['text from standard input', {}, ['-', '--body', '-'], '{}', '--body - cannot be used'],
    ['an empty file', { 'a.ndjson': '\n' }, ['a.ndjson'], undefined, 'the input has no lines'],
  ])('exit code 2: %s', async (_kind, files, args, stdin, words) => {
    const ran = await run(['send', '--lines', ...args], { files, ...(stdin !== undefined && { stdin }) });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(words);
  });
});
