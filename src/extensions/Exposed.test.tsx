import { render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, openStream, screen, serveBridge, signIn } from '../component.testing';
import { INBOX, type InboxProps, UNREAD_COUNT, type UnreadCountProps } from '../extensionApi';
import { aNotification } from '../inbox/inbox.testing';
import { exposedComponents } from './components';

const exposed = <Props,>(id: string) =>
  exposedComponents.find((one) => one.id === id)!.component as ComponentType<Props>;
const Inbox = exposed<InboxProps>(INBOX);
const UnreadCount = exposed<UnreadCountProps>(UNREAD_COUNT);

const bridge = vi.fn((_path: string): unknown => undefined);
beforeEach(() => {
  signIn([]);
  openStream();
  serveBridge(bridge);
  bridge.mockReset();
});

/** The query parameters of the requests for a path. */
const queries = (path: string) =>
  bridge.mock.calls.map(([url]) => url.split('?')).flatMap(([of, query]) => (of === path ? [query] : []));

it('the inbox shows the threads that match, without a provider around it', async () => {
  bridge.mockReturnValue([aNotification({ id: 1, title: 'Disk full' })]);
  render(<Inbox show="open" packages={['geth']} priorities={['critical']} limit={1e6} />);
  expect((await screen.findByRole('link', { name: 'Disk full' })).getAttribute('href')).toMatch(/\/inbox\?id=1$/);
  const parameters = [...new URLSearchParams(queries('/notifications')[0])];
  expect(parameters).toEqual(
    expect.arrayContaining([
      ['open', 'true'],
      ['dnpName', 'geth'],
      ['priority', 'critical'],
      ['limit', '200'],
    ])
  );
  expect(screen.getByRole('link', { name: 'Open inbox' }).getAttribute('href')).toMatch(
    /\/inbox\?tab=open&dnpName=geth&priority=critical$/
  );
});

it('the inbox shows an error, until a retry succeeds', async () => {
  bridge.mockImplementation(() => {
    throw httpError(502);
  });
  render(<Inbox categories={['hardware']} />);
  expect((await screen.findByRole('status')).textContent).toContain('Could not load the inbox');
  bridge.mockReset().mockReturnValue([]);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No notifications.')).toBeDefined();
});

it('the unread count counts the threads that match, and links to them', async () => {
  bridge.mockReturnValue({ ...{ total: 5, unseen: 3, open: 1, exact: true, lastId: 5 }, categories: [], packages: [] });
  render(<UnreadCount packages={['geth']} />);
  expect((await screen.findByRole('link', { name: 'Unread: 3' })).getAttribute('href')).toMatch(
    /\/inbox\?tab=unread&dnpName=geth$/
  );
});

it('the unread count shows an error', async () => {
  bridge.mockImplementation(() => {
    throw httpError(403, 'plugin proxy route access denied');
  });
  render(<UnreadCount />);
  expect(await screen.findByText('Could not load the inbox. Your role does not allow this.')).toBeDefined();
});
