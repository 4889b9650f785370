import { describe, expect, it } from 'vitest';
import { searchOf } from '@nodebell/contract/operation.ts';
import { belongs, counterFilter, needsReload, partFilter, partsOf, wholeFilter, topBanners } from './filter';
import { aNotification, timeOf } from './inbox.testing';
import { EMPTY_VIEW, type View } from './view';

const same = (range: { from: string; to: string }) => range;
const view = (given: Partial<View>): View => ({ ...EMPTY_VIEW, ...given });
const queryOf = (given: Partial<View>) => searchOf({ ...wholeFilter(view(given), same) });

describe('the filters of a view', () => {
  it.each<[Partial<View>, string]>([
    [{}, '?latest=true'],
    [{ tab: 'unread' }, '?read=false&latest=true'],
    [{ tab: 'open' }, '?open=true&latest=true'],
    [{ tab: 'muted' }, '?muted=true'],
    [{ tab: 'errors' }, '?errors=only&muted=all'],
    [{ q: 'disk' }, '?q=disk'],
    [{ read: 'read' }, '?read=true&latest=true'],
    [{ tab: 'unread', read: 'read' }, '?read=false&latest=true'],
    [{ categories: ['a', 'b'], range: { from: 'x', to: '' } }, '?from=x&category=a&category=b&latest=true'],
  ])('%o', (given, expected) => {
    expect(queryOf(given)).toBe(expected);
  });

  it('by part: open, then unread, then history', () => {
    const whole = wholeFilter(EMPTY_VIEW, same);
    expect(partsOf(EMPTY_VIEW).map((part) => searchOf({ ...partFilter(whole, part) }))).toEqual([
      '?latest=true&open=true',
      '?read=false&latest=true&open=false',
      '?read=true&latest=true&open=false',
    ]);
    expect(partsOf(view({ tab: 'unread' }))).toEqual(['open', 'unread']);
    expect(partsOf(view({ q: 'disk' }))).toEqual(['any']);
  });

  it('for the tab counters: the filters without the tab', () => {
    expect(searchOf({ ...counterFilter(view({ tab: 'open', categories: ['a'] }), same) })).toBe(
      '?category=a&latest=true'
    );
  });
});

describe('an arrival belongs to the view', () => {
  const fits = (given: Partial<View>, notification = aNotification({ id: 5 })) =>
    belongs(notification, view(given), same);

  it('unless it is muted or reports an error, which have their own tabs', () => {
    const muted = aNotification({ id: 5, muted: true });
    const failed = aNotification({ id: 5, errors: 'no such host' });
    expect([fits({}), fits({}, muted), fits({}, failed)]).toEqual([true, false, false]);
    expect([fits({ tab: 'muted' }, muted), fits({ tab: 'errors' }, failed), fits({ tab: 'errors' })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('by its labels; regular expressions are left to the bridge', () => {
    const labelled = aNotification({ id: 5, labels: { instance: 'zanzibar', team: 'a' } });
    expect(['team="a"', 'team="b"', 'team=~"a"'].map((matchers) => fits({ matchers }, labelled))).toEqual([
      ...[true, false, false],
    ]);
    expect([fits({ matchers: 'team="a"' }), fits({ q: 'zanzi' }, labelled)]).toEqual([false, true]);
    expect(['team="a"', 'team=~"a"'].map((matchers) => needsReload(labelled, view({ matchers })))).toEqual([
      false,
      true,
    ]);
    expect(queryOf({ matchers: 'team="a"' })).toBe('?matchers=team%3D%22a%22&latest=true');
  });

  it('when it matches every filter', () => {
    expect(fits({ categories: ['hardware'], priorities: ['low'], statuses: ['triggered'] })).toBe(true);
    expect(fits({ categories: ['other'] })).toBe(false);
    expect(fits({ packages: ['x'] })).toBe(false);
    expect(fits({ priorities: ['critical'] })).toBe(false);
    expect(fits({ read: 'read' })).toBe(false);
  });

  it('when it is within the range', () => {
    expect(fits({ range: { from: timeOf(5), to: timeOf(6) } })).toBe(true);
    expect(fits({ range: { from: timeOf(6), to: timeOf(7) } })).toBe(false);
    expect(fits({ range: { from: timeOf(1), to: timeOf(5) } })).toBe(false);
  });

  it('of open threads when its thread is open and not stale', () => {
    expect(fits({ tab: 'open' })).toBe(false);
    expect(fits({ tab: 'open' }, aNotification({ id: 5, thread: { state: 'open' } }))).toBe(true);
    expect(fits({ tab: 'open' }, aNotification({ id: 5, thread: { state: 'open', stale: true } }))).toBe(false);
  });

  it('of a search when it contains every word', () => {
    expect([fits({ q: 'TITLE body' }), fits({ q: 'title nowhere' })]).toEqual([true, false]);
  });
});

describe('an arrival with a cut body', () => {
  const cut = aNotification({ id: 5, title: 'Disk', body: 'The beginning', bodyTruncated: true });
  const whole = aNotification({ id: 5, title: 'Disk', body: 'The beginning' });

  it('needs a reload when the truncated text does not match the search', () => {
    expect(needsReload(cut, view({ q: 'ending' }))).toBe(true);
    expect(needsReload(cut, view({ q: 'beginning' }))).toBe(false);
    expect(needsReload(cut, EMPTY_VIEW)).toBe(false);
    expect(needsReload(whole, view({ q: 'ending' }))).toBe(false);
  });
});

it('lists critical banners first, then the newest, without read, resolved or failed ones', () => {
  const banner = { isBanner: true } as const;
  const banners = [
    aNotification({ id: 1, ...banner, priority: 'critical' }),
    aNotification({ id: 2, ...banner }),
    aNotification({ id: 3, ...banner, seen: true, read: false }),
    aNotification({ id: 4, ...banner, seen: true }),
    aNotification({ id: 8, ...banner, read: true }),
    aNotification({ id: 5, ...banner, status: 'resolved' }),
    aNotification({ id: 6, ...banner, errors: 'x' }),
    aNotification({ id: 7 }),
  ];
  expect(topBanners(banners).map(({ id }) => id)).toEqual([1, 3, 2]);
});
