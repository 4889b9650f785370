import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WEEKDAYS } from '../../../contract/digest.ts';
import { weekdaysOf } from '../../../contract/hours.ts';
import { onCallScheduleSchema, type OnCallSchedule } from '../../../contract/onCall.ts';
import { durationSeconds } from '../../../contract/text.ts';
import { onCallAt, shiftsBetween } from './schedule.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ms = (iso: string): number => Date.parse(iso);
const at = (schedule: OnCallSchedule, iso: string): string[] => onCallAt(schedule, ms(iso));

/** Changes of summer time, by zone. Lord Howe changes by half an hour; Kathmandu and UTC do not. */
const CHANGES: Record<string, [string, string]> = {
  'Europe/Berlin': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'America/New_York': ['2026-03-08T07:00Z', '2026-11-01T06:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
  'Asia/Kathmandu': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  UTC: ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
};
const formats = new Map(
  Object.keys(CHANGES).map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ])
);
/** The time on the wall as if it were UTC, by another implementation of time zones. */
const wallOf = (instant: number, zone: string): number =>
  ms(`${formats.get(zone)!.format(instant).replace(' ', 'T')}Z`);
const wall = (local: string): number => ms(`${local}Z`);

/** Who is on call in each minute of a window, from the times that a clock on the wall shows. */
function naive({ zone = 'UTC', rotations, overrides = [] }: OnCallSchedule, minutes: readonly number[]): string[][] {
  const walls = minutes.map((minute) => wallOf(minute, zone));
  /** The first minute at which the wall has reached the time. */
  const first = (time: number): number => minutes[walls.findIndex((shown) => shown >= time)] ?? Infinity;
  /** Behind the last minute at which it shows an earlier time, unless it skips this time. */
  const last = (time: number): number => {
    const exact = walls.lastIndexOf(time);
    return exact < 0 ? first(time) : minutes[exact]!;
  };
  const covered = rotations.map(({ hours, ...rotation }) => {
    const dates = [...new Set(walls.map((shown) => shown - (shown % DAY)))];
    const spans = (hours ?? []).flatMap(({ days = ['mon-sun'], from, to }) => {
      const on = new Set(days.flatMap(weekdaysOf));
      const time = (text: string): number => ms(`1970-01-01T${text}Z`);
      const length = to === '24:00' ? DAY - time(from) : (time(to) - time(from) + DAY) % DAY;
      return dates
        .filter((date) => on.has(new Date(date).getUTCDay() || 7))
        .map((date) => [first(date + time(from)), last(date + time(from) + length)] as const);
    });
    const begin = first(wall(rotation.from));
    const end = rotation.to === undefined ? Infinity : first(wall(rotation.to));
    let highest = -Infinity;
    return minutes.map((minute, index) => {
      const shift = Math.floor((walls[index]! - wall(rotation.from)) / (durationSeconds(rotation.every) * 1000));
      highest = Math.max(highest, shift);
      const isIn = hours === undefined || spans.some(([start, stop]) => start <= minute && minute < stop);
      return isIn && minute >= begin && minute < end ? [rotation.people[highest % rotation.people.length]!] : [];
    });
  });
  const standIns = overrides.map(({ person, from, to }) => ({
    person,
    start: first(wall(from)),
    end: first(wall(to)),
  }));
  return minutes.map((minute, index) => {
    const standIn = standIns.findLast(({ start, end }) => start <= minute && minute < end);
    return standIn ? [standIn.person] : [...new Set(covered.flatMap((people) => people[index]!))];
  });
}

