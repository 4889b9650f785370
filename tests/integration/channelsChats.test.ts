/** Chat services that have either a token, with which messages are changed, or a webhook. */
import { expect, test } from 'vitest';
import { CHATS, startSlack } from '../../backend-bridge/src/delivery/channels/kinds/chats.testing.ts';
import { bridgeWith, CHANNELS, closing, listOf, routesTo, send, setRoutes, until } from './channelsPage.testing.ts';

test('a webhook is replaced by a token', async () => {
  const slack = await closing(startSlack());
  const bridge = await bridgeWith();
  await bridge.call('POST', CHANNELS, { name: 'chat', type: 'slack', url: `${slack.url}${CHATS.slackHook}` });
  expect(await bridge.call('POST', `${CHANNELS}/chat/test`)).toEqual({ delivered: true });
  const withToken = { type: 'slack', token: CHATS.token, channel: CHATS.channel };
  const kept = await bridge.request('PUT', `${CHANNELS}/chat`, withToken);
  expect(kept).toMatchObject({ status: 400, body: { errors: [{ pointer: '/url' }] } });
  await bridge.call('PUT', `${CHANNELS}/chat`, { ...withToken, url: null });
  expect((await listOf(bridge)).channels[0]).toMatchObject({
    has: ['token'],
    settings: { channel: CHATS.channel },
    target: CHATS.channel,
  });
  await bridge.call('PUT', `${CHANNELS}/chat`, { ...withToken, url: `${slack.url}/api` });
  expect(await bridge.call('POST', `${CHANNELS}/chat/test`)).toEqual({ delivered: true });
  expect(slack.accepted.map(({ path }) => path)).toEqual([CHATS.slackHook, '/api/chat.postMessage']);
});

test.each([
  ['a token', { token: CHATS.token, channel: CHATS.channel }, '/api', { held: 0, waiting: 0 }],
  ['a webhook, whose messages cannot be changed', {}, CHATS.slackHook, { held: 1, waiting: 0 }],
])('a resolve in quiet hours, with %s', async (_, settings, path, state) => {
  const slack = await closing(startSlack());
  const bridge = await bridgeWith();
  const setClock = (iso: string) => bridge.clock.advance(Date.parse(iso) - bridge.clock.now);
  setClock('2030-01-07T20:00:00Z');
  const quietHours = [{ from: '22:00', to: '07:00' }];
  const chat = { name: 'chat', type: 'slack', url: `${slack.url}${path}`, ...settings, quietHours };
  await bridge.call('POST', CHANNELS, chat);
  await setRoutes(bridge, routesTo('chat'));
  const thread = { correlationId: 'disk', dnpName: 'geth' };
  await send(bridge, 'Disk full', { ...thread, status: 'triggered', priority: 'high' });
  await until(() => expect(slack.accepted).toHaveLength(1));
  await until(async () => expect((await listOf(bridge)).channels).toMatchObject([{ waiting: 0 }]));
  setClock('2030-01-07T22:30:00Z');
  await send(bridge, 'Disk full', { ...thread, status: 'resolved' });
  await until(async () => expect((await listOf(bridge)).channels).toMatchObject([state]));
  const changed = slack.accepted.filter(({ path: at }) => at === '/api/chat.update');
  expect(changed).toHaveLength(state.held === 0 ? 1 : 0);
  expect(slack.accepted).toHaveLength(1 + changed.length);
});
