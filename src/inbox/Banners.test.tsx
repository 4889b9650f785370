import type { Notification } from '@nodebell/contract/notification.ts';
import { expect, it, vi } from 'vitest';
import { fireEvent, render, screen, within } from '../component.testing';
import { Banners } from './Banners';
import { aNotification, timeOf } from './inbox.testing';

const banner = (id: number, change: Partial<Notification> = {}) =>
  aNotification({ id, isBanner: true, ...change, thread: { state: 'open', openedAt: timeOf(id) } });

function renderBanners(banners: Notification[], props: Partial<Parameters<typeof Banners>[0]> = {}) {
  const handlers = { onOpen: vi.fn(), onDismiss: vi.fn() };
  render(<Banners banners={banners} now={Date.parse(timeOf(60))} disabled={false} {...handlers} {...props} />);
  return handlers;
}

const shown = () => screen.getAllByRole('status').map((each) => each.ariaLabel ?? each.getAttribute('aria-label'));

it('shows three, critical first, and the rest on request', () => {
  renderBanners([banner(1, { priority: 'critical' }), banner(2), banner(3), banner(4), banner(5)]);
  expect(shown()).toEqual(['Title 1', 'Title 5', 'Title 4']);
  fireEvent.click(screen.getByRole('button', { name: '2 more banners' }));
  expect(shown()).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
  expect(shown()).toHaveLength(3);
});

it('hides resolved, read and undelivered ones', () => {
  renderBanners([banner(1, { status: 'resolved' }), banner(2, { seen: true }), banner(3, { errors: 'e' }), banner(4)]);
  expect(shown()).toEqual(['Title 4']);
});

it('shows the first paragraph, the sender and the state', () => {
  renderBanners([banner(1, { body: 'The **first**.\n\nThe second.' })]);
  const text = screen.getByRole('status').textContent;
  expect(text).toContain('The first.');
  expect(text).not.toContain('The second.');
  expect(text).toContain('dms, open');
});

it('opens and dismisses its notification', () => {
  const one = banner(1);
  const { onOpen, onDismiss } = renderBanners([one]);
  fireEvent.click(screen.getByRole('button', { name: 'Details' }));
  fireEvent.click(within(screen.getByRole('status')).getByRole('button', { name: 'Close alert' }));
  expect(onOpen.mock.calls).toEqual([[one]]);
  expect(onDismiss.mock.calls).toEqual([[one]]);
});

it.each([
  ['without permission', { onDismiss: undefined }],
  ['while the bridge is down', { disabled: true }],
])('cannot be dismissed %s', (_, props) => {
  renderBanners([banner(1)], props);
  expect(screen.queryByRole('button', { name: 'Close alert' })).toBeNull();
});

it('shows one banner for a burst, with its count', () => {
  const burst = { id: 9, name: 'HighCPU', count: 10_000, open: 9_999, unread: 5, priority: 'critical' as const };
  renderBanners([aNotification({ id: 1, isBanner: true, thread: { state: 'open', openedAt: timeOf(1), burst } })]);
  expect(shown()).toEqual(['HighCPU: 10,000 alerts']);
  expect(screen.getByRole('status').textContent).toContain('Newest: Title 1 dms, 9,999 open');
});
