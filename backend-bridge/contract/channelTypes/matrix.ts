/** Messages in a room of Matrix. */
import { z } from 'zod';
import { describeChannel, tokenSchema, urlRule, urlSchema } from './descriptor.ts';

export const matrix = describeChannel({
  label: () => 'Matrix',
  description: (t) =>
    t('channels.kind.matrix-text', 'Messages in a room that is not encrypted. A resolved alert edits its message.'),
  icon: 'comments-alt',
  edits: 'silently',
  returnsPresses: true,
  fields: {
    url: {
      schema: urlSchema,
      required: true,
      label: (t) => t('channels.field.homeserver', 'Homeserver'),
      help: (t) =>
        t(
          'channels.help.homeserver',
          'Such as https://matrix.example.org. A private address needs a provisioning file.'
        ),
      rule: urlRule,
    },
    token: {
      schema: tokenSchema,
      required: true,
      hidden: 'secret',
      label: (t) => t('channels.field.token', 'Access token'),
      help: (t) => t('channels.help.matrix-token', 'Of an account for the bridge.'),
    },
    roomId: {
      schema: z
        .string()
        .regex(/^(?:![^\s:]+(?::\S+)?|#[^\s:]+:\S+)$/, {
          error: 'the id of a room such as "!abc:example.org", or its address such as "#ops:example.org"',
        })
        .max(255),
      required: true,
      label: (t) => t('channels.field.room', 'Room'),
      help: (t) => t('channels.help.room', 'Invite the account to it. The bridge joins the room.'),
      rule: (t) => t('channels.rule.room', 'An id such as !abc:example.org, or an address such as #ops:example.org'),
    },
  },
});
