import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { onCallScheduleSchema } from '../../../contract/onCall.ts';
import { complete } from '../../platform/runtime/steps.ts';
import { CalendarError, namedShifts, readCalendar } from './calendar.ts';
import { calendarText } from './calendarText.ts';
import { onCallAt, type Shift, shiftsBetween } from './schedule.ts';

const HOUR = 3_600_000;
const ms = (iso: string): number => Date.parse(iso);
const calendar = (...events: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...events, 'END:VCALENDAR'].join('\r\n');
let uid = 0;
const event = (...lines: string[]): string =>
  [
    'BEGIN:VEVENT',
    ...(lines.some((line) => line.startsWith('UID:')) ? [] : [`UID:${(uid += 1)}`]),
    ...lines,
    'END:VEVENT',
  ].join('\r\n');
/** `names start end`, UTC. */
const read = async (text: string, { zone = 'Europe/Berlin', now = '2030-03-20T00:00Z' } = {}): Promise<string[]> =>
  (await readCalendar(text, zone, ms(now))).map(({ names, start, end }) =>
    [names.join('+'), ...[start, end].map((at) => new Date(at).toISOString().slice(5, 16))].join(' ')
  );
const PEOPLE = [
  { login: 'ada', channels: ['a'], names: ['ada@example.org', 'Ada Lovelace'] },
  { login: 'bob', channels: ['b'] },
];

