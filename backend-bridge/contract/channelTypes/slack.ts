/** Slack: messages of an app, or of an incoming webhook. */
import { describeChannel, roomSchema, tokenSchema, urlRule, urlSchema } from './descriptor.ts';

export const slack = describeChannel({
  label: () => 'Slack',
  description: (t) =>
    t('channels.kind.slack-text', 'Messages of an app. With a bot token, a resolved alert edits its message.'),
  icon: 'slack',
  edits: 'silently',
  returnsPresses: 'appToken',
  fields: {
    token: {
      schema: tokenSchema,
      hidden: 'secret',
      label: (t) => t('channels.field.bot-token', 'Bot token'),
      help: (t) => t('channels.help.slack-token', 'xoxb-… of an app with the scope chat:write. Or a webhook below.'),
    },
    channel: {
      schema: roomSchema,
      label: (t) => t('channels.field.channel', 'Channel'),
      help: (t) =>
        t(
          'channels.help.slack-channel',
          'With a bot token: the ID of a channel that the app is in, such as C0123456789.'
        ),
      rule: (t) => t('channels.rule.with-token', 'Given together with a token, without spaces'),
    },
    appToken: {
      schema: tokenSchema,
      hidden: 'secret',
      advanced: true,
      label: (t) => t('channels.field.app-token', 'App-level token'),
      help: (t) =>
        t(
          'channels.help.app-token',
          'xapp-… with the scope connections:write, of an app with Socket Mode: for the buttons of “Actions in messages”.'
        ),
    },
    url: {
      schema: urlSchema,
      hidden: 'address',
      label: (t) => t('channels.field.webhook-url', 'Webhook URL'),
      help: (t) =>
        t(
          'channels.help.slack-url',
          'An incoming webhook, which cannot edit. With a bot token: another Web API, or empty.'
        ),
      rule: urlRule,
    },
  },
  check: ({ url, channel }, has) => [
    [!has('token') && !has('url'), 'token', 'given, or the URL of an incoming webhook as "url"'],
    [has('token') && !has('channel'), 'channel', 'given where there is a token'],
    [has('channel') && !has('token'), 'token', 'given where there is a channel'],
    [has('appToken') && !has('token'), 'token', 'given where there is an app-level token'],
    [
      // Presses in private channels do not have their name.
      has('appToken') && has('channel') && !/^[CDG][A-Z0-9]+$/.test(String(channel)),
      'channel',
      'an ID such as C0123456789 where there is an app-level token',
    ],
    [
      has('token') && /\/services\//.test(String(url)),
      'url',
      'absent where there is a token: an incoming webhook has a channel of its own',
    ],
  ],
});
