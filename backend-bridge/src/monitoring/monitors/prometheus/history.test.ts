import { expect, test } from 'vitest';
import { CPU, definition, monitored } from '../monitored.testing.ts';
import { type PrometheusClient, PrometheusError, type Range } from './client.ts';
import { createHistory } from './history.ts';

const START = Date.UTC(2026, 10, 21, 10, 0, 30);
const DAY = 86_400_000;

/** A Prometheus with values computed from their index, counted from the newest. It responds when `hold` resolves. */
function world(value: (fromEnd: number) => number = () => 50) {
  const queries: Range[] = [];
  const state = {
    now: START,
    ahead: 0,
    fail: undefined as Error | undefined,
    hold: Promise.resolve(),
    hasOthers: false,
  };
  const queryRange: PrometheusClient['queryRange'] = async (range) => {
    queries.push(range);
    await state.hold;
    if (state.fail) {
      throw state.fail;
    }
    const length = (range.end - range.start) / range.step + 1;
    const values = Float64Array.from({ length }, (_, index) => value(length - 1 - index));
    return { start: range.start, step: range.step, values, hasOthers: state.hasOthers };
  };
  const clocks = { now: () => state.now + state.ahead, steady: () => state.now };
  return { queries, state, history: createHistory({ prometheus: { queryRange }, ...clocks }) };
}

test('a week is queried, a day is drawn, and firings are counted for the configured threshold or another', async () => {
  const { history, queries } = world((fromEnd) => (fromEnd < 4 || (fromEnd > 9000 && fromEnd < 9005) ? 90 : 50));
  const endpoint = monitored(CPU, { threshold: 85 });
  const result = await history.ofEndpoint(endpoint, undefined);
  const end = Date.UTC(2026, 10, 21, 10, 0, 0);
  expect(queries).toEqual([
    { query: '100 * avg(rate(cpu{mode!="idle"}[2m]))', start: (end - 7 * DAY) / 1000, end: end / 1000, step: 60 },
  ]);
  expect(result).toMatchObject({
    from: new Date(end - DAY).toISOString(),
    to: new Date(end).toISOString(),
    stepSeconds: 300,
    threshold: 85,
    fired: 2,
    forSeconds: 90,
    checkedSeconds: 60,
    countedFrom: new Date(end - 7 * DAY).toISOString(),
  });
  expect(result.samples.at(-1)).toEqual([end / 1000, 90]);
  expect(result.note).toBeUndefined();
  expect(await history.ofEndpoint(endpoint, 89.5)).toMatchObject({ threshold: 89.5, fired: 2 });
  expect(await history.ofEndpoint(endpoint, 90)).toMatchObject({ threshold: 90, fired: 0 });
});

test('a violation shorter than `for` does not fire', async () => {
  const { history } = world((fromEnd) => (fromEnd < 2 ? 90 : 50));
  expect((await history.ofEndpoint(monitored(CPU), undefined)).fired).toBe(0);
});

test('one request at a time for each query; results are cached for a minute, failures for five seconds', async () => {
  const { history, queries, state } = world();
  const ask = () => history.ofEndpoint(monitored(CPU), undefined);
  let go = (): void => undefined;
  state.hold = new Promise((resolve) => (go = resolve));
  const waiting = [ask(), ask(), history.ofEndpoint(monitored(CPU), 10)];
  go();
  await Promise.all(waiting);
  expect(queries).toHaveLength(1);
  state.now += 59_000;
  await ask();
  expect(queries).toHaveLength(1);
  state.now += 2000;
  state.fail = new PrometheusError('Prometheus is asleep.');
  await expect(ask()).rejects.toMatchObject({ kind: 'no-history', status: 503, message: 'Prometheus is asleep.' });
  await expect(ask()).rejects.toThrow('asleep');
  expect(queries).toHaveLength(2);
  state.now += 6000;
  state.fail = undefined;
  await ask();
  expect(queries).toHaveLength(3);
});

test('also if the clock is set back meanwhile', async () => {
  const { history, queries, state } = world();
  const ask = () => history.ofEndpoint(monitored(CPU), undefined);
  await ask();
  state.ahead = -DAY;
  state.now += 61_000;
  await ask();
  expect(queries).toHaveLength(2);
});

test('at most a hundred responses are cached', async () => {
  const { history, queries } = world();
  const one = (index: number) =>
    history.ofEndpoint(monitored({ ...CPU, url: `http://p/api/v1/query?query=m${index}` }), 1);
  for (let index = 0; index <= 100; index += 1) {
    await one(index);
  }
  await one(100);
  expect(queries).toHaveLength(101);
  await one(0);
  expect(queries).toHaveLength(102);
});

test.each([
  ['10s', 60],
  ['5m', 300],
  ['2d', 3600],
])('an interval of %s is queried in steps of %i s', async (interval, step) => {
  const { history, queries } = world();
  await history.ofEndpoint(monitored({ ...CPU, interval }), undefined);
  expect(queries[0]?.step).toBe(step);
  expect((queries[0]!.end - queries[0]!.start) / step).toBeLessThan(11_000);
});

test('without values the history is empty; several series add a note', async () => {
  const { history, state } = world(() => Number.NaN);
  state.hasOthers = true;
  const result = await history.ofEndpoint(monitored(CPU), undefined);
  expect(result).toMatchObject({ samples: [], fired: 0, note: expect.stringContaining('the first is shown') });
  expect(result).not.toHaveProperty('countedFrom');
});

test('endpoints without a history are known before the query, and are a 404', async () => {
  const { history, queries } = world();
  const noQuery = monitored(definition());
  const noNumber = monitored({ ...CPU, conditions: ['[STATUS] == 200'] });
  expect([history.has(monitored(CPU)), history.has(noQuery), history.has(noNumber)]).toEqual([true, false, false]);
  await expect(history.ofEndpoint(noQuery, undefined)).rejects.toMatchObject({ status: 404 });
  await expect(history.ofEndpoint(noNumber, undefined)).rejects.toThrow('the condition does not compare');
  const none = createHistory({ prometheus: undefined, now: () => START, steady: () => START });
  expect(none.has(monitored(CPU))).toBe(false);
  await expect(none.ofEndpoint(monitored(CPU), undefined)).rejects.toThrow('NODEBELL_PROMETHEUS_URL');
  expect(queries).toEqual([]);
});
