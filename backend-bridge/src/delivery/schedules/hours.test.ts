import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { WEEKDAYS } from '../../../contract/digest.ts';
import { quietHoursListSchema, type QuietHours, weekdaysOf } from '../../../contract/hours.ts';
import { instantOf, nextDigest } from './hours.ts';
import { quietAt, quietClock } from './quietSpans.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Both changes of 2026, by zone. That of Lord Howe is half an hour. */
const CHANGES: Record<string, [string, string]> = {
  'Europe/Berlin': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
};
const ms = (iso: string): number => Date.parse(iso);
const iso = (at: number): string => new Date(at).toISOString().replace(':00.000Z', 'Z');

const formats = new Map(
  Object.keys(CHANGES).map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hour12: false }),
  ])
);
/** `Mon 02:30`, by another implementation of time zones. */
const localText = (at: number, zone: string): string => formats.get(zone)!.format(at).replace(',', '');
function local(at: number, zone: string): { weekday: number; time: string } {
  const [day = '', time = ''] = localText(at, zone).split(' ');
  return { weekday: WEEKDAYS.indexOf(day.toLowerCase() as (typeof WEEKDAYS)[number]) + 1, time };
}
/** Whether the clock on the wall shows a time of the hours. */
function shows({ days = ['mon-sun'], from, to, zone = 'UTC' }: QuietHours, at: number): boolean {
  const { weekday, time } = local(at, zone);
  const on = new Set(days.flatMap(weekdaysOf));
  const before = weekday === 1 ? 7 : weekday - 1;
  return to > from
    ? on.has(weekday) && time >= from && time < to
    : (on.has(weekday) && time >= from) || (on.has(before) && time < to);
}
const existsTwice = (at: number, zone: string): boolean =>
  [-HOUR, -HOUR / 2, HOUR / 2, HOUR].some((ms) => localText(at + ms, zone) === localText(at, zone));

const zones = fc.constantFrom(...Object.keys(CHANGES));
const time = fc
  .integer({ min: 0, max: 24 * 12 - 1 })
  .map((five) => new Date(five * 5 * MINUTE).toISOString().slice(11, 16));
/** Times near those that are skipped or repeated. */
const nearTime = fc.oneof(
  time,
  fc.constantFrom('00:30', '01:00', '01:45', '02:00', '02:15', '02:30', '02:55', '03:00')
);
const days = fc.subarray([...WEEKDAYS], { minLength: 1 });
const entry = (zone: string) =>
  fc
    .record({ days: fc.option(days, { nil: undefined }), from: nearTime, to: fc.oneof(nearTime, fc.constant('24:00')) })
    .filter(({ from, to }) => from !== to)
    .map(({ days: some, ...rest }): QuietHours => ({ ...rest, zone, ...(some && { days: some }) }));
/** Minutes, mostly near a change of summer time. */
const instant = (zone: string) =>
  fc.oneof(
    fc.integer({ min: ms('2026-01-01T00:00Z') / MINUTE, max: ms('2026-12-31T00:00Z') / MINUTE }),
    fc
      .tuple(fc.constantFrom(...CHANGES[zone]!), fc.integer({ min: -2 * 24 * 60, max: 2 * 24 * 60 }))
      .map(([change, minutes]) => ms(change) / MINUTE + minutes),
    fc
      .tuple(fc.constantFrom(...CHANGES[zone]!), fc.integer({ min: -150, max: 150 }))
      .map(([change, minutes]) => ms(change) / MINUTE + minutes)
  );

test('what the clock on the wall shows is inside; what is inside besides exists twice', () => {
  const given = zones.chain((zone) => fc.tuple(entry(zone), instant(zone)));
  fc.assert(
    fc.property(given, ([hours, minute]) => {
      const at = minute * MINUTE;
      const { isQuiet } = quietAt([hours], at);
      if (shows(hours, at)) {
        expect(isQuiet).toBe(true);
      } else if (isQuiet) {
        expect(existsTwice(at, hours.zone!)).toBe(true);
      }
    }),
    { numRuns: 1000 }
  );
});

