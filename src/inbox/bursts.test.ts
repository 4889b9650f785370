import type { Notification } from '@nodebell/contract/notification.ts';
import { describe, expect, it } from 'vitest';
import { asBurstRow, burstOf } from '../components/bursts';
import { belongs, isUnread, partFor } from './filter';
import { arrive, firstLoad, letIn, type Loaded, reload, seenElsewhere } from './loaded';
import { allRows, insertArrival, keyOf, markRow, nextPage, noRows, shownRows } from './rows';
import { flatten } from './flat';
import { aGroup, aNotification, timeOf } from './inbox.testing';
import { collapses, EMPTY_VIEW, readView, writeView } from './view';

const PARTS = ['open', 'unread', 'history'] as const;
const burst = { id: 5, name: 'HighCPU' };
const alert = (id: number, given: Partial<Parameters<typeof aNotification>[0]> = {}) =>
  aNotification({ id, ...given, thread: { state: 'open', openedAt: timeOf(id), burst, ...given.thread } });
const figures = { ...burst, count: 20, open: 19, unread: 20, priority: 'low' as const };
const row = (id: number, more: Partial<typeof figures> = {}) =>
  alert(id, { thread: { burst: { ...figures, ...more } } });
const listed = (...given: Notification[]): Loaded =>
  firstLoad(given.reduce(insertArrival, { ...noRows(PARTS, true), floors: { open: 0, unread: 0, history: 0 } }));

describe('a storm', () => {
  it('updates the one row, and is one pending row', () => {
    let loaded = listed(row(20), aNotification({ id: 3 }));
    for (let id = 21; id <= 1020; id += 1) {
      loaded = arrive(loaded, alert(id, { priority: id === 500 ? 'critical' : 'low' }), true, true);
    }
    expect(loaded.waiting).toHaveLength(1);
    expect(allRows(loaded.rows)).toHaveLength(2);
    const shown = allRows(letIn(loaded).rows);
    expect(shown).toHaveLength(2);
    expect(shown.find(burstOf)).toMatchObject({ id: 1020 });
    expect(burstOf(shown.find(burstOf)!)).toEqual({
      ...burst,
      count: 1020,
      open: 1019,
      unread: 1020,
      priority: 'critical',
    });
  });

  it('that begins while the list is shown is one row, and replaces the single rows with the next load', () => {
    const singles = [1, 2, 3].map((id) => alert(id, { thread: { burst: undefined } }));
    const loaded = arrive(listed(...singles), alert(4), true, true);
    expect(loaded.waiting.map((each) => burstOf(each)?.count)).toEqual([1]);
    const after = reload(loaded, listed(row(4, { count: 4 })).rows, 3);
    expect(allRows(after.rows)).toEqual([]);
    expect(allRows(letIn(after).rows).map((each) => burstOf(each)?.count)).toEqual([4]);
  });

  it('a resolve is one open less', () => {
    const resolved = alert(21, {
      status: 'resolved',
      thread: { state: 'resolved', count: 2, unseen: 2, closedAt: timeOf(21) },
    });
    expect(burstOf(asBurstRow(resolved, row(20)))).toMatchObject({ count: 20, open: 18, unread: 20 });
  });

  it('adds rows as ever in the view of the burst', () => {
    const loaded = arrive(listed(alert(20)), alert(21), true, false);
    expect(allRows(letIn(loaded).rows).map(({ id }) => id)).toEqual([21, 20]);
  });
});

describe('the row of a burst', () => {
  it('has a key of its own, as its threads have', () => {
    expect(keyOf(row(20), true)).toBe(keyOf(row(21), true));
    expect(keyOf(row(20), true)).not.toBe(keyOf(alert(20), true));
  });

  it.each([
    [{}, 'open'],
    [{ open: 0 }, 'unread'],
    [{ open: 0, unread: 0 }, 'history'],
  ])('with %o is in the part %s', (given, part) => {
    expect(partFor(row(20, given))).toBe(part);
  });

  it('is read and unread as a whole, and only with its threads', () => {
    expect(isUnread(row(20), true)).toBe(true);
    expect(burstOf(markRow(row(20), true))?.unread).toBe(0);
    const loaded = listed(row(20));
    expect(seenElsewhere(loaded, [20], true).rows).toEqual(loaded.rows);
  });

  it('counts with all its threads, so that a group is complete', () => {
    const { rows } = listed(row(20), aNotification({ id: 3 }));
    const group = aGroup({ count: 21, open: 19, unseen: 21 });
    expect(nextPage(rows, group)).toBeUndefined();
    expect(shownRows(rows, group)).toHaveLength(2);
    const items = flatten({
      groups: [group],
      rows,
      folded: new Set(),
      wanted: new Map([['hardware', 1]]),
      exact: true,
    });
    expect(items.at(-1)).toMatchObject({ type: 'more', left: 1 });
  });
});

describe('the view of a burst', () => {
  const view = { ...EMPTY_VIEW, burst: 5 };

  it('is in the URL, and lists each thread', () => {
    expect(readView(writeView(view))).toEqual(view);
    expect([collapses(EMPTY_VIEW), collapses(view), collapses({ ...EMPTY_VIEW, q: 'disk' })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('has only its threads', () => {
    const asIs = (range: { from: string; to: string }) => range;
    expect(belongs(alert(1), view, asIs)).toBe(true);
    expect(belongs(aNotification({ id: 1 }), view, asIs)).toBe(false);
  });
});