describe('events', () => {
  test('of a time zone, of UTC, whole days and times without a zone, with those of the schedule', async () => {
    const text = calendar(
      event(
        'SUMMARY:a',
        'DTSTART;TZID=America/New_York:20300326T090000',
        'DTEND;TZID=America/New_York:20300326T170000'
      ),
      event('SUMMARY:b', 'DTSTART:20300327T090000Z', 'DURATION:PT8H'),
      event('SUMMARY:c', 'DTSTART;VALUE=DATE:20300330', 'DTEND;VALUE=DATE:20300401'),
      event('SUMMARY:d', 'DTSTART:20300401T090000', 'DTEND:20300401T170000'),
      event('SUMMARY:e', 'DTSTART;TZID=W. Europe Standard Time:20300402T090000', 'DURATION:PT1H')
    );
    expect(await read(text)).toEqual([
      'a 03-26T13:00 03-26T21:00',
      'b 03-27T09:00 03-27T17:00',
      // The day on which summer time begins has 23 hours.
      'c 03-29T23:00 03-31T22:00',
      'd 04-01T07:00 04-01T15:00',
      'e 04-02T07:00 04-02T08:00',
    ]);
  });

  test('that recur: exceptions, a changed instance, a cancelled one; the wall clock decides in summer time', async () => {
    const text = calendar(
      event(
        ...['UID:series', 'SUMMARY:ada', 'DTSTART;TZID=Europe/Berlin:20300327T090000'],
        ...['DTEND;TZID=Europe/Berlin:20300328T090000', 'RRULE:FREQ=DAILY;COUNT=7'],
        'EXDATE;TZID=Europe/Berlin:20300328T090000'
      ),
      event(
        ...['UID:series', 'RECURRENCE-ID;TZID=Europe/Berlin:20300401T090000', 'SUMMARY:bob'],
        ...['DTSTART;TZID=Europe/Berlin:20300401T120000', 'DTEND;TZID=Europe/Berlin:20300402T090000']
      ),
      event(
        ...['UID:series', 'RECURRENCE-ID;TZID=Europe/Berlin:20300402T090000', 'SUMMARY:ada', 'STATUS:CANCELLED'],
        ...['DTSTART;TZID=Europe/Berlin:20300402T090000', 'DTEND;TZID=Europe/Berlin:20300403T090000']
      )
    );
    expect(await read(text)).toEqual([
      'ada 03-27T08:00 03-28T08:00',
      'ada 03-29T08:00 03-30T08:00',
      'ada 03-30T08:00 03-31T07:00',
      'ada 03-31T07:00 04-01T07:00',
      'bob 04-01T10:00 04-02T07:00',
    ]);
  });

  test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    '%s: shifts from day to day have no gaps, in summer time too',
    async (zone) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('2030-03-01', '2030-03-09', '2030-03-30', '2030-04-06', '2030-09-20', '2030-10-20'),
          // RFC 5545 ignores what would begin in the hour that summer time skips.
          fc.integer({ min: 3, max: 25 }).map((hour) => hour % 24),
          fc.constantFrom('DAILY', 'WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU'),
          async (now, hour, rule) => {
            const [time, day] = [`T${String(hour).padStart(2, '0')}0000`, now.replaceAll('-', '')];
            const [start, end] = [`${day}${time}`, `${Number(day) + 1}${time}`];
            const given = event(
              'SUMMARY:ada',
              `DTSTART;TZID=${zone}:${start}`,
              `DTEND;TZID=${zone}:${end}`,
              `RRULE:FREQ=${rule}`
            );
            const shifts = await readCalendar(calendar(given), 'UTC', ms(now));
            expect(shifts.length).toBeGreaterThan(170);
            shifts.slice(1).forEach((shift, index) => expect(shift.start).toBe(shifts[index]!.end));
          }
        ),
        { numRuns: 20 }
      );
    }
  );

  test.each<[string, string, string]>([
    ['no calendar', '<html>Log in</html>', 'It is not an iCalendar file: it has no BEGIN:VCALENDAR.'],
    ...['SECONDLY', 'HOURLY', 'DAILY;BYMI\r\n NUTE=1,2'].map((rule): [string, string, string] => [
      `each ${rule.split(';')[0]}`,
      calendar(event('SUMMARY:a', 'DTSTART:20300326T090000Z', `RRULE:FREQ=${rule}`)),
      'An event recurs more often than daily.',
    ]),
    ...[
      [
        'begins before 1970',
        'DTSTART;TZID=Europe/Berlin:00010101T090000',
        'FREQ=DAILY',
        'since 0001; allowed is 1970 or later',
      ],
      [
        'begins on a day before 1970',
        'DTSTART;VALUE=DATE:19690131',
        'FREQ=MONTHLY',
        'since 1969; allowed is 1970 or later',
      ],
      ['has too many events', 'DTSTART:20300326T090000Z', 'FREQ=WEEKLY;COUNT=10001', '10001 times; allowed are 10000'],
    ].map(([name, start, rule, found]): [string, string, string] => [
      `a recurrence that ${name}`,
      calendar(event('SUMMARY:a', start!, 'DURATION:PT1H', `RRULE:${rule}`)),
      `An event recurs ${found}.`,
    ]),
    [
      'an unknown time zone',
      calendar(event('SUMMARY:a', 'DTSTART;TZID=Mars/X:20300326T090000', 'DTEND;TZID=Mars/X:20300326T100000')),
      'An event has an invalid time, time zone or recurrence.',
    ],
    [
      'too many',
      calendar(
        ...Array.from({ length: 30 }, () =>
          event('SUMMARY:a', 'DTSTART:20300301T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY')
        )
      ),
      'It has more than 5000 shifts in the next 180 days.',
    ],
  ])('%s: an error', async (_name, text, message) => {
    await expect(read(text)).rejects.toThrow(new CalendarError(message));
  });
});