const local = (instant: number): string => new Date(instant).toISOString().slice(0, 16);
const person = fc.constantFrom('ada', 'bob', 'cleo', 'dan');
const time = fc.oneof(
  fc.constantFrom('00:00', '01:30', '02:00', '02:15', '02:30', '03:00', '09:00'),
  fc.integer({ min: 0, max: 24 * 12 - 1 }).map((five) => new Date(five * 5 * MINUTE).toISOString().slice(11, 16))
);
/** A window of three days around a change, and a schedule with times in it and before it. */
const scene = fc
  .tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.integer({ min: 0, max: 1 }))
  .chain(([zone, which]) => {
    const change = ms(CHANGES[zone]![which]!);
    const near = (days: number) =>
      fc
        .tuple(fc.integer({ min: -days, max: 2 }), time)
        .map(([day, text]) => `${local(change + day * DAY).slice(0, 10)}T${text}`);
    const span = fc.tuple(near(1), near(1)).filter(([a, b]) => a < b);
    const hours = fc
      .record({
        days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
        from: time,
        to: fc.oneof(time, fc.constant('24:00')),
      })
      .filter(({ from, to }) => from !== to);
    const rotation = fc
      .record(
        {
          people: fc.array(person, { minLength: 1, maxLength: 4 }),
          every: fc.constantFrom('1h', '5h', '12h', '1d', '2d', '1w'),
          from: near(6),
          to: near(1),
          hours: fc.array(hours, { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: ['people', 'every', 'from'] }
      )
      .filter(({ from, to }) => to === undefined || from < to);
    const override = fc.tuple(person, span).map(([name, [from, to]]) => ({ person: name, from, to }));
    return fc.record({
      change: fc.constant(change),
      schedule: fc.record({
        name: fc.constant('s'),
        zone: fc.constant(zone),
        rotations: fc.array(rotation, { minLength: 1, maxLength: 3 }),
        overrides: fc.array(override, { maxLength: 3 }),
      }),
    });
  });

test('each minute, who is on call is who a clock on the wall says: summer time, overlaps, overrides', () => {
  fc.assert(
    fc.property(scene, ({ change, schedule }) => {
      expect(onCallScheduleSchema.parse(schedule)).toEqual(schedule);
      // From a week before, since the naive model counts from what it has seen.
      const start = change - 9 * DAY;
      const minutes = Array.from({ length: (11 * DAY) / MINUTE }, (_one, index) => start + index * MINUTE);
      const wanted = naive(schedule, minutes);
      const shifts = shiftsBetween(schedule, change - 2 * DAY, change + 1.5 * DAY);
      expect([shifts[0]!.start, shifts.at(-1)!.end]).toEqual([change - 2 * DAY, change + 1.5 * DAY]);
      for (const [index, { start: begins, end, people }] of shifts.entries()) {
        expect(begins).toBe(shifts[index - 1]?.end ?? change - 2 * DAY);
        expect(people).not.toEqual(shifts[index - 1]?.people);
        for (let minute = begins; minute < end; minute += MINUTE) {
          if (wanted[(minute - start) / MINUTE]!.join() !== people.join()) {
            expect([new Date(minute).toISOString(), people]).toEqual([
              new Date(minute).toISOString(),
              wanted[(minute - start) / MINUTE],
            ]);
          }
        }
        expect(onCallAt(schedule, begins)).toEqual(people);
        expect(onCallAt(schedule, end - 1)).toEqual(people);
      }
      for (let minute = change - 120 * MINUTE; minute < change + 120 * MINUTE; minute += 15 * MINUTE) {
        expect(onCallAt(schedule, minute)).toEqual(wanted[(minute - start) / MINUTE]);
      }
    }),
    { numRuns: 60 }
  );
}, 120_000);

const weekly: OnCallSchedule = {
  name: 'database',
  zone: 'Europe/Berlin',
  rotations: [{ people: ['ada', 'bob'], every: '1w', from: '2026-01-05T09:00' }],
};

test('a handover at 09:00 stays at 09:00 in summer', () => {
  expect(at(weekly, '2026-01-05T07:59Z')).toEqual([]);
  expect(at(weekly, '2026-01-05T08:00Z')).toEqual(['ada']);
  expect(at(weekly, '2026-01-12T07:59Z')).toEqual(['ada']);
  expect(at(weekly, '2026-01-12T08:00Z')).toEqual(['bob']);
  // In summer, 09:00 is 07:00 UTC.
  expect(at(weekly, '2026-03-30T06:59Z')).toEqual(['bob']);
  expect(at(weekly, '2026-03-30T07:00Z')).toEqual(['ada']);
});

test('an hour that the clock shows twice does not bring back who was on call before', () => {
  const people = ['ada', 'bob', 'cleo'];
  const hourly = { ...weekly, rotations: [{ people, every: '1h', from: '2026-10-24T00:30' }] };
  // 02:15, 02:45, 02:15 again, 03:45.
  const times = ['00:15Z', '00:45Z', '01:15Z', '02:45Z'].map((time) => at(hourly, `2026-10-25T${time}`).join());
  expect(times).toEqual(['bob', 'cleo', 'cleo', 'ada']);
});

test('gaps and overlaps are spans; an override replaces everybody', () => {
  const office = { days: ['mon-fri'], from: '09:00', to: '17:00' };
  const schedule: OnCallSchedule = {
    name: 's',
    rotations: [
      { people: ['ada'], every: '1d', from: '2026-01-05T00:00', hours: [office] },
      { people: ['bob'], every: '1d', from: '2026-01-05T16:00', to: '2026-01-05T20:00' },
    ],
    overrides: [{ person: 'cleo', from: '2026-01-05T10:00', to: '2026-01-05T11:00' }],
  };
  const shown = shiftsBetween(schedule, ms('2026-01-05T00:00Z'), ms('2026-01-06T00:00Z')).map(
    ({ start, people }) => `${new Date(start).toISOString().slice(11, 16)} ${people.join('+') || 'nobody'}`
  );
  expect(shown).toEqual([
    '00:00 nobody',
    '09:00 ada',
    '10:00 cleo',
    '11:00 ada',
    '16:00 ada+bob',
    '17:00 bob',
    '20:00 nobody',
  ]);
});

test('invalid schedules are rejected with what is allowed', () => {
  const messages = (rotation: object): string[] =>
    (
      onCallScheduleSchema.safeParse({ ...weekly, rotations: [{ ...weekly.rotations[0], ...rotation }] }).error
        ?.issues ?? []
    ).map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`);
  expect(messages({})).toEqual([]);
  expect(messages({ every: '53w' })).toEqual(['every: a duration such as 12h, 1d or 1w, at most 52w']);
  expect(messages({ from: '2026-02-30T09:00' })).toEqual(['from: a local date and time such as 2026-01-05T09:00']);
  expect(messages({ to: '2026-01-05T09:00' })).toEqual(['to: later than `from`']);
  expect(messages({ people: [] })).toEqual(['people: a list of logins that is not empty']);
});
