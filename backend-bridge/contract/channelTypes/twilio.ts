/** Text messages and phone calls by Twilio. */
import { z } from 'zod';
import { PRIORITIES } from '../notification.ts';
import { describeChannel, tokenSchema, urlRule, urlSchema } from './descriptor.ts';

const NUMBER = String.raw`\+[1-9]\d{6,14}`;
const isNumber = (text: unknown): boolean => new RegExp(`^${NUMBER}$`).test(String(text));
/** SID of an account (AC) or of an API key (SK). */
const sid = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`), { error: `${prefix} and 32 hexadecimal digits` });

export const twilio = describeChannel({
  label: () => 'Twilio',
  description: (t) => t('channels.kind.twilio-text', 'Text messages, and phone calls that read the title.'),
  icon: 'mobile-android',
  url: 'https://api.twilio.com',
  fields: {
    accountSid: {
      schema: sid('AC'),
      required: true,
      label: (t) => t('channels.field.account-sid', 'Account SID'),
      rule: (t) => t('channels.rule.account-sid', 'AC and 32 hexadecimal digits'),
    },
    token: {
      schema: tokenSchema,
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.auth-token', 'Auth token'),
      help: (t) => t('channels.help.auth-token', 'Or the secret of the API key.'),
    },
    keySid: {
      schema: sid('SK'),
      advanced: true,
      label: (t) => t('channels.field.key-sid', 'SID of an API key'),
      help: (t) => t('channels.help.key-sid', 'If the token is the secret of a key.'),
      rule: (t) => t('channels.rule.key-sid', 'SK and 32 hexadecimal digits'),
    },
    fromNumber: {
      schema: z.string().regex(new RegExp(`^(?:${NUMBER}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{1,11})$`), {
        error: 'a phone number such as "+15005550006", the SID of a messaging service, or a sender ID',
      }),
      required: true,
      label: (t) => t('channels.field.from-number', 'From number'),
      help: (t) =>
        t(
          'channels.help.from-number',
          'A number of your account. For text messages also the SID of a messaging service.'
        ),
      rule: (t) =>
        t(
          'channels.rule.from-number',
          'A number such as +15005550006, which calls need, or the SID of a messaging service'
        ),
    },
    toNumber: {
      schema: z.string().refine(isNumber, { error: 'a phone number such as "+4915112345678"' }),
      required: true,
      label: (t) => t('channels.field.to-number', 'To number'),
      rule: (t) => t('channels.rule.to-number', 'A number such as +4915112345678'),
    },
    callPriority: {
      schema: z.enum(['never', ...PRIORITIES]).meta({ default: 'never' }),
      element: 'select',
      options: (t) => [
        { value: 'never', label: t('channels.call.never', 'Never') },
        { value: 'critical', label: t('channels.call.critical', 'Critical') },
        { value: 'high', label: t('channels.call.high', 'Important or more urgent') },
        { value: 'medium', label: t('channels.call.medium', 'Relevant or more urgent') },
        { value: 'low', label: t('channels.call.low', 'All') },
      ],
      label: (t) => t('channels.field.call-priority', 'Call instead of a text message'),
      help: (t) => t('channels.help.call-priority', 'Once for each alert that fires. The rest are text messages.'),
    },
    url: {
      schema: urlSchema,
      advanced: true,
      label: (t) => t('channels.field.server', 'Server'),
      help: (t) => t('channels.help.twilio-url', 'Of another region; https://api.twilio.com if empty.'),
      rule: urlRule,
    },
  },
  check: ({ fromNumber, callPriority = 'never' }) => [
    [
      callPriority !== 'never' && fromNumber !== undefined && !isNumber(fromNumber),
      'fromNumber',
      'a phone number where there are calls',
    ],
  ],
});
