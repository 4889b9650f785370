/** Changes that take long, and lists that change meanwhile. */
import type { ChannelList } from '@nodebell/contract/channel.ts';
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { delayed, fireEvent, returnToTab, screen, signIn, within } from '../component.testing';
import { click, listOf, PUSH, renderPage, type } from './channels.testing';

beforeEach(() => signIn(['nodebell-notifications-app.bridge:admin']));

it('a channel that was saved late does not close the form that was opened since', async () => {
  const saving = delayed(null);
  renderPage(listOf(PUSH, { ...PUSH, name: 'phone' }), '/?edit=push', () => saving.promise);
  fireEvent.click(await screen.findByRole('button', { name: 'Save channel' }));
  click('Cancel');
  fireEvent.click(await screen.findByRole('button', { name: 'Edit phone' }));
  type(/^Server/, 'https://attic.lan');
  await saving.release();
  expect(screen.getByDisplayValue('https://attic.lan')).toBeDefined();
});

it('while a channel is saved, its form does not change', async () => {
  const saving = delayed(null);
  renderPage(listOf(PUSH), '/?edit=push', () => saving.promise);
  await screen.findByRole('button', { name: 'Save channel' });
  type(/^Server/, 'https://first.lan');
  click('Save channel');
  await screen.findByRole('button', { name: 'Saving…' });
  type(/^Server/, 'https://second.lan');
  expect(screen.getByDisplayValue('https://first.lan')).toBeDefined();
  await saving.release();
  expect(await screen.findByRole('listitem', { name: 'push' })).toBeDefined();
});

it('a channel that does not exist cannot be edited', async () => {
  renderPage(listOf(PUSH), '/?edit=gone');
  expect(await screen.findByText('There is no channel gone')).toBeDefined();
  click('Cancel');
  expect(await screen.findByRole('listitem', { name: 'push' })).toBeDefined();
});

it('deletes once, however often the button is pressed', async () => {
  const deleting = delayed(null);
  const sent = renderPage(listOf(PUSH), '/', () => deleting.promise);
  await screen.findByRole('listitem', { name: 'push' });
  click('Delete push');
  const button = within(await screen.findByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Delete' });
  fireEvent.click(button);
  await waitFor(() => expect(button.disabled).toBe(true));
  fireEvent.click(button);
  await deleting.release();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.mock.calls.filter(([method]) => method === 'DELETE')).toHaveLength(1);
});

it('the list of undelivered notifications follows its counter', async () => {
  let list: ChannelList = listOf(PUSH);
  const entry = {
    id: 9,
    channel: 'push',
    state: 'undelivered',
    at: null,
    attempts: 1,
    reason: 'The server responds with 400.',
  };
  renderPage(
    () => list,
    '/?tab=undelivered',
    () => ({
      undelivered: list.channels[0]!.undelivered > 0 ? [{ ...entry, notification: 5, title: 'Disk full' }] : [],
      next: null,
    })
  );
  await screen.findByText('Everything was delivered');
  list = listOf({ ...PUSH, undelivered: 1 });
  returnToTab();
  expect(await screen.findByText('Disk full')).toBeDefined();
});
