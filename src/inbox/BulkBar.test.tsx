import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen, serveBridge, signIn } from '../component.testing';
import { aNotification } from './inbox.testing';
import { ACTION_IDS, type ActionId, threadOf } from './actions';
import { BulkBar } from './BulkBar';
import type { Selection } from './useSelection';

const TARGETS = threadOf(aNotification({ id: 1 }));

/** @param offered the actions that are offered */
function renderBar(
  selected: Partial<Pick<Selection, 'all' | 'count' | 'sample'>>,
  { offered = ACTION_IDS, ...props }: Partial<Parameters<typeof BulkBar>[0]> & { offered?: ActionId[] } = {}
) {
  const selection = {
    ...{ active: true, all: false, count: 0, sample: aNotification({ id: 1, thread: { unread: 0 } }) },
    ...{ ...selected, selectAll: vi.fn(), clear: vi.fn() },
  };
  const run = vi.fn();
  render(
    <BulkBar
      {...{ selection: selection as unknown as Selection, total: 5, exact: true, disabled: false, run }}
      targetsFor={(id) => (offered.includes(id) ? TARGETS : undefined)}
      {...props}
    />
  );
  return { run, ...selection };
}

const names = () => screen.getAllByRole('button').map((button) => button.textContent || button.ariaLabel);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

it('shows the number of selected rows, and marks, acknowledges, resolves or deletes them', () => {
  const { run } = renderBar({ count: 3 });
  expect(screen.getByRole('status').textContent).toBe('3 selected');
  for (const name of ['Mark read', 'Mark unread', 'Acknowledge', 'Resolve', 'Delete']) {
    fireEvent.click(button(name));
  }
  const ids = ['read', 'unread', 'acknowledge', 'resolve', 'delete'];
  expect(run.mock.calls).toEqual(ids.map((id) => [id, TARGETS]));
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

it('with everything selected it offers to deselect', () => {
  const { clear } = renderBar({ all: true, count: 5 });
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

it('offers only what can be done', () => {
  renderBar({ count: 3 }, { offered: ['acknowledge'] });
  expect(names()).toContain('Acknowledge');
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
  const { run } = renderBar({ count: 3 });
  fireEvent.click(button('Snooze'));
  expect(screen.getByRole('menuitem', { name: 'For everyone' })).toBeDefined();
  fireEvent.click(screen.getByRole('menuitem', { name: /^For an hour/ }));
  const until: unknown = expect.stringMatching(/Z$/);
  expect(run).toHaveBeenCalledExactlyOnceWith('snooze', TARGETS, { until, whose: 'me' });
  for (const name of ['To me', 'Bert', 'Unassign']) {
    fireEvent.click(button('Assign'));
    fireEvent.click(await screen.findByRole('menuitem', { name }));
  }
  expect(run.mock.calls.slice(1)).toEqual(['me', 'bert', null].map((person) => ['assign', TARGETS, person]));
});

it('ends the snoozes of snoozed rows', () => {
  signIn(['nodebell-notifications-app.inbox:write']);
  const snoozed = { until: '2026-11-22T10:00:00.000Z', for: 'all', by: 'anna' } as const;
  const { run } = renderBar({ count: 3, sample: aNotification({ id: 1, thread: { snoozed } }) });
  fireEvent.click(button('End snooze'));
  expect(run).toHaveBeenCalledExactlyOnceWith('snooze', TARGETS, { until: null, whose: 'all' });
});
