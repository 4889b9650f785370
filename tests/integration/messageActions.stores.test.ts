/** Actions in messages, of a whole bridge with receivers on this machine. */
import { expect, test } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram, type Telegram } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import type { Config } from '../../backend-bridge/src/config.ts';
import { closing } from './channelsPage.testing.ts';
import { actionsOf, ALERT, ALL, PUBLIC, pushFile, take, until } from './messageActions.testing.ts';
import { Listener } from './listener.ts';
import { Folder, type Provisioned } from './provisioning.testing.ts';
import { HOUR, MINUTE } from './support.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';
const ADA = { first_name: 'Ada' };

async function withTelegram(
  { actions = ALL, more = '' } = {},
  config: Partial<Config> = {}
): Promise<
  Pick<Provisioned, 'bridge'> & {
    telegram: Telegram;
    folder: Folder;
    id: number;
    detail: () => Promise<NotificationDetail>;
  }
> {
  const telegram = await closing(startTelegram(BOT));
  const folder = await Folder.make({ 'reach.yaml': fileOf(telegram, actions, more) });
  const running = await folder.start({ BOT }, config);
  const { body } = await running.bridge.post(ALERT);
  const { id } = body as { id: number };
  await until(() => expect(telegram.texts.size).toBe(1));
  const detail = () => running.bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
  return { bridge: running.bridge, telegram, folder, id, detail };
}
const fileOf = ({ url }: Telegram, actions: string, more = ''): string =>
  `apiVersion: 1\nchannels:\n  - { name: chat, type: telegram, url: '${url}', token: $BOT, chatId: 42, actions: ${actions} ${more} }\n` +
  'routes:\n  - { channels: [chat] }\n';
const tokenOf = ({ buttons }: Telegram, label: string, message = 1): string => buttons.get(message)![label]!;

test('who presses "Acknowledge" in a chat is in the timeline, the audit log and the message, once', async () => {
  const { bridge, telegram, detail } = await withTelegram();
  expect(Object.keys(telegram.buttons.get(1)!)).toEqual(['Acknowledge', 'Snooze 1 h', 'Resolve']);
  const token = tokenOf(telegram, 'Acknowledge');
  telegram.press(token, ADA);
  await until(() => expect(telegram.answers).toEqual(['Acknowledged.']));
  expect((await detail()).thread.acknowledged).toMatchObject({ by: 'Ada, by Telegram' });
  expect((await detail()).timeline).toMatchObject([{ kind: 'acknowledged', by: 'Ada, by Telegram' }]);
  await until(() => expect(telegram.texts.get(1)).toContain('Acknowledged by Ada, by Telegram.'));
  expect(Object.keys(telegram.buttons.get(1)!)).toEqual(['Snooze 1 h', 'Resolve']);
  expect(telegram.texts.size).toBe(1);
  telegram.press(token, { first_name: 'Bob' });
  await until(() => expect(telegram.answers).toEqual(['Acknowledged.', 'This was done already.']));
  const audit = await bridge.call<{ entries: object[] }>('GET', '/api/v1/audit?action=notification.acknowledge');
  expect(audit.entries).toMatchObject([{ actor: { kind: 'channel', name: 'Ada, by Telegram' } }]);
  expect(JSON.stringify(audit)).not.toContain(token);
});

test('an acknowledgement in the inbox is shown in the chat, and its removal as well', async () => {
  const { bridge, telegram, id } = await withTelegram();
  await bridge.call('POST', `/api/v1/notifications/${id}/acknowledge`);
  await until(() => expect(telegram.texts.get(1)).toContain('Acknowledged.'));
  await bridge.call('DELETE', `/api/v1/notifications/${id}/acknowledge`);
  await until(async () => {
    bridge.clock.advance(MINUTE);
    await bridge.call('GET', '/api/v1/notifications');
    expect(telegram.texts.get(1)).not.toContain('Acknowledged.');
  });
  expect(Object.keys(telegram.buttons.get(1)!)).toContain('Acknowledge');
});

test('snoozes and resolves', async () => {
  const { bridge, telegram, detail } = await withTelegram();
  telegram.press(tokenOf(telegram, 'Snooze 1 h'), ADA);
  await until(() => expect(telegram.answers[0]).toMatch(/^Snoozed until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/));
  const until1h = new Date(bridge.clock.read() + HOUR).toISOString().slice(0, 13);
  expect((await detail()).thread.snoozed).toMatchObject({ for: 'all', by: 'Ada, by Telegram' });
  expect((await detail()).thread.snoozed!.until.slice(0, 13)).toBe(until1h);
  telegram.press(tokenOf(telegram, 'Resolve'), ADA);
  await until(() => expect(telegram.answers[1]).toBe('Resolved.'));
  await until(() => expect(telegram.texts.get(1)).toContain('Resolved: Disk full'));
  expect(telegram.buttons.get(1)).toEqual({});
  expect((await detail()).thread.state).toBe('resolved');
});

