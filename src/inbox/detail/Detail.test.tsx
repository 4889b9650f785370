import type { IgnoredMember, NotificationDetail, Thread } from '@nodebell/contract/notification.ts';
import { MemoryRouter } from 'react-router-dom';
import { cleanup } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  choose,
  fireEvent,
  httpError,
  render,
  screen,
  serveBridge,
  showMenus,
  signIn,
  within,
} from '../../component.testing';
import { aNotification, timeOf } from '../inbox.testing';
import { type Undoable, useRun } from '../useRun';
import { EMPTY_VIEW } from '../view';
import { Detail } from './Detail';

const PLUGIN = 'nodebell-notifications-app';
const EDITOR = ['inbox:read', 'inbox:seen', 'inbox:write'].map((action) => `${PLUGIN}.${action}`);
const ME = { key: 'org:1/user:me', name: 'Me' };

const onShowOnly = vi.fn();

/** Requests that change something. */
let sent: unknown[];
beforeEach(() => {
  sent = [];
  onShowOnly.mockClear();
  signIn(EDITOR);
  serveBridge((path, { method = 'GET', data }) => {
    if (method !== 'GET') {
      sent.push([method, path, data]);
    }
    if (path === '/people') {
      return { people: [ME, { key: 'org:1/user:bert', name: 'Bert' }], me: ME.key };
    }
    return path.endsWith('/comments')
      ? { ...aNotification({ id: 1 }), members: [aNotification({ id: 1 })] }
      : { changed: 1, ids: [1], before: [{ assignee: null, ids: [1] }] };
  });
});

function Shown({ detail, onDone }: { detail: NotificationDetail; onDone: (done: Undoable) => void }) {
  const runs = useRun(EMPTY_VIEW, onDone);
  const props = {
    detail,
    ...runs,
    now: Date.parse(timeOf(2)),
    disabled: false,
    onOpen: vi.fn(),
    onShowOnly,
  };
  return (
    <MemoryRouter>
      <Detail {...props} headingLevel={1} />
    </MemoryRouter>
  );
}

function renderDetail(more: Partial<NotificationDetail> = {}, thread: Partial<Thread> = {}) {
  const notification = aNotification({ id: 1, thread });
  const onDone = vi.fn<(done: Undoable) => void>();
  render(<Shown detail={{ ...notification, members: [notification], ...more }} onDone={onDone} />);
  return onDone;
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('labels of a notification that is no alert filter the list', () => {
  renderDetail({ labels: { team: 'storage' } });
  click('team=storage');
  expect(onShowOnly.mock.calls).toEqual([[{ label: ['team', 'storage'] }]]);
});

it('lists what was not stored as sent, as plain text', () => {
  const reason = '"icon" must be an http: or https: address; found "<b>x</b>". Left out.';
  const ignored: IgnoredMember[] = [
    { pointer: '/icon', reason },
    { pointer: '/priority', reason: 'Stored as "low".' },
  ];
  renderDetail({ ignored });
  const list = within(screen.getByRole('region', { name: 'Not stored as sent' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `/icon ${reason}`,
    '/priority Stored as "low".',
  ]);
});

it('shows no list where nothing was changed', () => {
  renderDetail();
  expect(screen.queryByRole('region', { name: 'Not stored as sent' })).toBeNull();
});

it('acknowledges, which can be taken back', async () => {
  const onDone = renderDetail();
  click('Acknowledge');
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ id: 'acknowledge', count: 1 })));
  expect(sent).toEqual([['POST', '/notifications/acknowledge', { ids: [1], acknowledged: true }]]);
});

it('takes an acknowledgement back', async () => {
  renderDetail({}, { acknowledged: { by: 'anna', at: timeOf(1) } });
  expect(screen.getByText('Acknowledged by anna, 1 min')).toBeDefined();
  click('Remove acknowledgement');
  await vi.waitFor(() =>
    expect(sent).toEqual([['POST', '/notifications/acknowledge', { ids: [1], acknowledged: false }]])
  );
});

it('adds a comment, or acknowledges with it', async () => {
  renderDetail();
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Add a comment' });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Comment' }).disabled).toBe(true);
  fireEvent.change(field, { target: { value: ' on it ' } });
  click('Comment');
  await vi.waitFor(() => expect(field.value).toBe(''));
  fireEvent.change(field, { target: { value: 'mine' } });
  click('Acknowledge with this comment');
  await vi.waitFor(() =>
    expect(sent).toEqual([
      ['POST', '/notifications/1/comments', { text: 'on it' }],
      ['POST', '/notifications/acknowledge', { ids: [1], acknowledged: true, comment: 'mine' }],
    ])
  );
});

it('what could not be saved stays in its field', async () => {
  const own = { id: 1, kind: 'comment', at: timeOf(2), by: 'anna', text: 'old', own: true } as const;
  renderDetail({ timeline: [own] });
  let tried = 0;
  serveBridge(() => {
    tried += 1;
    throw httpError(502);
  });
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Add a comment' });
  fireEvent.change(field, { target: { value: 'mine' } });
  const enabled = (name: string) => !screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
  for (const button of ['Comment', 'Acknowledge with this comment']) {
    click(button);
    // Once.
    click(button);
    await vi.waitFor(() => expect(enabled(button)).toBe(true));
    expect(field.value).toBe('mine');
  }
  click('Edit comment');
  const edited = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit comment' });
  fireEvent.change(edited, { target: { value: 'new' } });
  click('Save');
  await vi.waitFor(() => expect(tried).toBe(3));
  await vi.waitFor(() => expect(enabled('Save')).toBe(true));
  expect(edited.value).toBe('new');
});

