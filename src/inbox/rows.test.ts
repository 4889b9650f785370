import { describe, expect, it } from 'vitest';
import {
  addFirstPage,
  addPage,
  allRows,
  insertArrival,
  keyOf,
  markRow,
  markRows,
  mergeLoad,
  nextPage,
  noRows,
  putBack,
  removeRows,
  shownRows,
  touchThread,
  type Rows,
} from './rows';
import { aGroup, aNotification } from './inbox.testing';

const PARTS = ['open', 'unread', 'history'] as const;
const open = { state: 'open' as const };
const ids = (rows: ReadonlyArray<{ id: number }>) => rows.map(({ id }) => id);
const many = aGroup({ count: 100, open: 10, unseen: 10 });
const keys = (...list: number[]) => new Set(list.map((id) => keyOf(aNotification({ id }), true)));

/** Open 9; unread 8, 7; history 6: all loaded. */
function loaded(): Rows {
  let rows = addFirstPage(noRows(PARTS, true), 'open', [aNotification({ id: 9, thread: open })], 10);
  rows = addFirstPage(rows, 'unread', [aNotification({ id: 8 }), aNotification({ id: 7 })], 10);
  return addFirstPage(rows, 'history', [aNotification({ id: 6, seen: true })], 10);
}

describe('the rows of a group', () => {
  it('are grouped by part: open, unread, history', () => {
    expect(ids(shownRows(loaded(), many))).toEqual([9, 8, 7, 6]);
  });

  it('end at an incomplete part, so that no rows are inserted above later', () => {
    let rows = addFirstPage(noRows(PARTS, true), 'open', [], 10);
    rows = addFirstPage(rows, 'unread', [aNotification({ id: 8 }), aNotification({ id: 7 })], 2);
    rows = addFirstPage(rows, 'history', [aNotification({ id: 6, seen: true })], 10);
    expect(ids(shownRows(rows, many))).toEqual([8, 7]);
    expect(nextPage(rows, many)).toEqual({ part: 'unread', untilId: 6 });
  });

  it('are complete if the counts match, without another request', () => {
    const rows = addFirstPage(noRows(['any'], false), 'any', [aNotification({ id: 8 }), aNotification({ id: 7 })], 2);
    expect(nextPage(rows, aGroup({ count: 3 }))).toEqual({ part: 'any', untilId: 6 });
    expect(nextPage(rows, aGroup({ count: 2 }))).toBeUndefined();
  });

  it('of a category beyond the first page start where that page ended', () => {
    const rows = addFirstPage(noRows(['any'], false), 'any', [aNotification({ id: 8 })], 1);
    expect(nextPage(rows, aGroup({ value: 'far', count: 5 }))).toEqual({ part: 'any', untilId: 7 });
  });

  it('grow by pages, without duplicates', () => {
    const rows = addFirstPage(noRows(['any'], false), 'any', [aNotification({ id: 8 })], 1);
    const more = addPage(rows, 'hardware', 'any', [aNotification({ id: 8 }), aNotification({ id: 5 })], 2);
    expect(ids(shownRows(more, many))).toEqual([8, 5]);
    expect(nextPage(more, many)).toEqual({ part: 'any', untilId: 4 });
    const end = addPage(more, 'hardware', 'any', [], 2);
    expect(nextPage(end, many)).toBeUndefined();
  });

  it('by a label have its value, or none', () => {
    const page = [{ team: 'a' }, undefined, { team: 'constructor' }, { team: 'a' }].map((labels, index) =>
      aNotification({ id: 9 - index, ...(labels && { labels }) })
    );
    const rows = addFirstPage(noRows(['any'], false, 'team'), 'any', page, 10);
    const shown = (value: string) => ids(shownRows(rows, aGroup({ value })));
    expect(['a', '', 'constructor'].map(shown)).toEqual([[9, 6], [8], [7]]);
    const moved = insertArrival(
      { ...rows, threads: true, parts: ['open'] },
      { ...page[0]!, thread: { ...page[0]!.thread, ...open } }
    );
    expect(ids(shownRows(moved, aGroup({ value: 'a' })))).toEqual([9]);
    const other = addFirstPage(noRows(['any'], false, 'constructor'), 'any', page, 10);
    expect(ids(shownRows(other, aGroup({ value: '' })))).toEqual([9, 8, 7, 6]);
  });

  it('of a category named like an object property are kept', () => {
    const rows = addFirstPage(noRows(['any'], false), 'any', [aNotification({ id: 8, category: '__proto__' })], 10);
    expect(ids(shownRows(rows, aGroup({ value: '__proto__' })))).toEqual([8]);
  });
});

