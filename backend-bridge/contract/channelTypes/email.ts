/** Mail by SMTP. */
import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { describeChannel, text, whole } from './descriptor.ts';

/** One mailbox: `name@host` or `Name <name@host>`. Neither line breaks nor lists, so that a header stays one header. */
const mailbox = z.string().regex(/^(?:[^<>\r\n,;"]{0,100}<[^\s<>@,;"]+@[^\s<>@,;"]+>|[^\s<>@,;"]+@[^\s<>@,;"]+)$/, {
  error: 'a mail address such as "admin@example.org" or "Nodebell <nodebell@example.org>"',
});

export const email = describeChannel({
  label: (t) => t('channels.kind.email', 'Email'),
  description: (t) => t('channels.kind.email-text', 'Mail over your SMTP server. A thread is one conversation.'),
  icon: 'envelope',
  fields: {
    host: {
      schema: z.string().regex(/^[A-Za-z0-9_.:-]{1,253}$/, { error: 'the name or address of a host' }),
      required: true,
      label: (t) => t('channels.field.host', 'Mail server'),
    },
    port: {
      schema: whole(1, 65_535),
      element: 'number',
      label: (t) => t('channels.field.port', 'Port'),
      help: (t) => t('channels.help.port', 'If empty: 587 with STARTTLS, 465 with TLS, 25 without encryption.'),
      rule: (t) => t('channels.rule.port', 'A number from 1 to 65535'),
    },
    tls: {
      schema: z.enum(['starttls', 'implicit', 'none']).meta({ default: 'starttls' }),
      element: 'select',
      options: (t) => [
        { value: 'starttls', label: t('channels.tls.starttls', 'STARTTLS') },
        { value: 'implicit', label: t('channels.tls.implicit', 'TLS') },
        { value: 'none', label: t('channels.tls.none', 'None') },
      ],
      description:
        '`starttls`: encrypted after a command, and rejected where the server cannot; `implicit`: from the first byte; `none`: not encrypted.',
      label: (t) => t('channels.field.tls', 'Encryption'),
      rule: (t) => t('channels.rule.tls', 'With a password, the connection must be encrypted'),
    },
    username: {
      schema: text(320),
      label: (t) => t('channels.field.username', 'User name'),
    },
    password: {
      schema: text(4096),
      hidden: 'secret',
      label: (t) => t('channels.field.password', 'Password'),
    },
    from: {
      schema: mailbox,
      required: true,
      label: (t) => t('channels.field.from', 'From'),
      rule: (t) => t('channels.rule.from', 'A mail address such as Nodebell <nodebell@example.org>'),
    },
    to: {
      schema: z.array(mailbox).min(1).max(LIMITS.channelRecipients.value),
      required: true,
      element: 'list',
      label: (t) => t('channels.field.to', 'To'),
      help: (t) => t('channels.help.to', 'Addresses, separated by commas.'),
      rule: (t) => t('channels.rule.to', 'Mail addresses, separated by commas'),
    },
  },
  check: ({ tls }, has) => [
    [has('password') && !has('username'), 'username', 'given where there is a password'],
    [has('username') && !has('password'), 'password', 'given where there is a user name'],
    [
      tls === 'none' && has('password'),
      'tls',
      'starttls or implicit where there is a password, which would be sent in clear text',
    ],
  ],
});
