import { expect, test } from 'vitest';
import type { PlacedSchedule } from './routing.ts';
import { scheduleHandlers } from './scheduleHandlers.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-28T00:00:00Z');

const scheduleOf = (name: string): PlacedSchedule => ({
  ...{ name, file: 'f', zone: 'Europe/Berlin' },
  rotations: Array.from({ length: 20 }, (_one, minute) => ({
    people: ['ada', 'bob', 'cleo'],
    every: '1h',
    from: `2026-01-05T09:${minute + 10}`,
    hours: Array.from({ length: 5 }, (_other, hour) => ({ from: `0${hour}:00`, to: `0${hour}:50` })),
  })),
});

/** Runs the work. @returns how often other work ran meanwhile */
async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  return turns;
}

test('other work runs while shifts are computed, which are kept for a minute', async () => {
  let at = START;
  const schedules = Array.from({ length: 20 }, (_one, index) => scheduleOf(`s${index}`));
  const { listSchedules, getScheduleCalendar } = scheduleHandlers(
    { schedules: () => schedules, people: () => [], reachedBy: () => ({ to: [] }) },
    () => at
  ) as Record<string, (call: object) => unknown>;
  const list = () => listSchedules!({ query: {} });
  expect(await turnsDuring(list)).toBeGreaterThan(0);
  at += MINUTE - 1;
  expect(await turnsDuring(list)).toBe(0);
  at += 1;
  expect(await turnsDuring(list)).toBeGreaterThan(0);

  let text = '';
  const res = { set: () => undefined, send: (sent: string) => (text = sent) };
  const calendar = () => getScheduleCalendar!({ params: { name: 's1' }, res });
  expect(await turnsDuring(calendar)).toBeGreaterThan(0);
  expect(text).toMatch(/SUMMARY:(?:ada|bob|cleo)/);
});
