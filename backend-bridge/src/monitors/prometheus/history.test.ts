import { expect, test } from 'vitest';
import { CPU, definition, watch } from '../../thresholds/watched.testing.ts';
import { type AskRange, PrometheusError, type Range } from './client.ts';
import { createHistory } from './history.ts';

const START = Date.UTC(2026, 10, 21, 10, 0, 30);
const DAY = 86_400_000;

/** A Prometheus whose values are made from their index, counted from the newest; it answers when it is told to. */
function world(value: (fromEnd: number) => number = () => 50) {
  const asked: Range[] = [];
  const state = { now: START, fail: undefined as Error | undefined, hold: Promise.resolve(), hasOthers: false };
  const ask: AskRange = async (range) => {
    asked.push(range);
    await state.hold;
    if (state.fail) {
      throw state.fail;
    }
    const length = (range.end - range.start) / range.step + 1;
    const values = Float64Array.from({ length }, (_, index) => value(length - 1 - index));
    return { start: range.start, step: range.step, values, hasOthers: state.hasOthers };
  };
  return { asked, state, history: createHistory({ ask, now: () => state.now }) };
}

test('a week is asked for, a day is drawn, and what would have fired is counted at the threshold in effect or another', async () => {
  const { history, asked } = world((fromEnd) => (fromEnd < 4 || (fromEnd > 9000 && fromEnd < 9005) ? 90 : 50));
  const endpoint = watch(CPU, { threshold: 85 });
  const told = await history.ofEndpoint(endpoint, undefined);
  const end = Date.UTC(2026, 10, 21, 10, 0, 0);
  expect(asked).toEqual([
    { query: '100 * avg(rate(cpu{mode!="idle"}[2m]))', start: (end - 7 * DAY) / 1000, end: end / 1000, step: 60 },
  ]);
  expect(told).toMatchObject({
    from: new Date(end - DAY).toISOString(),
    to: new Date(end).toISOString(),
    stepSeconds: 300,
    threshold: 85,
    fired: 2,
    forSeconds: 90,
    checkedSeconds: 60,
    countedFrom: new Date(end - 7 * DAY).toISOString(),
  });
  expect(told.samples.at(-1)).toEqual([end / 1000, 90]);
  expect(told.note).toBeUndefined();
  expect(await history.ofEndpoint(endpoint, 89.5)).toMatchObject({ threshold: 89.5, fired: 2 });
  expect(await history.ofEndpoint(endpoint, 90)).toMatchObject({ threshold: 90, fired: 0 });
});

test('as long as it must be violated it has to be', async () => {
  const { history } = world((fromEnd) => (fromEnd < 2 ? 90 : 50));
  expect((await history.ofEndpoint(watch(CPU), undefined)).fired).toBe(0);
});

test('one question at a time for each query; its answer is kept for a minute, a failure for five seconds', async () => {
  const { history, asked, state } = world();
  const ask = () => history.ofEndpoint(watch(CPU), undefined);
  let go = (): void => undefined;
  state.hold = new Promise((resolve) => (go = resolve));
  const waiting = [ask(), ask(), history.ofEndpoint(watch(CPU), 10)];
  go();
  await Promise.all(waiting);
  expect(asked).toHaveLength(1);
  state.now += 59_000;
  await ask();
  expect(asked).toHaveLength(1);
  state.now += 2000;
  state.fail = new PrometheusError('Prometheus is asleep.');
  await expect(ask()).rejects.toMatchObject({ kind: 'no-history', status: 503, message: 'Prometheus is asleep.' });
  await expect(ask()).rejects.toThrow('asleep');
  expect(asked).toHaveLength(2);
  state.now += 6000;
  state.fail = undefined;
  await ask();
  expect(asked).toHaveLength(3);
});

test('no more answers are kept than a hundred', async () => {
  const { history, asked } = world();
  const one = (index: number) => history.ofEndpoint(watch({ ...CPU, url: `http://p/api/v1/query?query=m${index}` }), 1);
  for (let index = 0; index <= 100; index += 1) {
    await one(index);
  }
  await one(100);
  expect(asked).toHaveLength(101);
  await one(0);
  expect(asked).toHaveLength(102);
});

test.each([
  ['10s', 60],
  ['5m', 300],
  ['2d', 3600],
])('checked each %s, it is asked for in steps of %i s', async (interval, step) => {
  const { history, asked } = world();
  await history.ofEndpoint(watch({ ...CPU, interval }), undefined);
  expect(asked[0]?.step).toBe(step);
  expect((asked[0]!.end - asked[0]!.start) / step).toBeLessThan(11_000);
});

test('without values there is an empty history; of several series that is said', async () => {
  const { history, state } = world(() => Number.NaN);
  state.hasOthers = true;
  const told = await history.ofEndpoint(watch(CPU), undefined);
  expect(told).toMatchObject({ samples: [], fired: 0, note: expect.stringContaining('the first is shown') });
  expect(told).not.toHaveProperty('countedFrom');
});

test('where there is no history, that is known before it is asked for, and said to who asks', async () => {
  const { history, asked } = world();
  const noQuery = watch(definition());
  const noNumber = watch({ ...CPU, conditions: ['[STATUS] == 200'] });
  expect([history.has(watch(CPU)), history.has(noQuery), history.has(noNumber)]).toEqual([true, false, false]);
  await expect(history.ofEndpoint(noQuery, undefined)).rejects.toMatchObject({ status: 404 });
  await expect(history.ofEndpoint(noNumber, undefined)).rejects.toThrow('its condition is not about');
  const none = createHistory({ ask: undefined, now: () => START });
  expect(none.has(watch(CPU))).toBe(false);
  await expect(none.ofEndpoint(watch(CPU), undefined)).rejects.toThrow('NODEBELL_PROMETHEUS_URL');
  expect(asked).toEqual([]);
});
