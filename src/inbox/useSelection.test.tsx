import type { Notification } from '@nodebell/contract/notification.ts';
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aNotification } from './inbox.testing';
import { addFirstPage, noRows } from './rows';
import { useSelection } from './useSelection';

const [first, second, third] = [3, 2, 1].map((id) => aNotification({ id })) as [
  Notification,
  Notification,
  Notification,
];

/** @param unfolded rows on the screen */
function setup(unfolded = [first, second, third]) {
  const propsOf = (list: Notification[], rows = list) => ({
    rows,
    loaded: addFirstPage(noRows(['any'], true), 'any', list, 100),
  });
  const { result, rerender } = renderHook(
    ({ rows, loaded }: ReturnType<typeof propsOf>) => useSelection(rows, true, rows.length, 'all', loaded),
    { initialProps: propsOf([first, second, third], unfolded) }
  );
  return {
    selection: () => result.current,
    show: (list: Notification[], rows = list) => rerender(propsOf(list, rows)),
  };
}

it('a row that has left the list is no longer selected', () => {
  const { selection, show } = setup();
  act(() => selection().toggle(first));
  act(() => selection().toggle(second));
  show([second, third]);
  expect([selection().count, selection().chosen, selection().sample]).toEqual([1, [second], second]);
});

it('a row of a folded group stays selected', () => {
  const { selection, show } = setup();
  act(() => selection().toggle(first));
  show([first, second, third], []);
  expect(selection().chosen).toEqual([first]);
});

it('selected rows are as the list has them now', () => {
  const { selection, show } = setup();
  act(() => selection().toggle(first));
  const resolved = { ...first, thread: { ...first.thread, state: 'resolved' as const } };
  show([resolved, second, third]);
  expect(selection().chosen).toEqual([resolved]);
});

it('a selection whose rows have all left the list ends', () => {
  const { selection, show } = setup();
  act(() => selection().toggle(first));
  act(() => selection().toggle(second));
  show([third]);
  expect([selection().active, selection().count]).toEqual([false, 0]);
  show([first, second, third]);
  expect(selection().active).toBe(false);
});

it('a selection without rows yet goes on', () => {
  const { selection, show } = setup();
  act(() => selection().begin());
  show([third]);
  expect(selection().active).toBe(true);
});
