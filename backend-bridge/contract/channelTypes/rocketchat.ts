/** Rocket.Chat: messages of a user, or of an incoming webhook. */
import { describeChannel, roomSchema, serverOrWebhook, tokenSchema } from './descriptor.ts';

export const rocketchat = describeChannel({
  label: () => 'Rocket.Chat',
  description: (t) =>
    t('channels.kind.rocketchat-text', 'Messages of a bot. With its token, a resolved alert edits its message.'),
  icon: 'rocket',
  edits: 'silently',
  fields: {
    url: serverOrWebhook,
    token: {
      schema: tokenSchema,
      hidden: 'secret',
      label: (t) => t('channels.field.token', 'Access token'),
      help: (t) => t('channels.help.rocketchat-token', 'A personal access token, which does not need two factors.'),
    },
    userId: {
      schema: tokenSchema,
      label: (t) => t('channels.field.user-id', 'User ID'),
      help: (t) => t('channels.help.user-id', 'Shown with the access token when it is created.'),
      rule: (t) => t('channels.rule.with-token', 'Given together with a token, without spaces'),
    },
    channel: {
      schema: roomSchema,
      label: (t) => t('channels.field.channel', 'Channel'),
      help: (t) => t('channels.help.rocketchat-channel', 'With a token: #name, @user, or the ID of a room.'),
      rule: (t) => t('channels.rule.with-token', 'Given together with a token, without spaces'),
    },
  },
  check: (_given, has) => [
    [has('token') && !has('userId'), 'userId', 'given where there is a token'],
    [has('token') && !has('channel'), 'channel', 'given where there is a token'],
    [(has('channel') || has('userId')) && !has('token'), 'token', 'given where there is a channel or a user ID'],
  ],
});
