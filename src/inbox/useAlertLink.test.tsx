import { MemoryRouter, useLocation } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn } from '../component.testing';
import { DetailPart } from './detail/DetailPart';
import { aNotification } from './inbox.testing';
import { useAlertLink, useView } from './useInbox';
import type { InboxPageState } from './useInboxPage';

/** The notification that the bridge finds; undefined: it responds with an error. */
let found: object | null | undefined;
let requested: unknown;
beforeEach(() => {
  signIn([]);
  serveBridge((path) => {
    requested = path;
    if (found === undefined) {
      throw httpError(500, 'No disk.');
    }
    return { notification: found, complete: true, since: null };
  });
});

function Linked() {
  const [view, setView] = useView();
  const { search } = useLocation();
  const handlers = { open: (id: number | undefined) => setView({ id }) };
  const detail = { notification: undefined, gone: false, ...useAlertLink(view, setView) };
  const page = { detail, handlers, data: {} };
  return (
    <>
      <output>{search}</output>
      {view.alert && <DetailPart page={page as unknown as InboxPageState} />}
    </>
  );
}

const open = (search: string) =>
  render(
    <MemoryRouter initialEntries={[`/inbox?${search}`]}>
      <Linked />
    </MemoryRouter>
  );
const search = () => screen.getByRole('status').textContent;

it('replaces the alert in the URL by its notification; filters stay', async () => {
  found = aNotification({ id: 7 });
  open('tab=open&ruleUid=r1&has=instance%3Da');
  await expect.poll(search).toBe('?tab=open&id=7');
  expect(requested).toBe('/notifications/origin?ruleUid=r1&has=instance%3Da');
});

it('says that there is no notification; closing shows the list', async () => {
  found = null;
  open('fingerprint=c6eadffa33fcdf37');
  expect(await screen.findByText('No notifications for this alert')).toBeDefined();
  expect(search()).toBe('?fingerprint=c6eadffa33fcdf37');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(search()).toBe('');
});

it('shows an error, and tries again', async () => {
  found = undefined;
  open('fingerprint=c6eadffa33fcdf37');
  expect(await screen.findByText('Could not load the notification')).toBeDefined();
  found = aNotification({ id: 7 });
  fireEvent.click(screen.getByRole('button', { name: 'Retry now' }));
  await expect.poll(search).toBe('?id=7');
});