it('shows comments with links among the notifications; only those of oneself can be edited', async () => {
  const comment = { kind: 'comment', at: timeOf(2), by: 'anna' } as const;
  renderDetail({
    timeline: [
      { ...comment, id: 1, text: 'See https://example.org/x.', own: true, editedAt: timeOf(2) },
      { ...comment, id: 2, by: 'bert', text: 'mine' },
      { id: 3, kind: 'snoozed', at: timeOf(2), by: 'bert', text: timeOf(60) },
      { id: 4, kind: 'silenced', at: timeOf(2), by: 'bert', text: `${timeOf(60)}\nNew disk` },
      { id: 5, kind: 'unsilenced', at: timeOf(2), by: 'anna' },
    ],
  });
  const items = within(screen.getByRole('region', { name: 'Thread' })).getAllByRole('listitem');
  expect(items).toHaveLength(6);
  expect(items[2]!.textContent).toMatch(/bert snoozed it for everyone until/);
  expect(items[1]!.textContent).toMatch(/bert silenced it at its source until .*New disk$/);
  expect(items[0]!.textContent).toMatch(/anna ended the silence/);
  expect(screen.getByRole('link', { name: /example.org/ }).getAttribute('href')).toBe('https://example.org/x');
  expect(screen.getByText('edited')).toBeDefined();
  expect(screen.getAllByRole('button', { name: 'Delete comment' })).toHaveLength(1);
  click('Edit comment');
  fireEvent.change(screen.getByRole('textbox', { name: 'Edit comment' }), { target: { value: 'Done' } });
  click('Save');
  await vi.waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit comment' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit comment' }));
  click('Delete comment');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete comment' }));
  expect(sent).toHaveLength(1);
  fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() =>
    expect(sent).toEqual([
      ['PUT', '/comments/1', { text: 'Done' }],
      ['DELETE', '/comments/1', undefined],
    ])
  );
});

it('assigns to oneself or to others', async () => {
  renderDetail();
  click('Assign');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Bert' }));
  await vi.waitFor(() =>
    expect(sent).toEqual([['POST', '/notifications/assignee', { ids: [1], assignee: 'org:1/user:bert' }]])
  );
});

it('assigns to anybody of many users, and says when they could not be loaded', async () => {
  const people = Array.from({ length: 60 }, (_, index) => ({ key: `org:1/user:${index}`, name: `User ${index}` }));
  serveBridge((path, { method = 'GET', data }) => {
    if (method !== 'GET') {
      sent.push([method, path, data]);
    }
    return path === '/people' ? { people, me: 'org:1/user:me' } : { changed: 1, ids: [1], before: [] };
  });
  renderDetail();
  click('Assign');
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Other user…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Assign' });
  // The menu has given the focus away by then.
  await vi.waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  showMenus();
  await choose(/^User/, 'User 59');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Assign' }));
  await vi.waitFor(() =>
    expect(sent).toEqual([['POST', '/notifications/assignee', { ids: [1], assignee: 'org:1/user:59' }]])
  );
  vi.restoreAllMocks();
  cleanup();
  serveBridge(() => {
    throw httpError(502);
  });
  renderDetail();
  click('Assign');
  expect(await screen.findByText('Could not load the users')).toBeDefined();
});

it.each([
  ['Assign', 'To me', 'assign', ['POST', '/notifications/assignee', { ids: [1], assignee: null }]],
  ['Snooze', /^For an hour/, 'snooze', ['PUT', '/notifications/snooze', { ids: [1], until: null, for: 'me' }]],
])('%s can be undone', async (button, item, id, undone) => {
  const onDone = renderDetail({}, { unread: 0 });
  click(button);
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(expect.objectContaining({ id, count: 1 })));
  await onDone.mock.lastCall![0].undo();
  expect(sent.at(-1)).toEqual(undone);
});

it('a viewer snoozes for oneself, and does nothing else', async () => {
  signIn(EDITOR.slice(0, 2));
  renderDetail({}, { unread: 0 });
  expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'Add a comment' })).toBeNull();
  click('Snooze');
  expect(screen.queryByRole('menuitem', { name: 'For everyone' })).toBeNull();
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Until tomorrow/ }));
  await vi.waitFor(() =>
    expect(sent).toEqual([
      ['PUT', '/notifications/snooze', { ids: [1], until: expect.stringMatching(/Z$/), for: 'me' }],
    ])
  );
});

it('ends a snooze', async () => {
  renderDetail({}, { snoozed: { until: timeOf(60), for: 'all', by: 'anna' } });
  click('End snooze');
  await vi.waitFor(() =>
    expect(sent).toEqual([['PUT', '/notifications/snooze', { ids: [1], until: null, for: 'all' }]])
  );
});
