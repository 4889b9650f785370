/** Buttons of messages whose service sends the presses to the bridge, of a whole bridge. */
import { expect, test, vi } from 'vitest';
import type { NotificationDetail } from '../../backend-bridge/contract/notification.ts';
import {
  type Chat,
  CHATS,
  startMattermost,
  startSlack,
} from '../../backend-bridge/src/delivery/channels/kinds/chats.testing.ts';
import { startSocketMode } from '../../backend-bridge/src/delivery/channels/kinds/slackSocket.testing.ts';
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
  const { bridge } = await folder.start({ TOKEN: CHATS.token, APP_TOKEN: CHATS.appToken }, config);
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

interface Blocks {
  text: string;
  blocks: { type: string; elements?: { action_id?: string; value: string; url?: string }[] }[];
}
const MESSAGE = '1700000000.000000';
const ofSlack = (url: string, more = ''): string =>
  `name: team, type: slack, url: '${url}/api', token: $TOKEN, channel: ${CHATS.channel}, actions: [acknowledge, snooze]${more}`;

async function withSlack(config: object = {}) {
  const socket = await closing(startSocketMode());
  const slack = await closing(startSlack(() => socket.open()));
  const running = await withChannels([ofSlack(slack.url, ', appToken: $APP_TOKEN')], config);
  await until(() => expect(slack.messages.size).toBe(1));
  await until(() => expect(socket.connections.size).toBe(1));
  const message = () => slack.messages.get(MESSAGE) as unknown as Blocks;
  const tokens = () =>
    Object.fromEntries(
      message().blocks.flatMap(({ elements = [] }) =>
        elements.flatMap(({ action_id: id, value }) => (id === undefined ? [] : [[id, value] as const]))
      )
    );
  let pressed = 0;
  /** The payload of Slack's documentation, "block_actions payload". @returns the id of the envelope */
  const press = (value: string, name = 'ada', channel: string = CHATS.channel): string => {
    pressed += 1;
    const envelope_id = `dbdd0ef3-1543-4f94-bfb4-133d0e6c1545-${pressed}`;
    socket.send({
      envelope_id,
      type: 'interactive',
      accepts_response_payload: true,
      payload: {
        type: 'block_actions',
        user: { id: 'U1', username: name, name, team_id: 'T1' },
        api_app_id: 'A1',
        container: { type: 'message', message_ts: MESSAGE, channel_id: channel, is_ephemeral: false },
        trigger_id: '12466734323.1395872398',
        channel: { id: channel, name: 'alerts' },
        response_url: `${slack.url}/actions/T1/1232321423432/D09sSasdasdAS9091209`,
        actions: [
          { action_id: 'acknowledge', block_id: '=qXel', value, type: 'button', action_ts: '1548426417.840180' },
        ],
      },
    });
    return envelope_id;
  };
  const said = () => slack.accepted.filter(({ path }) => path.startsWith('/actions/')).map(({ json }) => json.text);
  return { ...running, socket, slack, message, tokens, press, said };
}

test('Slack: a button acknowledges in the name of the person, once, and the message shows it', async () => {
  const { detail, socket, message, tokens, press, said } = await withSlack(PUBLIC);
  expect(Object.keys(tokens())).toEqual(['acknowledge', 'snooze']);
  expect(JSON.stringify(message())).not.toContain('/act');
  const token = tokens()['acknowledge']!;
  const first = press(token);
  await until(() => expect(socket.acknowledged).toEqual([first]));
  expect((await detail()).timeline).toMatchObject([{ kind: 'acknowledged', by: 'ada, by Slack' }]);
  press(token, 'bob');
  await until(() => expect(said()).toEqual(['Acknowledged.', 'This was done already.']));
  await until(() => expect(JSON.stringify(message())).toContain('Acknowledged by ada'));
  expect(Object.keys(tokens())).toEqual(['snooze']);
});

test('Slack: a press in another channel, and a token over HTTP, do nothing', async () => {
  const { bridge, detail, tokens, press, said } = await withSlack();
  const token = tokens()['acknowledge']!;
  press(token, 'eve', 'C9999999999');
  await until(() => expect(said()).toEqual(['This button is not of this chat, or has expired.']));
  const taken = await bridge.request('POST', '/api/v1/actions', { token }, { authorization: '' });
  expect(taken.status).toBe(410);
  expect((await detail()).timeline).toBeUndefined();
});

test.each([
  ['that Slack ends', 'refresh_requested'],
  ['that breaks', undefined],
])('Slack: a connection %s is replaced', async (_, reason) => {
  const { detail, socket, slack, tokens, press } = await withSlack();
  const [first] = socket.connections;
  socket.end(reason);
  await until(() => {
    expect(socket.connections.size).toBe(1);
    expect(socket.connections).not.toContain(first);
  });
  press(tokens()['acknowledge']!);
  await until(async () => expect((await detail()).timeline).toHaveLength(1));
  expect(slack.arrived.filter(({ path }) => path === '/api/apps.connections.open')).toHaveLength(2);
});

test('Slack: without an app-level token, there are links, and no buttons that nobody hears', async () => {
  const slack = await closing(startSlack());
  await withChannels([ofSlack(slack.url)]);
  await until(() => expect(slack.messages.size).toBe(1));
  const buttons = (slack.messages.get(MESSAGE) as unknown as Blocks).blocks.flatMap(({ elements = [] }) => elements);
  expect(buttons.filter(({ action_id: id }) => id !== undefined)).toEqual([]);
  expect(buttons.filter(({ url = '' }) => url.includes('/act#'))).toHaveLength(2);
});

test('Slack: the connection ends with the bridge', async () => {
  const { bridge, socket } = await withSlack();
  await bridge.stop();
  await until(() => expect(socket.connections.size).toBe(0));
});
