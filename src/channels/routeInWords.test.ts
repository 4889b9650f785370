import type { Route } from '@nodebell/contract/channel.ts';
import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../i18n/locale';
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
  [{ nodes: ['-', 'attic'] }, 'All notifications on this node and attic, day and night'],
  [{ digest: 'daily 08:00' }, 'All notifications, as a digest: daily 08:00'],
  [{ unacknowledged: '10m' }, 'All notifications, if nobody acknowledges within 10m, day and night'],
])('%j', (route, words) => {
  expect(routeInWords(route)).toBe(words);
});

test('a channel with quiet hours is not reached at night', () => {
  expect(routeInWords({ priority: 'critical' }, true)).toBe('Critical, except in quiet hours');
});

test('lists follow the language', () => {
  setLanguage('de-DE');
  expect(routeInWords({ categories: ['a', 'b', 'c'] })).toContain('a, b und c');
});
