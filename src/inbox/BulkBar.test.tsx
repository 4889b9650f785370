import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen, serveBridge, signIn } from '../component.testing';
import { aNotification } from './testData';
import { BulkBar } from './BulkBar';
import type { Selection } from './useSelection';

function renderBar(
  selected: Partial<Pick<Selection, 'all' | 'count' | 'sample'>>,
  props: Partial<Parameters<typeof BulkBar>[0]> = {}
) {
  const selection = {
    ...{ active: true, all: false, count: 0, sample: aNotification({ id: 1, thread: { unread: 0 } }) },
    ...{ ...selected, selectAll: vi.fn(), clear: vi.fn() },
  };
  const handlers = {
    onMark: vi.fn(),
    onAcknowledge: vi.fn(),
    onSnooze: vi.fn(),
    onAssign: vi.fn(),
    onResolve: vi.fn(),
    onDelete: vi.fn(),
  };
  render(
    <BulkBar
      {...handlers}
      {...{ selection: selection as unknown as Selection, total: 5, exact: true, disabled: false }}
      {...props}
    />
  );
  return { ...handlers, ...selection };
}

const names = () => screen.getAllByRole('button').map((button) => button.textContent || button.ariaLabel);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

it('shows the number of selected rows, and marks, acknowledges, resolves or deletes them', () => {
  const { onMark, onAcknowledge, onResolve, onDelete } = renderBar({ count: 3 });
  expect(screen.getByRole('status').textContent).toBe('3 selected');
  fireEvent.click(button('Mark read'));
  fireEvent.click(button('Mark unread'));
  fireEvent.click(button('Acknowledge'));
  fireEvent.click(button('Resolve'));
  fireEvent.click(button('Delete'));
  expect(onMark.mock.calls).toEqual([[true], [false]]);
  expect([onAcknowledge, onResolve, onDelete].map((handler) => handler.mock.calls.length)).toEqual([1, 1, 1]);
});

it('selects all matching rows, by button and checkbox', () => {
  const { selectAll } = renderBar({ count: 3 });
  fireEvent.click(button('Select all 5 matching'));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  expect(selectAll).toHaveBeenCalledTimes(2);
});

it('gives no number while it is unknown', () => {
  renderBar({ count: 3 }, { exact: false });
  expect(names()).toContain('Select all matching');
});

it('with everything selected it offers to deselect, and not to mark as unread', () => {
  const { clear } = renderBar({ all: true, count: 5 });
  expect(names()).not.toContain('Mark unread');
  expect(screen.queryByText(/^Select all/)).toBeNull();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Deselect all' }));
  expect(clear).toHaveBeenCalledTimes(1);
});

it.each([
  ['nothing is selected', { count: 0 }, {}],
  ['the bridge is down', { count: 3 }, { disabled: true }],
])('disables all actions while %s', (_, selected, props) => {
  renderBar(selected, props);
  expect(['Mark read', 'Mark unread', 'Delete'].map((name) => button(name).disabled)).toEqual([true, true, true]);
});

it('offers only what is permitted', () => {
  renderBar({ count: 3 }, { onMark: undefined, onDelete: undefined });
  expect(names()).not.toContain('Mark read');
  expect(names()).not.toContain('Delete');
});

it('snoozes for oneself or for all, and assigns to a person or to nobody', async () => {
  signIn(['nodebell-notifications-app.inbox:write']);
  const people = [
    { key: 'me', name: 'Me' },
    { key: 'bert', name: 'Bert' },
  ];
  serveBridge(() => ({ people, me: 'me' }));
  const { onSnooze, onAssign } = renderBar({ count: 3 });
  fireEvent.click(button('Snooze'));
  expect(screen.getByRole('menuitem', { name: 'For everyone' })).toBeDefined();
  fireEvent.click(screen.getByRole('menuitem', { name: /^For an hour/ }));
  expect(onSnooze).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/Z$/), 'me');
  for (const name of ['To me', 'Bert', 'Unassign']) {
    fireEvent.click(button('Assign'));
    fireEvent.click(await screen.findByRole('menuitem', { name }));
  }
  expect(onAssign.mock.calls).toEqual([['me'], ['bert'], [null]]);
});

it('ends the snoozes of snoozed rows', () => {
  signIn(['nodebell-notifications-app.inbox:write']);
  const snoozed = { until: '2026-11-22T10:00:00.000Z', for: 'all', by: 'anna' } as const;
  const { onSnooze } = renderBar({ count: 3, sample: aNotification({ id: 1, thread: { snoozed } }) });
  fireEvent.click(button('End snooze'));
  expect(onSnooze).toHaveBeenCalledExactlyOnceWith(null, 'all');
});
