/** Mattermost: messages of a bot, or of an incoming webhook. */
import { describeChannel, roomSchema, serverOrWebhook, tokenSchema } from './descriptor.ts';

export const mattermost = describeChannel({
  label: () => 'Mattermost',
  description: (t) =>
    t('channels.kind.mattermost-text', 'Messages of a bot. With its token, a resolved alert edits its message.'),
  icon: 'comments-alt',
  edits: 'silently',
  fields: {
    url: serverOrWebhook,
    token: {
      schema: tokenSchema,
      hidden: 'secret',
      label: (t) => t('channels.field.bot-token', 'Bot token'),
      help: (t) => t('channels.help.mattermost-token', 'Access token of a bot account that is in the channel.'),
    },
    channel: {
      schema: roomSchema,
      label: (t) => t('channels.field.channel', 'Channel'),
      help: (t) => t('channels.help.mattermost-channel', 'With a token: the ID below “View Info” of the channel.'),
      rule: (t) => t('channels.rule.with-token', 'Given together with a token, without spaces'),
    },
  },
  check: (_given, has) => [
    [has('token') && !has('channel'), 'channel', 'given where there is a token'],
    [has('channel') && !has('token'), 'token', 'given where there is a channel'],
  ],
});
