/** Changes of channels and routes on the page: the bodies of requests to /channels and /routes. Semantics: docs/channels.md, "On the page". */
import { z } from 'zod';
import { channelMembers, routeSchema, rulesOfTypes } from './channel.ts';
import { fieldSchemas, type Hidden, HIDDEN } from './channelTypes/index.ts';
import { LIMITS } from './limits.ts';

/** A whole channel of the page, with what is kept of it. */
export const pageChannelSchema = z.strictObject(channelMembers).check(rulesOfTypes(false));
export type PageChannel = z.output<typeof pageChannelSchema>;

type Schemas = typeof fieldSchemas;
const removable = Object.fromEntries(
  HIDDEN.map((key) => [
    key,
    fieldSchemas[key]
      .unwrap()
      .nullable()
      .optional()
      .describe(`${fieldSchemas[key].description ?? ''} Left out: what is not read back is kept. Null: it is removed.`),
  ])
) as { [K in Hidden]: z.ZodOptional<z.ZodNullable<ReturnType<Schemas[K]['unwrap']>>> };

export const newChannelSchema = z
  .strictObject({
    ...channelMembers,
    ...removable,
    disabled: z.boolean().optional().describe('Nothing is sent; what waits is kept.').meta({ default: false }),
  })
  .meta({ id: 'NewChannel', description: 'A channel that is added, or tested before.' });
export type NewChannel = z.output<typeof newChannelSchema>;

/** Members that its type needs are validated together with what is kept. */
export const channelChangeSchema = newChannelSchema.omit({ name: true }).meta({
  id: 'ChannelChange',
  description: 'A channel of the page. Of those members that are not read back, what is left out is kept.',
});
export type ChannelChange = z.output<typeof channelChangeSchema>;

export const chatSearchSchema = z
  .strictObject({
    token: channelMembers.token.describe('The token of the bot.'),
    name: channelMembers.name.optional().describe('A channel of the page, whose token is used.'),
    url: channelMembers.url,
  })
  .meta({ id: 'ChatSearch', description: 'The bot whose chats are searched.' });
export type ChatSearch = z.output<typeof chatSearchSchema>;

export const chatListSchema = z
  .object({
    bot: z.string().nullable().describe('User name of the bot; null: unknown.'),
    chats: z
      .array(
        z.object({
          id: z.string().describe('For `chatId`.'),
          title: z.string().describe('Title of the group, or name of the person.'),
          kind: z.string().describe('private, group, supergroup or channel.'),
        })
      )
      .max(LIMITS.channelChats.value)
      .describe('Chats that have written to the bot in the last 24 hours, newest first.'),
    reason: z.string().optional().describe('Why they could not be read. A sentence without secrets.'),
  })
  .meta({ id: 'ChatList', description: 'Chats of a bot.' });
export type ChatList = z.infer<typeof chatListSchema>;

export const templatePreviewBodySchema = z
  .strictObject({ titleTemplate: channelMembers.titleTemplate, bodyTemplate: channelMembers.bodyTemplate })
  .meta({ id: 'TemplatePreviewBody', description: 'Templates of a channel, as in the form.' });
export type TemplatePreviewBody = z.output<typeof templatePreviewBodySchema>;

export const templatePreviewSchema = z
  .object({
    title: z.string().describe('Title of the message.'),
    text: z.string().describe('Text of the message. A service may shorten both.'),
    notification: z.int().nullable().describe('Id of the newest notification, which it shows; null: an example.'),
    warning: z.string().optional().describe('Why a template failed; the standard text is shown instead.'),
  })
  .meta({ id: 'TemplatePreview', description: 'A message by templates.' });
export type TemplatePreview = z.infer<typeof templatePreviewSchema>;

export const routesBodySchema = z
  .strictObject({
    routes: z.array(routeSchema).max(LIMITS.routes.value).describe('All routes of the page, in order.'),
    revision: z
      .string()
      .max(64)
      .optional()
      .describe('`revision` of the routes that are replaced; 409 if they have changed since.'),
  })
  .meta({ id: 'PageRoutes', description: 'The routes of the page.' });

export const undeliveredSelectionSchema = z.strictObject({
  channel: channelMembers.name.optional().describe('Only of this channel.'),
});

export const undeliveredCountSchema = z
  .object({ count: z.int().describe('How many there were.') })
  .meta({ id: 'UndeliveredCount', description: 'How many undelivered notifications were sent again or discarded.' });
