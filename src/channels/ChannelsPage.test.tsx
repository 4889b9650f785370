import type { ChannelStatus } from '@nodebell/contract/channel.ts';
import { waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../component.testing';
import { click, listOf, OF_FILE, PUSH, renderPage } from './channels.testing';
import { Devices } from '../push/Devices';
import ChannelsPage from './ChannelsPage';

const ENTRY = {
  id: 9,
  channel: 'push',
  state: 'undelivered',
  at: '2026-01-02T10:00:00.000Z',
  attempts: 1,
  reason: 'The server responds with 400.',
  notification: 5,
  title: 'Disk full',
};

beforeEach(() => signIn(['nodebell-notifications-app.bridge:admin']));

const row = async (name: string) => screen.findByRole('listitem', { name });

it('shows health, figures and routes in words', async () => {
  const failing: ChannelStatus = {
    ...PUSH,
    name: 'phone',
    state: 'failing',
    failingSince: '2026-01-03T10:00:00.000Z',
    lastFailure: 'The server responds with 500.',
    waiting: 12_000,
    undelivered: 1,
    routes: [],
  };
  const templated: ChannelStatus = { ...PUSH, name: 'templated', warning: 'bodyTemplate failed: line 1.' };
  renderPage(listOf(PUSH, OF_FILE, failing, templated, { ...PUSH, name: 'off', disabled: true, routes: [] }));
  expect((await row('push')).textContent).toMatch(
    /Working.*ntfy · ntfy\.example\.org.*Last delivery.*Critical and important of hardware, day and night/
  );
  expect((await row('phone')).textContent).toMatch(
    /Retrying since.*12,000 waiting.*1 undelivered.*responds with 500.*No route/
  );
  expect((await row('templated')).textContent).toMatch(/Working.*bodyTemplate failed: line 1\./);
  expect((await row('off')).textContent).toContain('Disabled');
  expect(within(await row('off')).queryByRole('button', { name: /Send a test/ })).toBeNull();
});

it('shows quiet hours, what is held and until when, and the node', async () => {
  const quietHours = [{ days: ['mon-fri'], from: '22:00', to: '07:00', zone: 'Europe/Berlin' }];
  const until = '2026-01-02T10:00:00.000Z';
  const holds: ChannelStatus['holds'] = [
    { why: 'quiet hours', count: 12, until },
    { why: 'digest', count: 3, until },
    { why: 'unacknowledged', count: 1, until },
  ];
  const upstairs: ChannelStatus = { ...PUSH, name: 'upstairs', type: 'nodebell', node: 'attic' };
  renderPage(listOf({ ...PUSH, quietHours, held: 16, holds }, upstairs));
  expect((await row('push')).textContent).toMatch(
    /12 held until \d\d:00.*Digest of 3 at \d\d:00.*1 unless acknowledged by \d\d:00.*Quiet: Mon–Fri 22:00–07:00 \(Europe\/Berlin\).*hardware, at night only critical/
  );
  expect((await row('upstairs')).textContent).toContain('Nodebell · ntfy.example.org · as node attic');
});

it('channels of files are read-only', async () => {
  renderPage(listOf(OF_FILE));
  const buttons = within(await row('hook')).getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Send a test over hook']);
  expect(screen.getByText('Provisioned by reach.yaml')).toBeDefined();
});

it('sends a test and shows its result', async () => {
  let result: object = { delivered: true };
  const sent = renderPage(listOf(PUSH), '/', () => result);
  await row('push');
  click('Send a test over push');
  expect(await screen.findByText('The test was delivered')).toBeDefined();
  result = { delivered: false, reason: 'The server responds with 403.' };
  click('Send a test over push');
  expect(await screen.findByText('The server responds with 403.')).toBeDefined();
  expect(sent).toHaveBeenCalledWith('POST', '/channels/push/test', undefined);
});

it('disables, and deletes after saying what is lost', async () => {
  const sent = renderPage(listOf({ ...PUSH, waiting: 3, held: 2, undelivered: 1 }));
  await row('push');
  click('Disable push');
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith('PUT', '/channels/push', { type: 'ntfy', ...PUSH.settings, disabled: true })
  );
  click('Delete push');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Not sent any more: 6 notifications');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith('DELETE', '/channels/push', undefined));
});

