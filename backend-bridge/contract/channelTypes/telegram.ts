/** Messages of a bot. */
import { z } from 'zod';
import { describeChannel, tokenSchema, urlRule, urlSchema } from './descriptor.ts';

const CHAT = { error: 'the number of a chat, or @name of a public channel' };

export const telegram = describeChannel({
  label: () => 'Telegram',
  description: (t) => t('channels.kind.telegram-text', 'Messages of a bot. A resolved alert edits its message.'),
  icon: 'comment-alt',
  url: 'https://api.telegram.org',
  edits: 'silently',
  returnsPresses: true,
  fields: {
    token: {
      schema: tokenSchema,
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.bot-token', 'Bot token'),
      help: (t) => t('channels.help.bot-token', 'Write /newbot to @BotFather: it responds with the token.'),
    },
    chatId: {
      schema: z
        .union([z.number().int(CHAT), z.string().regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,63})$/, CHAT)], CHAT)
        .transform(String),
      required: true,
      element: 'chat',
      label: (t) => t('channels.field.chat', 'Chat'),
      help: (t) =>
        t('channels.help.chat', 'A number, or @name of a public channel. Send /start to the bot to find it.'),
      rule: (t) => t('channels.rule.chat', 'A number, or @name of a public channel'),
    },
    url: {
      schema: urlSchema,
      advanced: true,
      label: (t) => t('channels.field.server', 'Server'),
      help: (t) => t('channels.help.bot-api', 'A Bot API server of your own; https://api.telegram.org if empty.'),
      rule: urlRule,
    },
  },
});
