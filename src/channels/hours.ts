/** Quiet hours and schedules as forms and in words. Pure. */
import type { Route } from '@nodebell/contract/channel.ts';
import { WEEKDAYS } from '@nodebell/contract/digest.ts';
import { type Passing, type QuietHours, weekdaysOf } from '@nodebell/contract/hours.ts';
import { DAY_MS } from '@nodebell/contract/time.ts';
import { locale } from '../i18n/locale';
import { t } from '../i18n/t';

/** 1 is Monday. */
export const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

export interface HoursDraft {
  /** On which they begin, ascending. */
  days: readonly number[];
  from: string;
  /** 00:00 is the end of a day. */
  to: string;
  zone: string;
}

export interface QuietDraft {
  hours: readonly HoursDraft[];
  passing: Passing;
}

/** @param zone of the user */
export const newHours = (zone: string): HoursDraft => ({ days: DAYS, from: '22:00', to: '07:00', zone });

export const hoursDraftOf = ({ days = ['mon-sun'], from, to, zone = 'UTC' }: QuietHours): HoursDraft => {
  const chosen = new Set(days.flatMap(weekdaysOf));
  return { days: DAYS.filter((day) => chosen.has(day)), from, to: to === '24:00' ? '00:00' : to, zone };
};

/** Not validated. */
export const hoursOfDraft = ({ days, from, to, zone }: HoursDraft): QuietHours => ({
  ...(days.length < DAYS.length && {
    days: runsOf(days).map(([first, last]) => (first === last ? nameOf(first) : `${nameOf(first)}-${nameOf(last)}`)),
  }),
  from,
  to: from === '00:00' && to === '00:00' ? '24:00' : to,
  ...(zone !== 'UTC' && { zone }),
});

const nameOf = (day: number): string => WEEKDAYS[day - 1]!;

/** First and last of consecutive days, also across the end of the week; none for a whole week. */
function runsOf(days: readonly number[]): Array<[number, number]> {
  const after = (day: number): number => (day % 7) + 1;
  const starts = days.filter((day) => !days.some((one) => after(one) === day));
  return starts.map((first) => {
    let last = first;
    while (days.includes(after(last))) {
      last = after(last);
    }
    return [first, last];
  });
}

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** "Mon" or "Monday". */
export const dayLabel = (day: number, length: 'short' | 'long' = 'short'): string =>
  new Intl.DateTimeFormat(locale(), { weekday: length, timeZone: 'UTC' }).format(MONDAY + (day - 1) * DAY_MS);

/** "Mon–Fri 22:00–07:00 (Europe/Berlin)". */
export function hoursInWords(hours: QuietHours): string {
  const { days, from, zone } = hoursDraftOf(hours);
  const named = runsOf(days).map(([first, last]) =>
    first === last ? dayLabel(first) : `${dayLabel(first)}–${dayLabel(last)}`
  );
  return [named.join(', '), `${from}–${hours.to}`, `(${zone})`].filter((part) => part !== '').join(' ');
}

/** When what matches a route is sent. */
export const WHEN = ['at-once', 'unacknowledged', 'hourly', 'daily', 'weekly'] as const;
export interface When {
  when: (typeof WHEN)[number];
  /** Delay of an escalation. */
  after: string;
  day: number;
  time: string;
  zone: string;
}

type Waiting = Pick<Route, 'digest' | 'unacknowledged'>;

export function readWhen({ digest, unacknowledged }: Waiting): When {
  const [every = '', ...rest] = (digest ?? '').split(' ');
  const [day = 'mon', time = '', zone = 'UTC'] = every === 'weekly' ? rest : ['mon', ...rest];
  const known = WHEN.find((one) => one === every);
  return {
    when: known ?? (unacknowledged === undefined ? 'at-once' : 'unacknowledged'),
    after: unacknowledged ?? '',
    day: WEEKDAYS.findIndex((one) => one === day) + 1,
    time,
    zone,
  };
}

/** Not validated. */
export function writeWhen({ when, after, day, time, zone }: When): Waiting {
  const at = `${time}${zone === 'UTC' ? '' : ` ${zone}`}`;
  switch (when) {
    case 'at-once':
      return {};
    case 'unacknowledged':
      return { unacknowledged: after };
    case 'hourly':
      return { digest: when };
    case 'daily':
      return { digest: `daily ${at}` };
    case 'weekly':
      return { digest: `weekly ${nameOf(day)} ${at}` };
  }
}

/** "as a digest, daily at 08:00 (Europe/Berlin)". */
export function digestInWords(digest: string): string {
  const { when, day, time, zone } = readWhen({ digest });
  const values = { time, zone, day: dayLabel(day, 'long') };
  switch (when) {
    case 'daily':
      return t('channels.words.daily', 'as a digest, daily at {{time}} ({{zone}})', values);
    case 'weekly':
      return t('channels.words.weekly', 'as a digest, on {{day}} at {{time}} ({{zone}})', values);
    default:
      return t('channels.words.hourly', 'as a digest, hourly');
  }
}
