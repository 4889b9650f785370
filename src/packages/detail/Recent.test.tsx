import type { Notification } from '@nodebell/contract/notification.ts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { httpError, render, screen, serveBridge, within } from '../../component.testing';
import { aNotification } from '../../inbox/inbox.testing';
import { Recent } from './Recent';

const DMS = 'dms.dnp.dappnode.eth';

/** Threads and muted notifications, as the bridge returns them for the two queries. */
const serve = (threads: Notification[], muted: Notification[] = []) =>
  serveBridge((path) => (path.includes('muted=true') ? muted : threads));
beforeEach(() => serve([]));

const titles = async () => {
  await screen.findByRole('link', { name: 'View all in inbox' });
  return within(screen.getByRole('region', { name: 'Recent notifications' }))
    .getAllByRole('listitem')
    .map((item) => within(item).getByRole('link').textContent);
};

it('lists a thread once, the newest first, at most as many as requested', async () => {
  serve(
    [
      aNotification({ id: 9, correlationId: 'disk', title: 'Disk at 95 %' }),
      aNotification({ id: 5, title: 'Updated' }),
      aNotification({ id: 2, title: 'Registered' }),
      aNotification({ id: 1, title: 'Older' }),
    ],
    [
      aNotification({ id: 7, title: 'Muted', muted: true }),
      aNotification({ id: 3, correlationId: 'disk', title: 'Disk at 90 %', muted: true }),
    ]
  );
  render(<Recent dnpName={DMS} limit={4} />);
  expect(await titles()).toEqual(['Disk at 95 %', 'Muted', 'Updated', 'Registered']);
});

it('links to the notification, and to all of the package', async () => {
  serve([
    aNotification({ id: 9, title: 'Disk full', thread: { state: 'open', openedAt: '2026-11-21T10:00:00.000Z' } }),
  ]);
  render(<Recent dnpName={DMS} />);
  const link = await screen.findByRole('link', { name: 'Disk full' });
  expect(link.getAttribute('href')).toBe('/a/nodebell-notifications-app/inbox?id=9');
  expect(screen.getByText(/^Open/)).toBeDefined();
  const all = screen.getByRole('link', { name: 'View all in inbox' });
  expect(all.getAttribute('href')).toBe(`/a/nodebell-notifications-app/inbox?dnpName=${DMS}`);
});

it('without notifications it shows a text', async () => {
  render(<Recent dnpName={DMS} />);
  expect(await screen.findByText('No notifications yet.')).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});

it('says why they cannot be loaded', async () => {
  serveBridge(() => {
    throw httpError(502);
  });
  render(<Recent dnpName={DMS} />);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('The bridge is not responding.'));
  expect(screen.queryByText('No notifications yet.')).toBeNull();
});
