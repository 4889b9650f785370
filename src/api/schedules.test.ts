import type { Query } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { ownShiftsQuery } from './schedules';

afterEach(() => vi.useRealTimers());

type Interval = (query: Pick<Query, 'state'>) => number;
const intervalAt = (now: string, ...untils: (string | null)[]) => {
  vi.useFakeTimers({ now: new Date(now) });
  const data = untils.map((until) => ({ schedule: 'database', until }));
  return (ownShiftsQuery.refetchInterval as unknown as Interval)({ state: { data } as never }) / 1000;
};

test('own shifts are requested again at the handover, and not each second where the clock of the browser is ahead', () => {
  expect(intervalAt('2030-01-09T08:59:00Z', '2030-01-09T09:00:00Z', null)).toBe(61);
  expect(intervalAt('2030-01-09T09:00:05Z', '2030-01-09T09:00:00Z')).toBe(30);
  expect(intervalAt('2030-01-09T07:00:00Z', '2030-01-09T09:00:00Z')).toBe(300);
  expect(intervalAt('2030-01-09T07:00:00Z')).toBe(300);
});
