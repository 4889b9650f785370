import { waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { delayed, fireEvent, httpError, screen, signIn } from '../component.testing';
import { click, listOf, NOTHING, PUSH, renderPage, type } from './channels.testing';

beforeEach(() => signIn(['nodebell-notifications-app.bridge:admin']));

it('adds a channel to another bridge', async () => {
  const sent = renderPage(NOTHING, '/?add=1');
  fireEvent.click(await screen.findByRole('radio', { name: /^Nodebell/ }));
  expect(screen.queryByRole('button', { name: 'Add quiet hours' })).toBeNull();
  type(/^Name$|^Name\b(?! of)/, 'upstairs');
  type(/^Address of the other bridge/, 'ftp://bridge');
  click('Save channel');
  expect(await screen.findByText(/An address with http/)).toBeDefined();
  expect(screen.getAllByText('Required')).toHaveLength(2);
  type(/^Address of the other bridge/, 'https://bridge.example.org');
  type(/^Sender token/, 'abc');
  type(/^Name of this node/, 'attic');
  click('Save channel');
  const body = { type: 'nodebell', disabled: false, url: 'https://bridge.example.org', token: 'abc', node: 'attic' };
  await waitFor(() => expect(sent).toHaveBeenCalledWith('POST', '/channels', { ...body, name: 'upstairs' }));
});

it('quiet hours of a channel: invalid ones are named, and further settings open where one is wrong', async () => {
  const quietHours = [{ from: '22:00', to: '07:00', zone: 'Europe/Berlin' }];
  const sent = renderPage(listOf({ ...PUSH, quietHours, passing: 'high' }), '/?edit=push');
  fireEvent.change(await screen.findByLabelText('To'), { target: { value: '22:00' } });
  click('More settings');
  type(/^Retry for/, 'soon');
  click('Save channel');
  expect(await screen.findByText(/Another time than the first/)).toBeDefined();
  expect(screen.getByText(/A duration such as 30m/)).toBeDefined();
  expect(sent).not.toHaveBeenCalled();
  type(/^To$/, '06:00');
  type(/^Retry for/, '2d');
  click('Save channel');
  await waitFor(() =>
    expect(sent).toHaveBeenCalledWith(
      'PUT',
      '/channels/push',
      expect.objectContaining({
        quietHours: [{ from: '22:00', to: '06:00', zone: 'Europe/Berlin' }],
        passing: 'high',
        giveUpAfter: '2d',
      })
    )
  );
});

it('where only the route could not be saved, nothing typed is lost, and the channel is not added again', async () => {
  let fails = true;
  const sent = renderPage(NOTHING, '/?add=1', (path) => {
    if (path === '/routes' && fails) {
      throw httpError(502);
    }
    return null;
  });
  fireEvent.click(await screen.findByRole('radio', { name: /ntfy/ }));
  type(/^Name/, 'push');
  type(/^Topic/, 'node');
  click('Save channel');
  expect(await screen.findByText(/The channel was added, but its route/)).toBeDefined();
  expect(screen.getByDisplayValue('node')).toBeDefined();
  fails = false;
  click('Save channel');
  await waitFor(() =>
    expect(sent.mock.calls.map(([method, path]: string[]) => `${method} ${path}`)).toEqual([
      'POST /channels',
      'PUT /routes',
      'PUT /channels/push',
      'PUT /routes',
    ])
  );
});

it('takes no changes of the route while it is saved, since they would be lost when it closes', async () => {
  const saving = delayed(null);
  const sent = renderPage(NOTHING, '/?add=1', (path) => (path === '/channels' ? saving.promise : null));
  fireEvent.click(await screen.findByRole('radio', { name: /ntfy/ }));
  type(/^Name/, 'push');
  type(/^Topic/, 'node');
  click('Save channel');
  await screen.findByRole('button', { name: 'Saving…' });
  const withRoute = screen.getByRole<HTMLInputElement>('switch', { name: /^Send notifications over this channel/ });
  fireEvent.click(withRoute);
  expect(withRoute.checked).toBe(true);
  await saving.release();
  await waitFor(() => expect(sent).toHaveBeenLastCalledWith('PUT', '/routes', expect.anything()));
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

it('adds a chat service, by a token or a webhook', async () => {
  const sent = renderPage(NOTHING, '/?add=1', (path) => (path === '/channels/test' ? { delivered: true } : null));
  fireEvent.click(await screen.findByRole('radio', { name: /^Slack/ }));
  type(/^Name/, 'team');
  click('Send a test');
  expect(await screen.findByText('Required')).toBeDefined();
  type(/^Bot token/, 'xoxb-1');
  type(/^Channel/, 'C 1');
  expect(screen.getByText('Given together with a token, without spaces')).toBeDefined();
  type(/^Channel/, 'C0123456789');
  click('Send a test');
  expect(await screen.findByText(/Delivered\. Check/)).toBeDefined();
  const body = { type: 'slack', disabled: false, token: 'xoxb-1', channel: 'C0123456789', name: 'team' };
  expect(sent.mock.calls).toEqual([['POST', '/channels/test', body]]);
});

it('a channel with a choice is tested as it is: what is not chosen is left out', async () => {
  const sent = renderPage(NOTHING, '/?add=1', () => ({ delivered: false, reason: 'The server responds with 400.' }));
  fireEvent.click(await screen.findByRole('radio', { name: /^Pushover/ }));
  type(/^Name/, 'push');
  type(/^Application token/, 'abc');
  type(/^User or group key/, 'not-a-key');
  click('Send a test');
  expect(await screen.findByText('Letters and digits')).toBeDefined();
  type(/^User or group key/, 'u1');
  expect(screen.getByLabelText<HTMLInputElement>(/^Repeat until acknowledged/)).toBeDefined();
  click('Send a test');
  expect(await screen.findByText('The server responds with 400.')).toBeDefined();
  const body = { type: 'pushover', disabled: false, token: 'abc', user: 'u1', name: 'push' };
  expect(sent.mock.calls).toEqual([['POST', '/channels/test', body]]);
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

it('previews templates: loading, errors with their field, an example, and a template that fails', async () => {
  let settle = { resolve: (_data: object) => {}, reject: (_error: Error) => {} };
  const sent = renderPage(listOf(PUSH), '/?edit=push', (path) =>
    path === '/channels/preview' ? new Promise((resolve, reject) => (settle = { resolve, reject })) : null
  );
  await screen.findByRole('button', { name: 'More settings' });
  click('More settings');
  type(/^Title template/, '{{ title | shout }}');
  click('Preview');
  const loading = () => screen.findByRole('button', { name: 'Loading preview…' });
  expect(await loading()).toHaveProperty('ariaBusy', 'true');
  const detail = 'Invalid template: line 1, column 1: undefined filter: shout.';
  const errors = [{ pointer: '/titleTemplate', found: 'x', allowed: 'a Liquid template', detail }];
  const data = { type: 'x', title: 'Invalid', status: 400, detail, id: '1', errors };
  settle.reject(Object.assign(new Error('400'), { status: 400, data }));
  expect(await screen.findByText(`Title template: ${detail}`)).toBeDefined();

  type(/^Title template/, ' {{ title }} ');
  expect(screen.queryByText(/shout\.$/)).toBeNull();
  click('Preview');
  await loading();
  settle.resolve({ title: 'Disk full', text: 'One\ntwo', notification: null });
  const shown = await screen.findByRole('status');
  expect(shown.textContent).toBe('Disk fullOne\ntwoAn example, because the inbox is empty.');

  type(/^Text template/, '{{ body }}');
  expect(screen.queryByRole('status')).toBeNull();
  click('Preview');
  await loading();
  settle.resolve({ title: 'T', text: 'X', notification: 4, warning: 'bodyTemplate failed: line 1.' });
  expect((await screen.findByRole('status')).textContent).toContain('With the newest notification');
  expect(screen.getByText('bodyTemplate failed: line 1.')).toBeDefined();
  expect(sent.mock.calls.map(([, , body]: unknown[]) => body)).toEqual([
    { titleTemplate: '{{ title | shout }}' },
    { titleTemplate: '{{ title }}' },
    { titleTemplate: '{{ title }}', bodyTemplate: '{{ body }}' },
  ]);
});

it('a webhook has no templates', async () => {
  renderPage(NOTHING, '/?add=1');
  fireEvent.click(await screen.findByRole('radio', { name: /Webhook/ }));
  click('More settings');
  expect(screen.getByLabelText(/^Retry for/)).toBeDefined();
  expect(screen.queryByLabelText(/template/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull();
});
