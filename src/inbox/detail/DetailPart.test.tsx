import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn } from '../../component.testing';
import { aNotification } from '../testData';
import { useDetail } from '../useInbox';
import type { InboxPageState } from '../useInboxPage';
import { DetailPart } from './DetailPart';

/** Status of the responses of the bridge. */
let status: number;
beforeEach(() => {
  signIn([]);
  serveBridge(() => {
    if (status !== 200) {
      throw httpError(status, 'No disk.');
    }
    const notification = aNotification({ id: 1 });
    return { ...notification, members: [notification] };
  });
});

/** Opened by a link: no row of the list is shown meanwhile. */
function Opened() {
  const { detail: notification, ...state } = useDetail(1, undefined);
  const handlers = { open: () => undefined, actions: {}, respond: {} };
  const page = { detail: { notification, unread: false, key: undefined, ...state }, handlers, disabled: false };
  return <DetailPart page={page as unknown as InboxPageState} alone />;
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
