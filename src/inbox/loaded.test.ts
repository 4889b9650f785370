import { describe, expect, it } from 'vitest';
import {
  arrive,
  deletedElsewhere,
  firstLoad,
  letIn,
  readElsewhere,
  reload,
  seenElsewhere,
  type Loaded,
} from './loaded';
import { addFirstPage, allRows, noRows, shownRows } from './rows';
import { aGroup, aNotification } from './inbox.testing';

const PARTS = ['open', 'unread', 'history'] as const;
const group = aGroup({ count: 100, open: 10, unseen: 10 });
const load = (...ids: number[]) =>
  PARTS.reduce(
    (rows, part) => addFirstPage(rows, part, part === 'unread' ? ids.map((id) => aNotification({ id })) : [], 50),
    noRows(PARTS, true)
  );
const start = (): Loaded => firstLoad(load(5, 4));
const shown = ({ rows }: Loaded) => shownRows(rows, group).map(({ id }) => id);
const waiting = (loaded: Loaded) => loaded.waiting.map(({ id }) => id);

describe('arrivals', () => {
  it('are pending, newest first, and move no rows', () => {
    const loaded = arrive(arrive(start(), aNotification({ id: 6 }), true), aNotification({ id: 7 }), true);
    expect([shown(loaded), waiting(loaded)]).toEqual([
      [5, 4],
      [7, 6],
    ]);
  });

  it('are inserted in order, and the groups may be sorted again', () => {
    const loaded = letIn(arrive(arrive(start(), aNotification({ id: 6 }), true), aNotification({ id: 7 }), true));
    expect([shown(loaded), waiting(loaded), loaded.epoch]).toEqual([[7, 6, 5, 4], [], 1]);
  });

  it('count once per thread', () => {
    const again = (id: number) => aNotification({ id, correlationId: 'a' });
    expect(waiting(arrive(arrive(start(), again(6), true), again(7), true))).toEqual([7]);
    expect(waiting(arrive(arrive(start(), again(7), true), again(6), true))).toEqual([7]);
  });

  it('are ignored if already loaded', () => {
    const loaded = start();
    expect(arrive(loaded, aNotification({ id: 5 }), true)).toBe(loaded);
  });

  it('that do not match the view only update their thread', () => {
    const old = firstLoad(addFirstPage(load(), 'unread', [aNotification({ id: 5, correlationId: 'a' })], 50));
    const loaded = arrive(old, aNotification({ id: 6, correlationId: 'a', thread: { count: 2 } }), false);
    expect(waiting(loaded)).toEqual([]);
    expect(allRows(loaded.rows)[0]?.thread.count).toBe(2);
  });
});

describe('loading again', () => {
  it('keeps new rows pending', () => {
    const loaded = reload(start(), load(7, 6, 5, 4), 100);
    expect([shown(loaded), waiting(loaded)]).toEqual([
      [5, 4],
      [7, 6],
    ]);
  });

  it('shows restored rows at once: they are not new', () => {
    const loaded = reload(deletedElsewhere(start(), [4]), load(5, 4), 100);
    expect([shown(loaded), waiting(loaded)]).toEqual([[5, 4], []]);
  });

  it('discards pending arrivals that were deleted', () => {
    expect(waiting(reload(arrive(start(), aNotification({ id: 6 }), true), load(5, 4), 100))).toEqual([]);
  });

  it('keeps arrivals received during the request', () => {
    const late = arrive(arrive(start(), aNotification({ id: 6 }), true), aNotification({ id: 7 }), true);
    expect(waiting(reload(late, load(5, 4), 5))).toEqual([7, 6]);
    expect(shown(reload(letIn(late), load(5, 4), 5))).toEqual([7, 6, 5, 4]);
  });

  it('keeps pending arrivals, without duplicates', () => {
    const loaded = reload(arrive(start(), aNotification({ id: 6 }), true), load(6, 5, 4), 100);
    expect([shown(loaded), waiting(loaded)]).toEqual([[5, 4], [6]]);
  });
});

describe('changes by others', () => {
  it('marks rows in place', () => {
    const loaded = seenElsewhere(start(), [5], true);
    expect(allRows(loaded.rows).map(({ seen }) => seen)).toEqual([true, false]);
  });

  it('keeps notifications unread that the user has not read', () => {
    const own = aNotification({ id: 6, read: false, thread: { unread: 1 } });
    const mine = arrive(start(), own, true);
    const [seen] = seenElsewhere(mine, [6], true).waiting;
    expect(seen).toEqual({ ...own, seen: true });
    const [read] = readElsewhere(mine, [6], true).waiting;
    expect(read).toMatchObject({ seen: true, read: true, thread: { unread: 0 } });
    expect(readElsewhere(letIn(mine), [6], true).rows.segments).not.toEqual(letIn(mine).rows.segments);
  });

  it('marks muted notifications, which have one shared state', () => {
    const muted = aNotification({ id: 6, muted: true, read: false });
    expect(seenElsewhere(arrive(start(), muted, true), [6], true).waiting[0]).toMatchObject({ seen: true, read: true });
  });

  it('deletes rows and pending arrivals', () => {
    const loaded = deletedElsewhere(arrive(start(), aNotification({ id: 6 }), true), [6, 5]);
    expect([shown(loaded), waiting(loaded)]).toEqual([[4], []]);
  });
});
