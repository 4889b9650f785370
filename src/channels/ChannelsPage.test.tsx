import type { BackendSrvRequest } from '@grafana/runtime';
import type { ChannelList, ChannelStatus } from '@nodebell/contract/channel.ts';
import { waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, it, vi } from 'vitest';
import { fireEvent, httpError, render, screen, serveBridge, signIn, within } from '../component.testing';
import ChannelsPage from './ChannelsPage';

const PUSH: ChannelStatus = {
  name: 'push',
  type: 'ntfy',
  target: 'ntfy.example.org',
  giveUpAfter: '24h',
  perMinute: 30,
  disabled: false,
  settings: { url: 'https://ntfy.example.org', giveUpAfter: '24h', perMinute: 30 },
  has: ['topic', 'token'],
  state: 'ok',
  failingSince: null,
  lastDeliveredAt: '2026-01-02T10:00:00.000Z',
  lastFailure: null,
  waiting: 0,
  held: 0,
  undelivered: 0,
  routes: [{ channels: ['push'], priority: 'high', categories: ['hardware'], index: 0 }],
};
const OF_FILE: ChannelStatus = { ...PUSH, name: 'hook', type: 'webhook', file: 'reach.yaml', routes: [] };
const NOTHING: ChannelList = { channels: [], routes: [], revision: 'r0' };
const listOf = (...channels: ChannelStatus[]): ChannelList => ({
  channels,
  routes: channels.flatMap(({ routes }) => routes),
  revision: 'r1',
});
const FACETS = { ...{ total: 0, unseen: 0, open: 0, exact: true }, lastId: 0, categories: [], packages: [] };
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

/** @param respond to changes, and to what is not listed here */
function renderPage(list: ChannelList, path = '/', respond: (path: string) => unknown = () => null) {
  const sent = vi.fn();
  serveBridge((where, { method, data }: BackendSrvRequest) => {
    if (method !== 'GET') {
      sent(method, where, data);
      return respond(where);
    }
    if (where === '/channels') {
      return list;
    }
    return where.startsWith('/notifications/facets') ? FACETS : respond(where);
  });
  render(
    <MemoryRouter initialEntries={[path]}>
      <ChannelsPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  return sent;
}
const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
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
  renderPage(listOf(PUSH, OF_FILE, failing, { ...PUSH, name: 'off', disabled: true, routes: [] }));
  expect((await row('push')).textContent).toMatch(
    /Working.*ntfy · ntfy\.example\.org.*Last delivery.*Critical and important of hardware, day and night/
  );
  expect((await row('phone')).textContent).toMatch(
    /Retrying since.*12,000 waiting.*1 undelivered.*responds with 500.*No route/
  );
  expect((await row('off')).textContent).toContain('Disabled');
  expect(within(await row('off')).queryByRole('button', { name: /Send a test/ })).toBeNull();
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
  const sent = renderPage(listOf({ ...PUSH, waiting: 3 }));
  await row('push');
  click('Disable push');
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith('PUT', '/channels/push', { type: 'ntfy', ...PUSH.settings, disabled: true })
  );
  click('Delete push');
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Not sent any more: 3 notifications');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith('DELETE', '/channels/push', undefined));
});

it('adds a channel step by step: kind, settings, test, route', async () => {
  const sent = renderPage(NOTHING, '/', (path) => (path === '/channels/test' ? { delivered: true } : null));
  expect(await screen.findByText('No channels yet')).toBeDefined();
  click('Add channel');
  fireEvent.click(screen.getByRole('radio', { name: /ntfy/ }));
  click('Send a test');
  expect((await screen.findAllByText('Required')).length).toBe(2);
  expect(sent).not.toHaveBeenCalled();
  type(/^Name/, 'push');
  type(/^Topic/, 'not a topic');
  expect(screen.getByText('Up to 64 letters, digits, hyphens and underscores')).toBeDefined();
  type(/^Topic/, 'node');
  click('Send a test');
  expect(await screen.findByText(/Delivered\. Check/)).toBeDefined();
  expect(screen.getByText('All notifications, day and night')).toBeDefined();
  click('Save channel');
  const body = { type: 'ntfy', disabled: false, topic: 'node', name: 'push' };
  await waitFor(() =>
    expect(sent.mock.calls).toEqual([
      ['POST', '/channels/test', body],
      ['POST', '/channels', body],
      ['PUT', '/routes', { routes: [{ channels: ['push'], continue: true }], revision: 'r0' }],
    ])
  );
  expect(await screen.findByText('No channels yet')).toBeDefined();
});

it('shows errors of the bridge at their field', async () => {
  const problem = {
    type: 'x',
    title: 'Invalid',
    status: 400,
    detail: 'Give "topic" again.',
    id: '1',
    errors: [{ pointer: '/topic', found: 'nothing', allowed: 'a value', detail: 'Give the topic again.' }],
  };
  renderPage(listOf(PUSH), '/?edit=push', () => {
    throw Object.assign(new Error('400'), { status: 400, data: problem });
  });
  type(/^Server/, (await screen.findByDisplayValue('https://ntfy.example.org')) && 'https://other.example.org');
  click('Save channel');
  expect(await screen.findByText('Give the topic again.')).toBeDefined();
});

it('finds the chat of a bot', async () => {
  const sent = renderPage(NOTHING, '/?add=1', () => ({
    bot: 'node_bot',
    chats: [{ id: '-100', title: 'Ops', kind: 'group' }],
  }));
  fireEvent.click(await screen.findByRole('radio', { name: /Telegram/ }));
  type(/^Bot token/, '1:abc');
  click('Find chats');
  fireEvent.click(await screen.findByRole('button', { name: 'Ops (group)' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Chat/).value).toBe('-100');
  expect(sent.mock.calls).toEqual([['POST', '/channels/chats', { token: '1:abc' }]]);
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

it('tests routes with the reasons of the bridge', async () => {
  renderPage(listOf(PUSH), '/?tab=routes', (path) =>
    path === '/routes/test'
      ? {
          channels: [],
          waits: [{ channel: 'push', why: 'digest', until: '2026-01-02T10:00:00.000Z' }],
          routes: [{ ...PUSH.routes[0], matches: false, reached: true, why: ['priority low is below high'] }],
        }
      : []
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Test' }));
  expect((await screen.findByText(/It is not sent/)).parentElement!.textContent).toMatch(
    /push: in the digest, .*2026.*Does not match.*priority low is below high/
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

it('who is not an admin sees why, and requests nothing', async () => {
  signIn([]);
  serveBridge(() => {
    throw httpError(403);
  });
  render(
    <MemoryRouter>
      <ChannelsPage bridgeUrl="http://bridge:8080" />
    </MemoryRouter>
  );
  expect(await screen.findByText('Only admins can see channels')).toBeDefined();
});
