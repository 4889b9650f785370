/** The list of the undelivered, and chats of bots: operations of the page Channels. */
import { expect, test } from 'vitest';
import type { Undelivered } from '../../backend-bridge/contract/channel.ts';
import { startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { startTelegram, TELEGRAM } from '../../backend-bridge/src/delivery/channels/telegram.testing.ts';
import { bridgeWith, CHANNELS, closing, routesTo, send, setRoutes, titles, until } from './channelsPage.testing.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';

test('the undelivered are sent again or discarded, one or all', async () => {
  const ntfy = await closing(startNtfy());
  ntfy.broken = { status: 400 };
  const bridge = await bridgeWith();
  await bridge.call('POST', CHANNELS, { name: 'push', type: 'ntfy', url: ntfy.url, topic: 't' });
  await setRoutes(bridge, routesTo('push'));
  const list = `${CHANNELS}/undelivered`;
  const undelivered = async () => (await bridge.call<Undelivered>('GET', list)).undelivered;
  for (const title of ['a', 'b', 'c', 'd']) {
    await send(bridge, title);
    await until(async () => {
      bridge.clock.advance(1000);
      expect((await undelivered())[0]).toMatchObject({ title });
    });
  }
  const [last] = await undelivered();
  expect((await bridge.request('DELETE', `${list}/${last!.id}`)).status).toBe(204);
  expect((await bridge.request('DELETE', `${list}/${last!.id}`)).status).toBe(404);
  expect((await bridge.request('POST', `${list}/send?channel=absent`)).body).toEqual({ count: 0 });
  ntfy.broken = undefined;
  expect((await bridge.request('POST', `${list}/send?channel=push`)).body).toEqual({ count: 3 });
  await until(() => {
    bridge.clock.advance(1000);
    expect(titles(ntfy).sort()).toEqual(['a', 'b', 'c']);
  });
  ntfy.reject({ status: 400 });
  await send(bridge, 'e');
  await until(async () => expect(await undelivered()).toHaveLength(1));
  expect((await bridge.request('DELETE', list)).body).toEqual({ count: 1 });
  expect(await undelivered()).toEqual([]);
});

test('chats of a bot are those that have written to it, newest first', async () => {
  const telegram = await closing(startTelegram(BOT));
  const bridge = await bridgeWith();
  const find = (body: object) => bridge.request('POST', `${CHANNELS}/chats`, { url: telegram.url, ...body });
  const ada = { id: 42, type: 'private', first_name: 'Ada', last_name: 'L' };
  telegram.updates.push(
    { update_id: 1, message: { chat: ada } },
    { update_id: 2, my_chat_member: { chat: { id: -100, type: 'group', title: 'Ops' } } },
    { update_id: 3, poll: {} },
    { update_id: 4, message: { chat: ada } }
  );
  const chats = [
    { id: '42', title: 'Ada L', kind: 'private' },
    { id: '-100', title: 'Ops', kind: 'group' },
  ];
  expect((await find({ token: BOT })).body).toEqual({ bot: 'node_bot', chats });
  telegram.reject(TELEGRAM.unauthorized);
  expect((await find({ token: BOT })).body).toEqual({
    bot: null,
    chats: [],
    reason: 'The server responds with 401: Unauthorized.',
  });
  telegram.reject({ status: 200, body: { ok: true, result: { username: 'b' } } }, TELEGRAM.webhook);
  expect((await find({ token: BOT })).body.reason).toMatch(/webhook is active/);
  expect((await find({})).status).toBe(400);
  await bridge.call('POST', CHANNELS, { name: 'phone', type: 'telegram', url: telegram.url, token: BOT, chatId: 42 });
  const kept = await bridge.request('POST', `${CHANNELS}/chats`, { name: 'phone' });
  expect(kept.body).toEqual({ bot: 'node_bot', chats });
});
