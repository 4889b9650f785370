/** Buttons of messages in Discord, of a whole bridge. */
import { expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { discordApp, pressOf } from '../../backend-bridge/src/delivery/actions/discord.testing.ts';
import { CHATS, startDiscord } from '../../backend-bridge/src/delivery/channels/kinds/chats.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';

const ALERT = { title: 'Disk full', body: 'of /data', dnpName: 'geth', correlationId: 'disk', status: 'triggered' };
const INVALID = 'The action is unknown, has expired, or is no longer offered by the channel.';
const HOOK = /webhooks\/(\d+)/.exec(CHATS.discordHook)![1]!;
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });
const says = (content: string) => ({
  status: 200,
  body: { type: 4, data: { content, flags: 64, allowed_mentions: { parse: [] } } },
});

interface Sent {
  embeds: { description: string }[];
  components: { components: { label: string; custom_id: string }[] }[];
}

async function withDiscord() {
  const chat = await closing(startDiscord());
  const app = discordApp();
  const folder = await Folder.make({
    'reach.yaml': `apiVersion: 1
channels:
  - { name: team, type: discord, url: '${chat.url}${CHATS.discordHook}', publicKey: ${app.publicKey}, actions: [acknowledge, resolve] }
routes: [{ channels: [team] }]
`,
  });
  const { bridge } = await folder.start();
  const { body } = await bridge.post(ALERT);
  const { id } = body as { id: number };
  await until(() => expect(chat.messages.size).toBe(1));
  const message = () => [...chat.messages.values()][0] as unknown as Sent;
  const buttons = () => message().components.flatMap(({ components }) => components);
  const tokenOf = (label: string) => buttons().find((one) => one.label === label)!.custom_id;
  const timeline = async () => (await bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`)).timeline;
  return { app, bridge, message, buttons, tokenOf, timeline };
}

test('a button acknowledges in the name of the person, once, and the message shows it', async () => {
  const { app, bridge, message, buttons, tokenOf, timeline } = await withDiscord();
  const press = pressOf(tokenOf('Acknowledge'), HOOK);
  expect(await app.post(bridge.url, press)).toMatchObject(says('Acknowledged.'));
  expect(await app.post(bridge.url, press)).toMatchObject(says('This was done already.'));
  expect(await timeline()).toMatchObject([{ kind: 'acknowledged', by: 'Ada, by Discord' }]);
  await until(() => expect(message().embeds[0]!.description).toContain('Acknowledged by Ada'));
  expect(buttons().map(({ label }) => label)).toEqual(['Resolve']);
  const named = pressOf(tokenOf('Resolve'), HOOK, { username: 'bob', global_name: null });
  expect(await app.post(bridge.url, named)).toMatchObject(says('Resolved.'));
  await until(() => expect(message().components).toEqual([]));
});

test('the address is accepted by Discord: pings are answered, and wrong signatures rejected', async () => {
  const { app, bridge } = await withDiscord();
  expect(await app.post(bridge.url, { type: 1 })).toMatchObject({ status: 200, body: { type: 1 } });
  expect(await app.post(bridge.url, { type: 1 }, { signed: { type: 2 } })).toMatchObject({ status: 401 });
  expect(await discordApp().post(bridge.url, { type: 1 })).toMatchObject({ status: 401 });
});

test('a press that is not signed, is of another webhook or has another token does nothing', async () => {
  const { app, bridge, tokenOf, timeline } = await withDiscord();
  const token = tokenOf('Acknowledge');
  expect(await discordApp().post(bridge.url, pressOf(token, HOOK))).toMatchObject({ status: 401 });
  expect(await app.post(bridge.url, pressOf(token, '99'))).toMatchObject(says(INVALID));
  expect(await app.post(bridge.url, pressOf(`${token}A`, HOOK))).toMatchObject(says(INVALID));
  expect(await app.post(bridge.url, { type: 2, data: { id: '1', name: 'ack' } })).toMatchObject(says(INVALID));
  const link = await bridge.request('POST', '/api/v1/actions', { token }, { authorization: '' });
  expect(link.status).toBe(410);
  expect(await timeline()).toBeUndefined();
});
