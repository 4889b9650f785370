import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, render, screen, signIn } from '../component.testing';
import { ListOrState } from './ListOrState';
import { EMPTY_VIEW, type View } from './view';

beforeEach(() => signIn([]));

function renderState(view: Partial<View>, state: Partial<Parameters<typeof ListOrState>[0]> = {}) {
  const setView = vi.fn();
  const rest = { bridgeUrl: 'http://bridge:8080', loading: false, failed: false, firstRun: false, items: [] };
  const props = { ...rest, ...state, view: { ...EMPTY_VIEW, ...view }, setView };
  const { container } = render(<ListOrState {...(props as unknown as Parameters<typeof ListOrState>[0])} />);
  return { setView, container };
}

it('shows that it is loading', () => {
  renderState({}, { loading: true });
  expect(screen.getByRole('status', { name: 'Loading notifications' })).toBeDefined();
});

it('is empty if nothing could be loaded: the error is shown above', () => {
  const { container } = renderState({}, { failed: true, loading: true });
  expect(container.textContent).toBe('');
});

it('explains how to send the first notification', () => {
  renderState({}, { firstRun: true });
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
