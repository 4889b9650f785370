/** Batches of any sender: each notification has its own result, and the valid ones are stored together. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BatchResults } from '../../backend-bridge/contract/batch.ts';
import { type Answer, expectProblem, NOTIFICATIONS, TestBridge, useBridge } from './support.ts';

const PATH = `${NOTIFICATIONS}/batch`;
const NDJSON = { 'content-type': 'application/x-ndjson' };
const bridge = useBridge();
beforeEach(() => bridge().clear());

let last = 0;
const fresh = (): string => `batch-${(last += 1)}`;

interface Options {
  query?: string;
  on?: TestBridge;
  headers?: Record<string, string>;
}

async function send(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { query = '', on = bridge(), headers = {} }: Options = {}
): Promise<Answer<BatchResults>> {
  const init = { method: 'POST', headers: { ...NDJSON, ...headers }, body, duplex: 'half' };
  const response = await fetch(`${on.url}${PATH}${query}`, init);
  return { status: response.status, headers: response.headers, body: (await response.json()) as BatchResults };
}
const JSON_LIST = { 'content-type': 'application/json' };
const lines = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const numbered = (count: number, more = {}): object[] =>
  Array.from({ length: count }, (_, index) => ({ title: `n${index}`, body: '', ...more }));
const titles = async (): Promise<string[]> =>
  (await bridge().list('limit=1000')).map(({ title }) => title).toReversed();

describe('a batch', () => {
  it.each([
    ['a list', JSON_LIST, (values: object[]) => JSON.stringify(values)],
    ['JSON lines', NDJSON, (values: object[]) => lines(...values)],
  ])('as %s: 1,000 are stored in their order, each with its id', async (_kind, headers, bodyOf) => {
    const { status, body } = await send(bodyOf(numbered(1000)), { headers });
    expect([status, body.stored, body.duplicates, body.failed]).toEqual([200, 1000, 0, 0]);
    const stored = (await bridge().list('limit=1000')).toReversed();
    expect(stored.map(({ title }) => title)).toEqual(numbered(1000).map((one) => (one as { title: string }).title));
    expect(body.results.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  });

  it('with invalid ones: each has the problem that a single send has, with index and line; the others are stored', async () => {
    const wrong = [{ title: ' ', body: '' }, 'text', [], { title: 'k', idempotencyKey: 'with space' }];
    const { status, body } = await send(
      `${lines({ title: 'one' })}\n\n{"title": }\r\n${lines(...wrong)}\n${lines({ title: 'two', body: '', priority: 'urgent' })}`
    );
    expect([status, body.stored, body.failed]).toEqual([207, 2, 5]);
    expect(body.results.map(({ index, line, outcome }) => [index, line, outcome])).toEqual([
      [0, 1, 'stored'],
      [1, 3, 'failed'],
      [2, 4, 'failed'],
      [3, 5, 'failed'],
      [4, 6, 'failed'],
      [5, 7, 'failed'],
      [6, 8, 'stored'],
    ]);
    expect(body.results[1]?.problem?.detail).toContain('line 3, column 11');
    expect(body.results[6]?.ignored).toMatchObject([{ pointer: '/priority' }]);
    for (const [at, one] of wrong.slice(0, 3).entries()) {
      const { id: _id, ...single } = expectProblem(await bridge().request('POST', NOTIFICATIONS, one), 400);
      expect(body.results[at + 2]?.problem).toMatchObject(single);
    }
    expect(body.results[5]?.problem?.errors).toMatchObject([{ pointer: '/idempotencyKey' }]);
    expect(await titles()).toEqual(['one', 'two']);
  });

  it('with ?strict=true rejects any wrong member', async () => {
    const { status, body } = await send(lines({ title: 'a', body: '' }, { title: 'b', body: '', priority: 'urgent' }), {
      query: '?strict=true',
    });
    expect([status, body.stored]).toEqual([207, 1]);
    expect(body.results[1]?.problem?.errors).toMatchObject([{ pointer: '/priority' }]);
    expectProblem(await send('{}', { query: '?strict=maybe' }), 400);
  });

  it('repeated is stored once: by keys of its own, by the key of the request, and as single sends', async () => {
    const [own, request] = [fresh(), fresh()];
    const body = lines({ title: 'a', idempotencyKey: own }, { title: 'b' }, { title: 'c' });
    const first = await send(body, { headers: { 'idempotency-key': request } });
    expect(first.body).toMatchObject({ stored: 3, duplicates: 0 });
    await bridge().restart();
    const second = await send(body, { headers: { 'idempotency-key': request } });
    expect([second.status, second.body]).toMatchObject([200, { stored: 0, duplicates: 3, failed: 0 }]);
    expect(second.body.results.map(({ id }) => id)).toEqual(first.body.results.map(({ id }) => id));
    const single = await fetch(`${bridge().url}${NOTIFICATIONS}`, {
      method: 'POST',
      headers: { ...JSON_LIST, 'idempotency-key': own },
      body: '{"title":"a"}',
    });
    expect([single.status, await single.json()]).toMatchObject([200, { id: first.body.results[0]?.id }]);
    expect(await titles()).toEqual(['a', 'b', 'c']);
  });

  it('with one key twice: a duplicate, or a conflict', async () => {
    const key = fresh();
    const all = ['x', 'x', 'y'].map((title) => ({ title, idempotencyKey: key }));
    const { status, body } = await send(lines(...all));
    expect([status, body.results.map(({ outcome }) => outcome)]).toEqual([207, ['stored', 'duplicate', 'failed']]);
    expect(body.results[2]?.problem).toMatchObject({ status: 409, type: '/api/v1/problems/conflict' });
    await bridge().request('DELETE', `${NOTIFICATIONS}/${body.results[0]!.id}`);
    bridge().clock.advance(60_000);
    const again = await send(lines(all[0]));
    expect(again.body.results[0]?.outcome).not.toBe('stored');
    expect(await titles()).toEqual([]);
  });

  it.each<[string, string, Record<string, string>, number, RegExp]>([
    ['1,001 in a list', JSON.stringify(numbered(1001)), JSON_LIST, 413, /1 to 1,000 notifications; found 1001/],
    ['1,001 lines', lines(...numbered(1001)), {}, 413, /1 to 1,000 notifications; found more than 1000/],
    ['an empty list', '[]', JSON_LIST, 400, /found an empty list/],
    ['a number', '7', JSON_LIST, 400, /1 to 1,000 notifications; found 7/],
    ['an object', '{"title":"a"}', JSON_LIST, 400, /notifications/],
    ['empty lines', '\n\r\n \n', {}, 400, /The body is empty/],
    ['a list that is not JSON', '[{"title":"a"},\n{]', JSON_LIST, 400, /line 2, column 2/],
    [
      'another type',
      'a',
      { 'content-type': 'text/plain' },
      415,
      /application\/json \(UTF-8\) or application\/x-ndjson/,
    ],
    ['more than 16 MiB', `"${'x'.repeat(16 * 2 ** 20)}"`, {}, 413, /larger than 16 MiB/],
    ['too many elements', `[${'[],'.repeat(300_000)}[]]`, {}, 413, /500,000/],
    ['many elements after a quote', `{"a\\\n${'[],'.repeat(600_000)}`, {}, 413, /500,000/],
    ['a wrong key', '{}', { 'idempotency-key': 'a b' }, 400, /Idempotency-Key/],
  ])('%s is rejected as a whole', async (_kind, body, headers, status, words) => {
    expect(expectProblem(await send(body, { headers }), status).detail).toMatch(words);
    expect(await titles()).toEqual([]);
  });

  it('byte order mark, CRLF, long emoji titles, deep JSON and bytes that are not UTF-8', async () => {
    const emoji = '👩‍🚀'.repeat(300);
    const deep = `{"title":"deep","x":${'['.repeat(20_000)}${']'.repeat(20_000)},"idempotencyKey":"${fresh()}"}`;
    const text = `\ufeff${lines({ title: emoji })}\r\n\r\n${deep}\r\n{"title":"`;
    const { status, body } = await send(Buffer.concat([Buffer.from(text), Buffer.from([0xff]), Buffer.from('"}\r\n')]));
    expect([status, body.stored]).toEqual([207, 2]);
    expect(body.results[2]).toMatchObject({
      line: 4,
      problem: { detail: expect.stringContaining('UTF-8') as unknown },
    });
    const whole = await fetch(`${bridge().url}${NOTIFICATIONS}/${body.results[0]!.id}/title`, {
      headers: bridge().authorization,
    });
    expect(await whole.text()).toBe(emoji);
  });

  it('of which half arrives stores nothing', async () => {
    const half = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(`${lines(...numbered(500))}\n{"ti`));
        controller.error(new Error('gone'));
      },
    });
    await expect(send(half)).rejects.toThrow();
    expect(await titles()).toEqual([]);
  });

  it('the response stays small, however many errors there are', async () => {
    const wrong = {
      title: 'x'.repeat(9),
      body: '',
      ...Object.fromEntries(['priority', 'status'].map((name) => [name, 'wrong'])),
    };
    const { body } = await send(lines(...Array<object>(1000).fill(wrong)), { query: '?strict=true' });
    expect(body.failed).toBe(1000);
    expect(body.results.reduce((sum, { problem }) => sum + problem!.errors.length, 0)).toBe(1000);
    expect(body.results.at(-1)?.problem).toMatchObject({ errors: [], moreErrors: 2 });
  });
});

it('the rate limit counts notifications', async () => {
  const limited = await TestBridge.start({ rateLimit: 10 });
  try {
    expect((await send(lines(...numbered(150)), { on: limited })).status).toBe(200);
    const refused = await send(lines({ title: 'more' }), { on: limited });
    expect(expectProblem(refused, 429).status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  } finally {
    await limited.dispose();
  }
});