it('orders routes of the page by buttons; those of files come first and stay', async () => {
  const own = {
    ...PUSH,
    routes: [
      { channels: ['push'], index: 0 },
      { channels: ['gone'], priority: 'critical' as const, index: 1 },
    ],
  };
  const browsers: ChannelStatus = { ...PUSH, name: 'browsers', routes: [{ channels: ['browsers'], index: -1 }] };
  const list = listOf({ ...OF_FILE, routes: [{ channels: ['hook'], file: 'reach.yaml', index: 0 }] }, own, browsers);
  const sent = renderPage(list, '/?tab=routes', () => []);
  const rows = await screen.findAllByRole('listitem');
  expect(rows[0]!.textContent).toContain('reach.yaml');
  expect(within(rows[0]!).queryAllByRole('button')).toEqual([]);
  expect(rows[2]!.textContent).toContain('No such channel: gone');
  expect(rows[3]!.textContent).toContain('Default');
  expect(within(rows[3]!).queryAllByRole('button')).toEqual([]);
  click('Move up: Critical, day and night');
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith('PUT', '/routes', {
      routes: [{ channels: ['gone'], priority: 'critical' }, { channels: ['push'] }],
      revision: 'r1',
    })
  );
});

it('tests routes with reasons in the language of the user', async () => {
  renderPage(listOf(PUSH), '/?tab=routes', (path) =>
    path === '/routes/test'
      ? {
          channels: [],
          steps: [],
          waits: [{ channel: 'push', why: 'digest', until: '2026-01-02T10:00:00.000Z' }],
          routes: [
            {
              ...{ ...PUSH.routes[0], matches: false, reached: true, why: [] },
              comparisons: [
                { what: 'priority', found: 'low', allowed: ['high'], holds: false },
                { what: 'node', found: '', allowed: ['attic', 'cellar'], holds: false },
                { what: 'package', found: 'geth', allowed: ['geth'], holds: true },
              ],
            },
            { channels: ['push'], index: 1, matches: true, reached: true, why: [], comparisons: [] },
          ],
        }
      : []
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }));
  expect((await screen.findByText(/It is not sent/)).parentElement!.textContent).toMatch(
    /push: in the digest, .*2026.*Does not match.*Priority Informational: below Important; Node none: not one of attic, cellar; Package geth: one of geth.*Matches.*It matches every notification/
  );
});

it('lists the undelivered, sends again and discards, one or all', async () => {
  const sent = renderPage(listOf({ ...PUSH, undelivered: 1 }), '/?tab=undelivered', (path) =>
    path.startsWith('/channels/undelivered?') ? { undelivered: [ENTRY], next: null } : { count: 1 }
  );
  expect((await screen.findByRole('listitem')).textContent).toMatch(/Disk full.*push · .*2026.*responds with 400/);
  click('Send again: Disk full');
  click('Discard: Disk full');
  click('Send all again');
  click('Discard all');
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Discard all' }));
  await waitFor(() =>
    expect(sent.mock.calls.map(([method, path]: string[]) => `${method} ${path}`)).toEqual([
      'POST /channels/undelivered/9/send',
      'DELETE /channels/undelivered/9',
      'POST /channels/undelivered/send',
      'DELETE /channels/undelivered',
    ])
  );
});

it('100 channels are searched, and drawn some at a time', async () => {
  renderPage(listOf(...Array.from({ length: 100 }, (_, index) => ({ ...PUSH, name: `c${index}`, routes: [] }))));
  expect(await screen.findAllByRole('listitem')).toHaveLength(30);
  fireEvent.change(screen.getByLabelText('Search channels'), { target: { value: 'c99' } });
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

it('web push is tested by each person: there is no test of the channel', async () => {
  renderPage(listOf({ ...PUSH, name: 'browsers', type: 'webpush' }));
  const buttons = within(await row('browsers')).getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label'))).not.toContain('Send a test over browsers');
});

it('who is not an admin sees why, and requests nothing', async () => {
  signIn([]);
  serveBridge(() => {
    throw httpError(403);
  });
  render(
    <MemoryRouter>
      <ChannelsPage bridgeUrl="http://bridge:8080" devices={<Devices />} />
    </MemoryRouter>
  );
  expect(await screen.findByText(/^Only admins can see the channels/)).toBeDefined();
  expect(screen.getByText(/Sign in to Grafana to receive/)).toBeDefined();
});
