import { act, renderHook } from '@testing-library/react';
import { createRef } from 'react';
import { expect, it, vi } from 'vitest';
import { fireEvent } from '../component.testing';
import type { Item } from './flat';
import { aGroup, aNotification } from './inbox.testing';
import { type RowItem, shortcuts, useKeys } from './useKeys';
import { useSelection } from './useSelection';

const NOTIFICATIONS = [1, 2, 3].map((id) => aNotification({ id }));
const ROWS = NOTIFICATIONS.map((notification, index): RowItem => ({
  ...{ type: 'row', key: String(notification.id), group: aGroup(), position: index + 1 },
  notification,
}));

const header = (value: string): Item => ({
  ...{ type: 'header', key: `header:${value}`, group: aGroup({ value }), folded: false },
});

interface Page {
  covered?: boolean;
  openKey?: string;
  items?: Item[];
  focused?: string;
}

function setup({ covered = false, openKey, items = ROWS, focused }: Page = {}) {
  const onAction = vi.fn();
  const others = { onOpen: vi.fn(), onClose: vi.fn(), onRespond: vi.fn(), onUndo: vi.fn(), onShowNew: vi.fn() };
  const focus = { key: focused, setKey: vi.fn(), request: undefined, moveTo: vi.fn() };
  const { result } = renderHook(() => {
    const selection = useSelection(NOTIFICATIONS, false, 500, 'all');
    useKeys({
      ...{ onAction, ...others, focus, selection, covered, openKey },
      ...{ items, searchRef: createRef<HTMLInputElement>(), disabled: false, onHelp: vi.fn() },
    });
    return selection;
  });
  return { onAction, moveTo: focus.moveTo, selection: () => result.current };
}
const press = (key: string) => fireEvent.keyDown(document.body, { key });

it('keys apply to the selected rows, however many are loaded', () => {
  const { selection, onAction } = setup();
  act(() => selection().selectAll());
  expect(selection().count).toBe(500);
  ['e', 'a', '#'].forEach(press);
  expect(onAction.mock.calls).toEqual([
    ['read', undefined],
    ['acknowledge', undefined],
    ['delete', undefined],
  ]);
});

it('where the detail covers the list, keys apply to what it shows, whatever is selected', () => {
  const { selection, onAction } = setup({ covered: true, openKey: '2' });
  act(() => selection().selectAll());
  press('#');
  expect(onAction.mock.calls).toEqual([['delete', ROWS[1]]]);
});

it('a selection ends with its list', () => {
  const { result, rerender } = renderHook(({ view }) => useSelection(NOTIFICATIONS, false, 3, view), {
    initialProps: { view: 'all' },
  });
  act(() => result.current.selectAll());
  expect(result.current).toMatchObject({ active: true, all: true });
  rerender({ view: 'hardware' });
  expect(result.current).toMatchObject({ active: false, all: false, count: 0 });
  act(() => result.current.toggle(NOTIFICATIONS[0]!));
  rerender({ view: 'hardware' });
  expect(result.current.chosen).toEqual([NOTIFICATIONS[0]]);
});

it('each action has a key of its own', () => {
  const keys = shortcuts().map((one) => one.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(expect.arrayContaining(['e', 'u', 'a', '#']));
});

it.each([
  ['header:a', 'j', '1'],
  ['header:b', 'j', '2'],
  ['header:b', 'k', '1'],
  ['2', 'j', '3'],
  ['2', 'k', '1'],
  [undefined, 'j', '1'],
  [undefined, 'k', '1'],
])('with the focus on %s, %s goes to row %s', (focused, key, expected) => {
  const items = [header('a'), ROWS[0]!, header('b'), ROWS[1]!, ROWS[2]!];
  const { moveTo } = setup({ items, ...(focused !== undefined && { focused }) });
  press(key);
  expect(moveTo).toHaveBeenCalledExactlyOnceWith(expected);
});

it('k on the first header stays there', () => {
  const { moveTo } = setup({ items: [header('a'), ...ROWS], focused: 'header:a' });
  press('k');
  expect(moveTo).not.toHaveBeenCalled();
});
