import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, signIn } from '../component.testing';
import { EmptyInbox } from './states';
import { EMPTY_VIEW, type View } from './view';

beforeEach(() => signIn([]));

function renderState(view: Partial<View>, firstRun = false) {
  const setView = vi.fn();
  render(<EmptyInbox {...{ bridgeUrl: 'http://bridge:8080', firstRun, setView }} view={{ ...EMPTY_VIEW, ...view }} />);
  return { setView };
}

it('explains how to send the first notification', () => {
  renderState({}, true);
  expect(screen.getByText('No notifications')).toBeDefined();
  expect(screen.getByRole('button', { name: /curl/ })).toBeDefined();
});

it.each([
  ['all', 'No notifications'],
  ['unread', 'No unread notifications'],
  ['open', 'No open threads'],
  ['muted', 'No muted notifications'],
  ['errors', 'No delivery errors'],
] as const)('the empty tab %s has its own text', (tab, message) => {
  renderState({ tab });
  expect(screen.getByText(message)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('without a match the filters can be cleared; the tab stays', () => {
  const { setView } = renderState({ tab: 'open', q: 'disk', categories: ['hardware'] });
  expect(screen.getByText('No matching notifications')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(setView.mock.lastCall?.[0]).toMatchObject({ q: '', categories: [] });
  expect(setView.mock.lastCall?.[0]).not.toMatchObject({ tab: 'all' });
});
