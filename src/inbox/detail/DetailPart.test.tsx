import type { Notification } from '@nodebell/contract/notification.ts';
import { useIsFetching } from '@tanstack/react-query';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn } from '../../component.testing';
import { aNotification } from '../inbox.testing';
import { useDetail } from '../useInbox';
import type { InboxPageState } from '../useInboxPage';
import { DetailPart } from './DetailPart';

/** Status of the responses of the bridge. */
let status: number;
let requests: number;
beforeEach(() => {
  signIn([]);
  requests = 0;
  serveBridge((path) => {
    requests += Number(path === '/notifications/1');
    if (status !== 200) {
      throw httpError(status, 'No disk.');
    }
    const notification = aNotification({ id: 1 });
    return { ...notification, members: [notification] };
  });
});

/** @param row undefined: opened by a link */
function Opened({ row }: { row?: Notification }) {
  const { detail: notification, ...state } = useDetail(1, row);
  const handlers = { open: () => undefined, targetsOf: () => undefined };
  const page = {
    detail: { notification, unread: false, key: undefined, ...state },
    handlers,
    data: {},
    disabled: false,
  };
  const requests = useIsFetching();
  return (
    <div aria-busy={requests > 0} data-testid="part">
      <DetailPart page={page as unknown as InboxPageState} alone />
    </div>
  );
}

it('says that a notification is being loaded, or could not be, and tries again', async () => {
  status = 500;
  render(
    <MemoryRouter>
      <Opened />
    </MemoryRouter>
  );
  expect(screen.getByText('Loading…')).toBeDefined();
  expect(await screen.findByText('Could not load the notification')).toBeDefined();
  status = 200;
  fireEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  expect(await screen.findByRole('heading', { name: 'Title 1' })).toBeDefined();
});

it('shows the row of the list while the rest cannot be loaded', async () => {
  status = 502;
  render(
    <MemoryRouter>
      <Opened row={aNotification({ id: 1 })} />
    </MemoryRouter>
  );
  expect(requests).toBe(1);
  await vi.waitFor(() => expect(screen.getByTestId('part').ariaBusy).toBe('false'));
  expect(screen.getByRole('heading', { name: 'Title 1' })).toBeDefined();
  expect(screen.queryByText('Could not load the notification')).toBeNull();
});