describe('people', () => {
  const shift = (title: string, attendees?: string[]) => ({
    ...{ start: 0, end: HOUR, level: 0, names: title.split(',') },
    ...(attendees && { attendees }),
  });

  test('by login and other names, in any case; attendees where the title names nobody; others are found', () => {
    const given = [
      shift('ADA'),
      shift('@bob,Ada Lovelace'),
      shift('On call', ['x@example.org', 'Ada@example.org']),
      shift('cleo,bob'),
      shift('dora'),
    ];
    expect(namedShifts(given, PEOPLE)).toEqual({
      shifts: [['ada'], ['bob', 'ada'], ['ada'], ['bob'], []].map((people) => ({
        start: 0,
        end: HOUR,
        level: 0,
        people,
      })),
      unknown: ['cleo', 'dora'],
    });
  });

  test('names of a shift, and those of nobody, are bounded', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `n${index}`);
    const [first] = await readCalendar(
      `\uFEFF${calendar(event(`SUMMARY:${many.join(',')},n1`, 'DTSTART:20300326T000000Z', 'DTEND:20300326T080000Z'))}`,
      'UTC',
      ms('2030-03-20T00:00Z')
    );
    expect(first!.names).toEqual(many.slice(0, 20));
    expect(namedShifts([shift(many.join())], PEOPLE).unknown).toEqual(many.slice(0, 100));
    expect(namedShifts([shift('ada,Ada Lovelace')], PEOPLE).shifts[0]!.people).toEqual(['ada']);
  });

  test('the highest level with people counts, as in Grafana OnCall; overrides replace all', async () => {
    const hours = (from: string, to: string) => [`DTSTART:20300326T${from}00Z`, `DTEND:20300326T${to}00Z`];
    const text = calendar(
      event('SUMMARY:[L1] ada', ...hours('0000', '0800')),
      event('SUMMARY:[L2] bob', ...hours('0200', '0400')),
      event('SUMMARY:[L3] nobody', ...hours('0100', '0700'))
    );
    const { shifts } = namedShifts(await readCalendar(text, 'UTC', ms('2030-03-26T00:00Z')), PEOPLE);
    const override = { person: 'cleo', from: '2030-03-26T06:00', to: '2030-03-26T07:00' };
    const schedule = { ...onCallScheduleSchema.parse({ name: 's', ics: 'a.ics', overrides: [override] }), shifts };
    const hoursOf = shiftsBetween(schedule, ms('2030-03-26T00:00Z'), ms('2030-03-26T10:00Z')).map(
      ({ start, people }) => `${new Date(start).getUTCHours()} ${people.join()}`
    );
    expect(hoursOf).toEqual(['0 ada', '2 bob', '4 ada', '6 cleo', '7 ada', '8 ']);
  });
});

test('a calendar that the bridge writes has the same shifts when it is read; lines are at most 75 bytes', async () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .map((text) => text.replaceAll(/[/,;@[\p{C}\s]/gu, 'é') || 'é');
  const shifts = fc
    .array(fc.record({ hours: fc.integer({ min: 1, max: 200 }), people: fc.uniqueArray(name, { maxLength: 2 }) }), {
      maxLength: 15,
    })
    .map((list) => {
      let start = ms('2030-03-20T00:00Z');
      return list.map(({ hours, people }): Shift => ({ start, end: (start += hours * HOUR), people }));
    });
  await fc.assert(
    fc.asyncProperty(shifts, async (given) => {
      const text = complete(calendarText('data, base', given, 0));
      expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
      const people = [...new Set(given.flatMap((one) => one.people))].map((login) => ({ login, channels: ['x'] }));
      const again = namedShifts(await readCalendar(text, 'UTC', ms('2030-03-20T00:00Z')), people);
      expect(again.unknown).toEqual([]);
      const schedule = { name: 's', rotations: [], shifts: again.shifts };
      given.forEach((one) =>
        expect(onCallAt(schedule, one.start).toSorted()).toEqual(one.people.map((login) => login).toSorted())
      );
    }),
    { numRuns: 100 }
  );
});

test('texts are escaped; long lines are folded between characters', () => {
  const text = complete(calendarText('a,b;c', [{ start: 0, end: HOUR, people: ['ada', 'é'.repeat(90)] }], HOUR));
  expect(text).toContain(String.raw`DESCRIPTION:On call: a\,b\;c`);
  const folded = [`SUMMARY:${'é'.repeat(33)}`, ` ${'é'.repeat(37)}`, ` ${'é'.repeat(20)}`].join('\r\n');
  expect(text).toContain(`\r\n${folded}\r\n`);
  expect(text).toContain('DTSTART:19700101T000000Z\r\nDTEND:19700101T010000Z\r\nSUMMARY:ada\r\n');
});