describe('an arrival', () => {
  it('replaces the older row of its thread, in the current segment of the thread', () => {
    const before = addFirstPage(loaded(), 'open', [aNotification({ id: 9, correlationId: 'a', thread: open })], 10);
    const resolved = aNotification({
      id: 12,
      correlationId: 'a',
      status: 'resolved',
      thread: { state: 'resolved', count: 2 },
    });
    expect(ids(shownRows(insertArrival(before, resolved), many))).toEqual([12, 8, 7, 6]);
  });

  it('that belongs to no segment removes the old row', () => {
    const only = addFirstPage(
      noRows(['open'], true),
      'open',
      [aNotification({ id: 9, correlationId: 'a', thread: open })],
      10
    );
    const resolved = aNotification({ id: 12, correlationId: 'a', thread: { state: 'resolved' } });
    expect(allRows(insertArrival(only, resolved))).toEqual([]);
  });

  it('that is pending updates its thread in place', () => {
    const before = addFirstPage(loaded(), 'open', [aNotification({ id: 9, correlationId: 'a', thread: open })], 10);
    const touched = touchThread(
      before,
      aNotification({ id: 12, correlationId: 'a', thread: { state: 'resolved', count: 2 } })
    );
    expect(ids(shownRows(touched, many))).toEqual([9, 8, 7, 6]);
    expect(shownRows(touched, many)[0]?.thread).toMatchObject({ state: 'resolved', count: 2 });
  });
});

describe('marking', () => {
  it('moves no rows', () => {
    const marked = markRows(loaded(), keys(7), true);
    expect(ids(shownRows(marked, many))).toEqual([9, 8, 7, 6]);
    expect(shownRows(marked, many).map(({ thread }) => thread.unseen)).toEqual([1, 1, 0, 0]);
  });

  it('unread marks the newest member of a thread', () => {
    expect(shownRows(markRows(loaded(), keys(6), false), many).at(-1)).toMatchObject({
      seen: false,
      thread: { unseen: 1 },
    });
  });

  it('unread changes only the user’s own state, if there is one', () => {
    const own = aNotification({ id: 1, seen: true, read: true, thread: { unread: 0 } });
    expect(markRow(own, false)).toMatchObject({ seen: true, read: false, thread: { unseen: 0, unread: 1 } });
    expect(markRow(markRow(own, false), true)).toEqual(own);
  });

  it('keeps the identity of unchanged rows', () => {
    const before = loaded();
    expect(markRows(before, keys(6), true)).toBe(before);
  });
});

describe('deleting', () => {
  it('and restoring keeps positions and changes made in between', () => {
    const before = loaded();
    const without = removeRows(before, keys(8, 9));
    expect(ids(shownRows(without, many))).toEqual([7, 6]);
    const meanwhile = insertArrival(without, aNotification({ id: 20 }));
    expect(ids(shownRows(putBack(meanwhile, before, keys(8, 9)), many))).toEqual([9, 20, 8, 7, 6]);
  });

  it('restores no row twice', () => {
    const before = loaded();
    expect(ids(shownRows(putBack(before, before, keys(8)), many))).toEqual([9, 8, 7, 6]);
  });
});

describe('loading again', () => {
  const load = (...list: Array<Parameters<typeof aNotification>[0]>) =>
    PARTS.reduce(
      (rows, part) => addFirstPage(rows, part, part === 'history' ? list.map(aNotification) : [], 10),
      noRows(PARTS, true)
    );

  it('updates rows in place and removes deleted ones', () => {
    const { rows, arrivals } = mergeLoad(loaded(), load({ id: 9, title: 'Changed' }, { id: 8, seen: true }, { id: 6 }));
    expect(ids(shownRows(rows, many))).toEqual([9, 8, 6]);
    expect(shownRows(rows, many)[0]?.title).toBe('Changed');
    expect(arrivals).toEqual([]);
  });

  it('keeps rows beyond the loaded range', () => {
    const partly = addFirstPage(load(), 'history', [aNotification({ id: 9 })], 1);
    expect(ids(shownRows(mergeLoad(loaded(), partly).rows, many))).toEqual([9, 8, 7, 6]);
  });

  it('reports new rows, oldest first, without inserting them', () => {
    const { rows, arrivals } = mergeLoad(
      loaded(),
      load({ id: 31 }, { id: 30 }, { id: 9 }, { id: 8 }, { id: 7 }, { id: 6 })
    );
    expect(ids(arrivals)).toEqual([30, 31]);
    expect(ids(shownRows(rows, many))).toEqual([9, 8, 7, 6]);
  });

  it('reports a new member of a thread, whose row is updated in place', () => {
    const before = insertArrival(loaded(), aNotification({ id: 10, correlationId: 'a' }));
    const { rows, arrivals } = mergeLoad(
      before,
      load({ id: 11, correlationId: 'a', thread: { count: 2 } }, { id: 9 }, { id: 8 }, { id: 7 }, { id: 6 })
    );
    expect(ids(arrivals)).toEqual([11]);
    expect(allRows(rows).find(({ id }) => id === 10)?.thread.count).toBe(2);
  });
});