test('each span ends where the next begins, and ends never go back', () => {
  const given = zones.chain((zone) =>
    fc.tuple(
      fc
        .array(entry(zone), { minLength: 1, maxLength: 3 })
        .filter((list) => quietHoursListSchema.safeParse(list).success),
      instant(zone),
      fc.integer({ min: 0, max: 3 * 24 * 60 })
    )
  );
  fc.assert(
    fc.property(given, ([hours, minute, later]) => {
      const at = minute * MINUTE;
      const span = quietAt(hours, at);
      const second = quietAt(hours, at + later * MINUTE);
      expect(span.until).toBeGreaterThan(at);
      expect(second.until).toBeGreaterThanOrEqual(span.until);
      if (at + later * MINUTE < span.until) {
        expect(second).toEqual(span);
      }
      expect(quietAt(hours, span.until).isQuiet).toBe(!span.isQuiet);
      expect(quietAt(hours, span.until - 1)).toEqual(span);
    }),
    { numRuns: 300 }
  );
});

test.each([
  // 22:00 to 07:00 is 8 hours in the night of the change to summer time, and 10 in that back.
  ['Europe/Berlin', '22:00', '07:00', '2026-03-28T22:00Z', '2026-03-28T21:00Z', '2026-03-29T05:00Z'],
  ['Europe/Berlin', '22:00', '07:00', '2026-10-24T22:00Z', '2026-10-24T20:00Z', '2026-10-25T06:00Z'],
  ['America/New_York', '22:00', '07:00', '2026-03-08T05:00Z', '2026-03-08T03:00Z', '2026-03-08T11:00Z'],
  ['America/New_York', '22:00', '07:00', '2026-11-01T05:00Z', '2026-11-01T02:00Z', '2026-11-01T12:00Z'],
  // From summer time to standard time in April, and half an hour only.
  ['Australia/Lord_Howe', '22:00', '07:00', '2026-04-04T15:00Z', '2026-04-04T11:00Z', '2026-04-04T20:30Z'],
  ['Australia/Lord_Howe', '22:00', '07:00', '2026-10-03T15:00Z', '2026-10-03T11:30Z', '2026-10-03T20:00Z'],
  // 02:30 does not exist: the hours begin, or end, with the change.
  ['Europe/Berlin', '02:30', '05:00', '2026-03-29T01:00Z', '2026-03-29T01:00Z', '2026-03-29T03:00Z'],
  ['Europe/Berlin', '00:00', '02:30', '2026-03-29T00:00Z', '2026-03-28T23:00Z', '2026-03-29T01:00Z'],
  ['Australia/Lord_Howe', '02:10', '03:00', '2026-10-03T15:30Z', '2026-10-03T15:30Z', '2026-10-03T16:00Z'],
  // 02:30 exists twice: from the first to the last.
  ['Europe/Berlin', '02:30', '04:00', '2026-10-25T01:10Z', '2026-10-25T00:30Z', '2026-10-25T03:00Z'],
  ['Europe/Berlin', '01:00', '02:30', '2026-10-25T00:45Z', '2026-10-24T23:00Z', '2026-10-25T01:30Z'],
  ['America/New_York', '01:15', '01:45', '2026-11-01T05:50Z', '2026-11-01T05:15Z', '2026-11-01T06:45Z'],
])('%s %s to %s at %s', (zone, from, to, at, start, end) => {
  const hours = [{ from, to, zone }];
  expect(quietAt(hours, ms(at))).toEqual({ isQuiet: true, until: ms(end) });
  expect(iso(quietAt(hours, ms(start) - MINUTE).until)).toBe(iso(ms(start)));
  expect(quietAt(hours, ms(start) - 1).isQuiet).toBe(false);
});

test('weekdays are those on which the hours begin; hours that touch are one', () => {
  const zone = 'Europe/Berlin';
  const hours: QuietHours[] = [
    { days: ['mon-fri'], from: '22:00', to: '07:00', zone },
    { days: ['sat-sun'], from: '00:00', to: '24:00', zone },
  ];
  // From Friday evening to Monday, for Sunday's hours end at midnight.
  expect(iso(quietAt(hours, ms('2026-07-03T21:00Z')).until)).toBe('2026-07-05T22:00Z');
  expect(quietAt(hours, ms('2026-07-06T01:00Z'))).toEqual({ isQuiet: false, until: ms('2026-07-06T20:00Z') });
  expect(quietAt([], ms('2026-07-03T21:00Z'))).toEqual({ isQuiet: false, until: Infinity });
});

