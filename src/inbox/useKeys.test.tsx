import { act, renderHook } from '@testing-library/react';
import { createRef } from 'react';
import { expect, it, vi } from 'vitest';
import { fireEvent } from '../component.testing';
import { aGroup, aNotification } from './inbox.testing';
import { type RowItem, shortcuts, useKeys } from './useKeys';
import { useSelection } from './useSelection';

const NOTIFICATIONS = [1, 2, 3].map((id) => aNotification({ id }));
const ROWS = NOTIFICATIONS.map((notification, index): RowItem => ({
  ...{ type: 'row', key: String(notification.id), group: aGroup(), position: index + 1 },
  notification,
}));

function setup({ covered = false, openKey }: { covered?: boolean; openKey?: string } = {}) {
  const onAction = vi.fn();
  const others = { onOpen: vi.fn(), onClose: vi.fn(), onRespond: vi.fn(), onUndo: vi.fn(), onShowNew: vi.fn() };
  const focus = { key: undefined, setKey: vi.fn(), request: undefined, moveTo: vi.fn() };
  const { result } = renderHook(() => {
    const selection = useSelection(NOTIFICATIONS, false, 500, 'all');
    useKeys({
      ...{ onAction, ...others, focus, selection, covered, openKey },
      ...{ rows: ROWS, searchRef: createRef<HTMLInputElement>(), disabled: false, onHelp: vi.fn() },
    });
    return selection;
  });
  return { onAction, selection: () => result.current };
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