test('a press that was not confirmed before a kill takes effect once, and an open inbox sees it once', async () => {
  const { bridge, telegram, detail } = await withTelegram();
  const inbox = await Listener.connect(bridge);
  await inbox.until(1);
  const token = tokenOf(telegram, 'Acknowledge');
  await bridge.stop();
  telegram.press(token, ADA);
  await bridge.start();
  await until(() => expect(telegram.answers).toEqual(['Acknowledged.']));
  telegram.updates.push({
    update_id: 1,
    callback_query: { id: 'q', from: ADA, message: { chat: { id: 42 } }, data: token },
  });
  await bridge.restart();
  await until(() => expect(telegram.answers.at(-1)).toBe('This was done already.'));
  expect((await detail()).timeline).toHaveLength(1);
  const again = await Listener.connect(bridge, inbox.lastId);
  await bridge.post({ title: 'Last' });
  await again.until(({ data }) => data.notification?.title === 'Last');
  expect(again.types.filter((type) => type === 'responded')).toHaveLength(1);
  await again.close();
});

test.each([
  ['of another chat', { first_name: 'Eve', chat: { id: 43 } }],
  ['of another chat with a name', { first_name: 'Eve', chat: { id: 44, username: 'forty_two' } }],
])('a press %s does nothing', async (_, eve) => {
  const { telegram, detail } = await withTelegram();
  telegram.press(tokenOf(telegram, 'Acknowledge'), eve);
  await until(() => expect(telegram.answers).toEqual(['This button is not of this chat, or has expired.']));
  expect((await detail()).thread.acknowledged).toBeUndefined();
});

test('a token of a button acts in its chat only, not over HTTP', async () => {
  const running = await withTelegram({}, PUBLIC);
  const token = tokenOf(running.telegram, 'Acknowledge');
  expect((await take(running, token)).status).toBe(410);
  expect((await running.detail()).thread.acknowledged).toBeUndefined();
});

test('a route that a later notification does not take keeps its own text when somebody responds', async () => {
  const telegram = await closing(startTelegram(BOT));
  const file = fileOf(telegram, ALL).replace('channels: [chat] }', 'channels: [chat], priority: critical }');
  const { bridge } = await (await Folder.make({ 'reach.yaml': file })).start({ BOT });
  const { body } = await bridge.post({ ...ALERT, priority: 'critical' });
  await until(() => expect(telegram.texts.size).toBe(1));
  await bridge.post({ ...ALERT, title: 'Disk better', priority: 'low' });
  await bridge.call('POST', `/api/v1/notifications/${(body as { id: number }).id}/acknowledge`);
  await until(() => expect(telegram.texts.get(1)).toContain('Acknowledged.'));
  expect(telegram.texts.get(1)).toContain('Critical: Disk full');
});

test('a message that was deleted in the chat is not posted again by a response', async () => {
  const { bridge, telegram, id } = await withTelegram();
  telegram.texts.clear();
  await bridge.call('POST', `/api/v1/notifications/${id}/acknowledge`);
  await until(() => expect(telegram.arrived.some(({ path }) => path.endsWith('editMessageText'))).toBe(true));
  await bridge.call('POST', '/api/v1/channels/undelivered/send');
  expect(telegram.texts.size).toBe(0);
});

test('without actions, a message offers none, and a bot is not read', async () => {
  const telegram = await closing(startTelegram(BOT));
  const folder = await Folder.make({ 'reach.yaml': fileOf(telegram, '[snooze]').replace(/, actions: \[snooze\]/, '') });
  const { bridge } = await folder.start({ BOT });
  await bridge.post(ALERT);
  await until(() => expect(telegram.texts.size).toBe(1));
  expect(telegram.buttons.get(1)).toEqual({});
  expect(telegram.arrived.filter(({ path }) => path.endsWith('getUpdates'))).toEqual([]);
});

test('ntfy acts at the public address; opening the page does not act, and shows what it does', async () => {
  const ntfy = await closing(startNtfy());
  const folder = await Folder.make({ 'reach.yaml': pushFile(ntfy, ALL) });
  const running = await folder.start({}, PUBLIC);
  const { body } = await running.bridge.post(ALERT);
  const { id } = body as { id: number };
  await until(() => expect(ntfy.accepted).toHaveLength(1));
  const [first] = actionsOf(ntfy.accepted[0]!);
  expect(first).toMatchObject({
    action: 'http',
    label: 'Acknowledge',
    url: 'https://bridge.example.org/api/v1/actions',
    method: 'POST',
  });
  const { token } = JSON.parse(first!.body!) as { token: string };
  const page = await running.bridge.request('GET', '/act', undefined, { authorization: '' });
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(await running.bridge.request('POST', '/api/v1/actions/show', { token }, { authorization: '' })).toMatchObject({
    status: 200,
    body: { action: 'acknowledge', title: 'Disk full', channel: 'push' },
  });
  const acknowledged = async () =>
    (await running.bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).thread.acknowledged;
  expect(await acknowledged()).toBeUndefined();
  // The browser of somebody who is signed in, led there by another site.
  const crossSite = { authorization: '', 'sec-fetch-site': 'cross-site' };
  expect((await running.bridge.request('POST', '/api/v1/actions', { token }, crossSite)).status).toBe(403);
  expect(await take(running, token)).toMatchObject({ status: 200, body: { done: 'Acknowledged.' } });
  expect(await acknowledged()).toMatchObject({ by: 'ntfy (push)' });
  expect(await take(running, token)).toMatchObject({ status: 410, body: { detail: 'This was done already.' } });
});