test('hours that never end are an error', () => {
  const valid = (list: object[]) => quietHoursListSchema.safeParse(list).success;
  expect(valid([{ from: '00:00', to: '24:00' }])).toBe(false);
  expect(
    valid([
      { from: '08:00', to: '20:00' },
      { from: '19:00', to: '08:00' },
    ])
  ).toBe(false);
  expect(
    valid([
      { from: '08:00', to: '20:00' },
      { from: '20:01', to: '08:00' },
    ])
  ).toBe(true);
  expect(
    valid([
      { days: ['mon-sat'], from: '00:00', to: '24:00' },
      { days: ['sun'], from: '00:00', to: '23:00' },
    ])
  ).toBe(true);
  expect(
    valid([
      { days: ['fri-mon', 'tue-thu'], from: '12:00', to: '11:59' },
      { from: '11:00', to: '12:00' },
    ])
  ).toBe(false);
});

const schedule = fc.tuple(nearTime, zones, fc.option(fc.constantFrom(...WEEKDAYS), { nil: undefined }));
test('a digest comes once on each of its days, later than any instant before it', () => {
  fc.assert(
    fc.property(
      schedule.chain((one) => fc.tuple(fc.constant(one), instant(one[1]))),
      ([[at, zone, weekday], minute]) => {
        const text = weekday === undefined ? `daily ${at} ${zone}` : `weekly ${weekday} ${at} ${zone}`;
        const dates: number[] = [];
        for (let next = minute * MINUTE; dates.length < 5;) {
          const digest = nextDigest(text, next);
          expect(digest).toBeGreaterThan(next);
          // No instant before it leads past it.
          expect(nextDigest(text, digest - 1)).toBe(digest);
          const shown = local(digest, zone);
          // A skipped time becomes the first one after it.
          expect(shown.time >= at).toBe(true);
          expect(shown.time === at || local(digest - MINUTE, zone).time < at).toBe(true);
          expect(shown.weekday).toBe(weekday === undefined ? shown.weekday : WEEKDAYS.indexOf(weekday) + 1);
          dates.push(digest);
          next = digest;
        }
        const step = weekday === undefined ? DAY : 7 * DAY;
        dates.slice(1).forEach((digest, index) => {
          expect(Math.abs(digest - dates[index]! - step)).toBeLessThanOrEqual(HOUR);
        });
      }
    ),
    { numRuns: 200 }
  );
  expect(iso(nextDigest('hourly', ms('2026-07-03T21:00Z')))).toBe('2026-07-03T22:00Z');
  expect(iso(nextDigest('daily 08:00', ms('2026-07-03T21:00Z')))).toBe('2026-07-04T08:00Z');
});

test('the instant of a local time is that of Temporal, in each zone', () => {
  const wall = fc.integer({ min: ms('1970-01-01T00:00Z') / MINUTE, max: ms('2090-01-01T00:00Z') / MINUTE });
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), wall, (zone, minute) => {
      // Some of them with the offset that the one before has looked up.
      for (const days of [0, 1, 100, 101, 50, -200]) {
        const shown = minute * MINUTE + days * DAY;
        const local = Temporal.PlainDateTime.from(new Date(shown).toISOString().slice(0, -1));
        const zoned = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
        if (zoned.toPlainDateTime().equals(local)) {
          expect(instantOf(shown, zone, 'first')).toBe(zoned.epochMilliseconds);
        }
        const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
        if (later.toPlainDateTime().equals(local)) {
          expect(instantOf(shown, zone, 'last')).toBe(later.epochMilliseconds);
        }
      }
    }),
    { numRuns: 1000 }
  );
});

test('the clock computes a span once, and again when the time goes back', () => {
  const clock = quietClock([{ from: '22:00', to: '07:00' }]);
  const [day, night] = [ms('2026-07-03T21:00Z'), ms('2026-07-03T23:00Z')];
  expect(clock(night).isQuiet).toBe(true);
  expect(clock(day)).toEqual({ isQuiet: false, until: ms('2026-07-03T22:00Z') });
  expect(clock(night)).toBe(clock(night + HOUR));
});
