import type { Route } from '@nodebell/contract/channel.ts';
import type { Passing, QuietHours } from '@nodebell/contract/hours.ts';
import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../i18n/locale';
import { hoursInWords } from './hours';
import { routeInWords } from './routeInWords';

afterEach(() => setLanguage('en-US'));

test.each<[Partial<Route>, string]>([
  [{}, 'All notifications, day and night'],
  [{ priority: 'low' }, 'All notifications, day and night'],
  [{ priority: 'critical' }, 'Critical, day and night'],
  [{ priority: 'high', categories: ['hardware'] }, 'Critical and important of hardware, day and night'],
  [{ priority: 'medium' }, 'Critical, important and relevant, day and night'],
  [
    { categories: ['a', 'b'], packages: ['geth.dnp.dappnode.eth'] },
    'All notifications of a and b from geth, day and night',
  ],
  [{ categories: ['a', 'b', 'c', 'd'] }, 'All notifications of a, b, c and d, day and night'],
  [{ categories: ['a', 'b', 'c', 'd', 'e'] }, 'All notifications of a, b, c and 2 more, day and night'],
  [{ statuses: ['triggered'] }, 'All notifications when they fire, day and night'],
  [{ statuses: ['resolved'], priority: 'critical' }, 'Critical when they resolve, day and night'],
  [{ statuses: ['triggered', 'resolved'] }, 'All notifications, day and night'],
  [{ nodes: ['cellar', 'attic'] }, 'All notifications on cellar and attic, day and night'],
  [{ persons: ['anna', 'ben'] }, 'All notifications to the devices of anna and ben, day and night'],
  [{ digest: 'hourly' }, 'All notifications, as a digest, hourly'],
  [{ digest: 'daily 08:00' }, 'All notifications, as a digest, daily at 08:00 (UTC)'],
  [
    { digest: 'weekly fri 18:30 Europe/Berlin', dropResolved: true },
    'All notifications, as a digest, on Friday at 18:30 (Europe/Berlin), except alerts already resolved',
  ],
  [{ unacknowledged: '10m' }, 'All notifications, if nobody acknowledges within 10 min, day and night'],
  [
    {
      onCall: 'db',
      escalation: [
        { after: '0m', channels: ['hook'] },
        { after: '2h', onCall: 'all', people: ['bob'] },
      ],
    },
    'All notifications, day and night, to whoever is on call in db, to hook, after 2 h to whoever is on call in all and bob',
  ],
  // While it is typed.
  [{ unacknowledged: '10x' }, 'All notifications, if nobody acknowledges within 10x, day and night'],
])('%j', (route, words) => {
  expect(routeInWords(route)).toBe(words);
});

const NIGHT: QuietHours[] = [{ from: '22:00', to: '07:00' }];
const NOON: QuietHours[] = [{ from: '12:00', to: '13:00' }];

test.each<[Partial<Route>, QuietHours[], Passing | undefined, string]>([
  [{ priority: 'critical' }, NIGHT, undefined, 'Critical, day and night'],
  [{ priority: 'high' }, NIGHT, undefined, 'Critical and important, at night only critical'],
  [{}, NIGHT, 'medium', 'All notifications, at night only critical, important and relevant'],
  [{ priority: 'critical' }, NIGHT, 'none', 'Critical, except in quiet hours'],
  [{}, NOON, undefined, 'All notifications, in quiet hours only critical'],
  [
    { unacknowledged: '2h' },
    NIGHT,
    undefined,
    'All notifications, if nobody acknowledges within 2 h, at night only critical',
  ],
])('%j to a channel with quiet hours', (route, quietHours, passing, words) => {
  expect(routeInWords(route, { quietHours, passing })).toBe(words);
});

test('of channels that differ, none is described', () => {
  expect(routeInWords({}, { quietHours: NIGHT }, {})).toBe(
    'All notifications, day and night, except in the quiet hours of a channel'
  );
  expect(routeInWords({ priority: 'critical' }, { quietHours: NIGHT }, {})).toBe('Critical, day and night');
});

test.each<[QuietHours, string]>([
  [{ from: '22:00', to: '07:00' }, '22:00–07:00 (UTC)'],
  [{ days: ['sun-thu'], from: '22:00', to: '24:00', zone: 'Europe/Berlin' }, 'Sun–Thu 22:00–24:00 (Europe/Berlin)'],
  [{ days: ['mon', 'wed', 'tue'], from: '00:00', to: '24:00' }, 'Mon–Wed 00:00–24:00 (UTC)'],
  [{ days: ['mon', 'sat'], from: '00:00', to: '01:00' }, 'Mon, Sat 00:00–01:00 (UTC)'],
])('%j', (hours, words) => {
  expect(hoursInWords(hours)).toBe(words);
});

test('lists follow the language', () => {
  setLanguage('de-DE');
  expect(routeInWords({ categories: ['a', 'b', 'c'] })).toContain('a, b und c');
  expect(hoursInWords({ days: ['mon-wed'], from: '22:00', to: '07:00' })).toBe('Mo–Mi 22:00–07:00 (UTC)');
});
