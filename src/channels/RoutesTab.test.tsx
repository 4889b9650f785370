/** Routes that change while somebody works on them, and their tester. */
import type { ChannelList } from '@nodebell/contract/channel.ts';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { choose, delayed, fireEvent, returnToTab, screen, showMenus, signIn, within } from '../component.testing';
import { aNotification } from '../inbox/inbox.testing';
import { click, listOf, PUSH, renderPage } from './channels.testing';

beforeEach(() => signIn(['nodebell-notifications-app.bridge:admin']));
afterEach(() => vi.restoreAllMocks());

const withRoutes = (...categories: string[]): ChannelList =>
  listOf({ ...PUSH, routes: categories.map((one, index) => ({ channels: ['push'], categories: [one], index })) });
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

it('deletes the route that was asked for, wherever it is by then', async () => {
  let list = withRoutes('hardware', 'system', 'ethereum');
  const sent = renderPage(() => list, '/?tab=routes');
  fireEvent.click(await screen.findByRole('button', { name: /^Delete: .*system/ }));
  list = withRoutes('system', 'ethereum');
  returnToTab();
  await waitFor(() => expect(rows()).toHaveLength(2));
  const dialog = screen.getByRole('dialog');
  expect(dialog.textContent).toContain('system');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith('PUT', '/routes', {
      routes: [{ channels: ['push'], categories: ['ethereum'] }],
      revision: 'r1',
    })
  );
});

it('a route that is gone by then is not deleted again, nor another one', async () => {
  let list = withRoutes('hardware', 'system');
  const sent = renderPage(() => list, '/?tab=routes');
  fireEvent.click(await screen.findByRole('button', { name: /^Delete: .*hardware/ }));
  list = withRoutes('system');
  returnToTab();
  await waitFor(() => expect(rows()).toHaveLength(1));
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).not.toHaveBeenCalled();
});

it('a route that was saved closes its editor, not one that was opened since', async () => {
  const saving = delayed(null);
  renderPage(withRoutes('hardware', 'system'), '/?tab=routes', () => saving.promise);
  fireEvent.click(await screen.findByRole('button', { name: /^Edit: .*hardware/ }));
  click('Save route');
  click('Cancel');
  fireEvent.click(screen.getByRole('button', { name: /^Edit: .*system/ }));
  await saving.release();
  expect(screen.getByRole('button', { name: 'Save route' })).toBeDefined();
});

it('of identical routes, changes and deletes the one that was chosen', async () => {
  const list = withRoutes('hardware', 'system', 'hardware');
  const [first, second] = list.routes.map(({ index: _index, ...route }) => route);
  const sent = renderPage(list, '/?tab=routes');
  fireEvent.click((await screen.findAllByRole('button', { name: /^Edit: .*hardware/ }))[1]!);
  fireEvent.click(screen.getByRole('switch', { name: 'Try the next routes as well' }));
  click('Save route');
  await waitFor(() => expect(sent).toHaveBeenCalledOnce());
  expect(sent.mock.lastCall![2]).toMatchObject({ routes: [first, second, { ...first, continue: true }] });
  fireEvent.click((await screen.findAllByRole('button', { name: /^Delete: .*hardware/ }))[1]!);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(sent.mock.lastCall![2]).toMatchObject({ routes: [first, second] });
});

it('tests a notification of the inbox with its labels', async () => {
  showMenus();
  const labels = { severity: 'critical', instance: 'nas:9100' };
  const sent = renderPage(withRoutes('hardware'), '/?tab=routes', (path) =>
    path.startsWith('/notifications')
      ? [aNotification({ id: 7, title: 'Disk full', labels })]
      : { channels: [], routes: [], waits: [], steps: [] }
  );
  await screen.findByText('Test the routes');
  await choose(/^From the inbox/, 'Disk full');
  expect(screen.getByText('Labels: severity="critical", instance="nas:9100"')).toBeDefined();
  click('Test');
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith('POST', '/routes/test', expect.objectContaining({ category: 'hardware', labels }))
  );
  click('Without labels');
  click('Test');
  await waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(sent.mock.lastCall![2]).not.toHaveProperty('labels.severity');
});
