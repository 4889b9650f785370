import type { Route } from '@nodebell/contract/channel.ts';
import { type QuietHours, quietHoursSchema } from '@nodebell/contract/hours.ts';
import { expect, test } from 'vitest';
import { hoursDraftOf, hoursOfDraft, newHours, readWhen, writeWhen } from './hours';

test.each<[QuietHours, QuietHours?]>([
  [{ from: '22:00', to: '07:00' }],
  [{ days: ['sun-thu'], from: '22:00', to: '07:00', zone: 'Europe/Berlin' }],
  [
    { days: ['mon-sun'], from: '22:00', to: '07:00', zone: 'UTC' },
    { from: '22:00', to: '07:00' },
  ],
  [
    { days: ['sat', 'mon', 'sun'], from: '00:00', to: '24:00' },
    { days: ['sat-mon'], from: '00:00', to: '24:00' },
  ],
  [{ days: ['mon', 'wed'], from: '12:00', to: '13:00' }],
  // Both end at the same time.
  [
    { from: '22:00', to: '24:00' },
    { from: '22:00', to: '00:00' },
  ],
])('%j survives the form', (hours, written = hours) => {
  expect(hoursOfDraft(hoursDraftOf(hours))).toEqual(written);
  expect(quietHoursSchema.safeParse(written).success).toBe(true);
});

test('new hours are valid', () => {
  expect(quietHoursSchema.safeParse(hoursOfDraft(newHours('UTC'))).error).toBeUndefined();
});

test.each<[Pick<Route, 'digest' | 'unacknowledged'>]>([
  [{}],
  [{ digest: 'hourly' }],
  [{ digest: 'daily 08:00' }],
  [{ digest: 'daily 08:00 Europe/Berlin' }],
  [{ digest: 'weekly sun 08:00' }],
  [{ digest: 'weekly mon 08:00 America/St_Johns' }],
  [{ unacknowledged: '10m' }],
  // While they are typed.
  [{ digest: 'daily  Europe/Berlin' }],
  [{ digest: 'weekly fri ' }],
  [{ unacknowledged: '' }],
])('%j survives the form', (when) => {
  expect(writeWhen(readWhen(when))).toEqual(when);
});
