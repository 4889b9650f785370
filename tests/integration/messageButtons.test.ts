/** Buttons of messages whose service sends the presses to the bridge, of a whole bridge. */
import { expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import { type Chat, CHATS, startMattermost } from '../../backend-bridge/src/delivery/channels/kinds/chats.testing.ts';
import { startNtfy } from '../../backend-bridge/src/delivery/channels/receivers.testing.ts';
import { closing } from './channelsPage.testing.ts';
import { Folder } from './provisioning.testing.ts';

const ALERT = { title: 'Disk full', body: 'of /data', dnpName: 'geth', correlationId: 'disk', status: 'triggered' };
const PUBLIC = { publicUrl: 'https://bridge.example.org' };
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** @param channels flow mappings of YAML; notifications go to all */
async function withChannels(channels: readonly string[], config: object = PUBLIC) {
  const names = channels.map((one) => /name: (\w+)/.exec(one)![1]);
  const folder = await Folder.make({
    'reach.yaml': `apiVersion: 1\nchannels:\n${channels.map((one) => `  - { ${one} }\n`).join('')}routes: [{ channels: [${names.join(', ')}] }]\n`,
  });
  const { bridge } = await folder.start({ TOKEN: CHATS.token }, config);
  const { body } = await bridge.post(ALERT);
  const { id } = body as { id: number };
  const detail = () => bridge.call<NotificationDetail>('GET', `/api/v1/notifications/${id}`);
  return { bridge, detail };
}

interface Button {
  name: string;
  integration: { url: string; context: { token: string } };
}
interface Post {
  message: string;
  props: { attachments: { actions: Button[] }[] };
}
const ofMattermost = ({ url }: Chat): string =>
  `name: team, type: mattermost, url: '${url}', token: $TOKEN, channel: ${CHATS.channel}, actions: [acknowledge, resolve]`;
const postOf = ({ messages }: Chat): Post => messages.get('post0') as Post;
const buttonsOf = (chat: Chat): Button[] => postOf(chat).props.attachments.flatMap(({ actions }) => actions);
/** The request of Mattermost's documentation, "Interactive messages". */
const pressOf = (token: string, who = 'ada') => ({
  user_id: 'rd49ehbqyjytmexwn7tk8a3k7o',
  user_name: who,
  channel_id: CHATS.channel,
  channel_name: 'alerts',
  team_id: 'ydn6oqhwxjdfbdd5smc8i1hyyo',
  team_domain: 'ops',
  post_id: 'post0',
  trigger_id: 'bnVmZQ==',
  type: 'button',
  data_source: '',
  context: { token },
});

test('Mattermost: a button acknowledges in the name of the person, once, and the message shows it', async () => {
  const chat = await closing(startMattermost());
  const { bridge, detail } = await withChannels([ofMattermost(chat)]);
  await until(() => expect(chat.messages.size).toBe(1));
  expect(buttonsOf(chat).map(({ name }) => name)).toEqual(['Acknowledge', 'Resolve']);
  expect(postOf(chat).message).not.toContain('/act');
  const { url, context } = buttonsOf(chat)[0]!.integration;
  const press = (who: string) =>
    bridge.request('POST', new URL(url).pathname, pressOf(context.token, who), { authorization: '' });
  expect(url).toMatch(/^https:\/\/bridge\.example\.org\/api\/v1\/actions\/mattermost$/);
  expect(await press('ada')).toMatchObject({ status: 200, body: { ephemeral_text: 'Acknowledged.' } });
  expect(await press('bob')).toMatchObject({ status: 200, body: { ephemeral_text: 'This was done already.' } });
  expect((await detail()).timeline).toMatchObject([{ kind: 'acknowledged', by: 'ada, by Mattermost' }]);
  await until(() => expect(postOf(chat).message).toContain('Acknowledged by ada'));
  expect(buttonsOf(chat).map(({ name }) => name)).toEqual(['Resolve']);
  const resolve = buttonsOf(chat)[0]!.integration.context.token;
  await bridge.request('POST', new URL(url).pathname, pressOf(resolve), { authorization: '' });
  await until(() => expect(postOf(chat).message).toContain('Resolved'));
  expect(postOf(chat).props).toEqual({ attachments: [] });
  expect((await detail()).thread.state).toBe('resolved');
});

test('Mattermost: without a public address, there are no buttons', async () => {
  const chat = await closing(startMattermost());
  await withChannels([ofMattermost(chat)], {});
  await until(() => expect(chat.messages.size).toBe(1));
  expect(buttonsOf(chat)).toEqual([]);
});

test('Mattermost: a token that people read, of another type, gives nobody a name', async () => {
  const ntfy = await closing(startNtfy());
  const push = `name: push, type: ntfy, url: '${ntfy.url}', topic: node, actions: [acknowledge]`;
  const { bridge, detail } = await withChannels([push]);
  await until(() => expect(ntfy.accepted).toHaveLength(1));
  const [action] = ntfy.accepted[0]!.json.actions as { body: string }[];
  const { token } = JSON.parse(action!.body) as { token: string };
  const pressed = await bridge.request('POST', '/api/v1/actions/mattermost', pressOf(token), { authorization: '' });
  expect(pressed.body).toEqual({
    ephemeral_text: 'The action is unknown, has expired, or is no longer offered by the channel.',
  });
  expect((await detail()).timeline).toBeUndefined();
});
