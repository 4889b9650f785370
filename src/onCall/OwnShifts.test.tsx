import { afterEach, expect, it, vi } from 'vitest';
import { act } from '@testing-library/react';
import { render, screen, serveBridge } from '../component.testing';
import OwnShifts from './OwnShifts';

const START = Date.parse('2030-01-11T08:00:00Z');
const HOUR = 3_600_000;
const own = (schedule: string, hours: number | null) => ({
  schedule,
  until: hours === null ? null : new Date(START + hours * HOUR).toISOString(),
});

afterEach(() => vi.useRealTimers());

/** Lets pending requests be answered. */
const settle = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));

it('says where the user is on call and until when, and is requested again at the handover', async () => {
  vi.useFakeTimers({ now: START });
  let mine = [own('database', 73)];
  const requests = vi.fn();
  serveBridge((path) => {
    requests(path);
    return { schedules: [], people: [], mine };
  });
  render(<OwnShifts narrow={false} />);
  expect(screen.queryByRole('link')).toBeNull();
  await settle(1);
  const link = screen.getByRole('link');
  expect(link.textContent).toMatch(/^You are on call: database, until Mon,? \d\d:00$/);
  expect(link.getAttribute('href')).toBe('/a/nodebell-notifications-app/on-call');
  mine = [own('database', 0.05), own('web', null)];
  await settle(300_000);
  expect(requests).toHaveBeenCalledTimes(2);
  mine = [];
  expect(screen.getByRole('link').textContent).toMatch(/^You are on call: database, until \d\d:\d\d; web$/);
  // The shift has ended by the clock of the browser, which may be ahead.
  await settle(29_000);
  expect(requests).toHaveBeenCalledTimes(2);
  await settle(1000);
  expect(requests).toHaveBeenCalledTimes(3);
  expect(requests).toHaveBeenLastCalledWith('/schedules');
  expect(screen.queryByRole('link')).toBeNull();
});

it('is two words on a phone, with all of it for screen readers', async () => {
  vi.useFakeTimers({ now: START });
  serveBridge(() => ({ schedules: [], people: [], mine: [own('database', 1)] }));
  render(<OwnShifts narrow />);
  await settle(1);
  const link = screen.getByRole('link', { name: /^You are on call: database, until/ });
  expect(link.textContent).toBe('On call');
});
