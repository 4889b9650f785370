import { expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { type Outbound, OutboundError } from '../../platform/http/outbound.ts';
import type { HttpProblem } from '../../platform/http/problem.ts';
import { png } from './images.testing.ts';
import { createIcons } from './service.ts';

/** Icons whose fetches the test controls, on a clock that the test moves. */
function setUp(answer: (url: string) => Buffer | OutboundError = () => png()) {
  const fetched: string[] = [];
  const reasons: string[] = [];
  let now = 1000;
  let held: (() => void)[] | undefined;
  const outbound: Outbound = {
    async fetchGuarded(url) {
      fetched.push(url);
      await new Promise<void>((resolve) => (held ? held.push(resolve) : resolve()));
      const body = answer(url);
      if (body instanceof OutboundError) {
        throw body;
      }
      return { url, status: 200, headers: { 'content-type': 'text/html' }, body };
    },
  };
  const log = { info: (fields: object) => void reasons.push((fields as { why: string }).why) };
  const icons = createIcons({ outbound, log, now: () => now });
  const release = (): void => {
    held?.forEach((go) => go());
    held = undefined;
  };
  onTestFinished(release);
  return {
    fetched,
    reasons,
    release,
    hold: () => (held = []),
    advance: (ms: number) => (now += ms),
    get: (address: string) =>
      icons.get(address).then(
        ({ type }) => type as string,
        (problem: HttpProblem) => `${problem.status} ${problem.headers['Retry-After'] ?? ''}`.trim()
      ),
  };
}

const DAY = 24 * 3600 * 1000;

test('a thousand who want one icon make one fetch, and it is kept for a day', async () => {
  const { get, fetched, hold, release, advance } = setUp();
  hold();
  const all = Promise.all(Array.from({ length: 1000 }, () => get('http://a.example/i.png')));
  release();
  expect(new Set(await all)).toEqual(new Set(['image/png']));
  advance(DAY - 1);
  await get('http://a.example/i.png');
  expect(fetched).toHaveLength(1);
  advance(2);
  expect(await get('http://a.example/i.png')).toBe('image/png');
  expect(fetched).toHaveLength(2);
});

test('an address without an image is not fetched again for five minutes, and the log has the reason', async () => {
  const refused = new OutboundError('address', 'The bridge does not connect to a.example for the icon.');
  let answer: Buffer | OutboundError = refused;
  const { get, fetched, reasons, advance } = setUp(() => answer);
  expect([await get('http://a.example/i.png'), await get('http://a.example/i.png')]).toEqual(['404', '404']);
  advance(LIMITS.iconRetryTime.value - 1);
  expect(await get('http://a.example/i.png')).toBe('404');
  expect([fetched.length, reasons]).toEqual([1, [refused.message]]);
  answer = png();
  advance(2);
  expect(await get('http://a.example/i.png')).toBe('image/png');
});

test('one host has two fetches at the same time, all hosts have eight; more are refused and not remembered', async () => {
  const { get, fetched, hold, release } = setUp();
  hold();
  const ofHost = ['1', '2', '3'].map((name) => get(`http://a.example:800${name}/${name}.png`));
  const others = Array.from({ length: 8 }, (_, index) => get(`http://host${index}.example/i.png`));
  expect(await ofHost[2]).toBe('429 1');
  expect(await Promise.all(others.slice(6))).toEqual(['429 1', '429 1']);
  release();
  expect(await Promise.all([...ofHost.slice(0, 2), ...others.slice(0, 6)])).toEqual(Array(8).fill('image/png'));
  expect(fetched).toHaveLength(8);
  expect(await Promise.all([get('http://a.example/3.png'), get('http://host7.example/i.png')])).toEqual([
    'image/png',
    'image/png',
  ]);
});

test('one host is fetched from five times a second, all hosts twenty times, after a burst of ten seconds', async () => {
  const { get, advance } = setUp();
  const inTurn = async (addresses: string[]): Promise<string[]> => {
    const got: string[] = [];
    for (const address of addresses) {
      got.push(await get(address));
    }
    return got;
  };
  const many = (host: string, from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `http://${host}.example/${from + index}.png`);
  expect((await inTurn(many('a', 0, 51))).filter((got) => got !== 'image/png')).toEqual(['429 1']);
  for (const host of ['b', 'c', 'd']) {
    expect(new Set(await inTurn(many(host, 0, 50)))).toEqual(new Set(['image/png']));
  }
  expect(await get('http://e.example/i.png')).toBe('429 1');
  advance(1000);
  expect((await inTurn(many('a', 100, 6))).filter((got) => got === 'image/png')).toHaveLength(5);
});

test('images in memory are bounded in bytes', async () => {
  const large = Buffer.concat([png(), Buffer.alloc(LIMITS.iconBytes.value - 1000)]);
  const { get, fetched, advance } = setUp(() => large);
  const addresses = Array.from({ length: 100 }, (_, index) => `http://host${index}.example/i.png`);
  for (const address of addresses) {
    await get(address);
    advance(1000);
  }
  await get(addresses.at(-1) as string);
  expect(fetched).toHaveLength(100);
  await get(addresses[0] as string);
  expect(fetched).toHaveLength(101);
});
