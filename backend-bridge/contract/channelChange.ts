/** Changes of channels and routes on the page: the bodies of requests to /channels and /routes. Semantics: docs/channels.md, "On the page". */
import { z } from 'zod';
import { boolean, component, integer, list, nullable, objects, strictComponent, string } from './schema.ts';
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

export const newChannelSchema = strictComponent('NewChannel', 'A channel that is added, or tested before.', {
  ...channelMembers,
  ...removable,
  disabled: boolean('Nothing is sent; what waits is kept.', { default: false }).optional(),
});
export type NewChannel = z.output<typeof newChannelSchema>;

/** Members that its type needs are validated together with what is kept. */
export const channelChangeSchema = newChannelSchema.omit({ name: true }).meta({
  id: 'ChannelChange',
  description: 'A channel of the page. Of those members that are not read back, what is left out is kept.',
});
export type ChannelChange = z.output<typeof channelChangeSchema>;

export const chatSearchSchema = strictComponent('ChatSearch', 'The bot whose chats are searched.', {
  token: channelMembers.token.describe('The token of the bot.'),
  name: channelMembers.name.optional().describe('A channel of the page, whose token is used.'),
  url: channelMembers.url,
});
export type ChatSearch = z.output<typeof chatSearchSchema>;

export const chatListSchema = component('ChatList', 'Chats of a bot.', {
  bot: nullable('User name of the bot; null: unknown.', z.string()),
  chats: objects('Chats that have written to the bot in the last 24 hours, newest first.', {
    id: string('For `chatId`.'),
    title: string('Title of the group, or name of the person.'),
    kind: string('private, group, supergroup or channel.'),
  }).max(LIMITS.channelChats.value),
  reason: string('Why they could not be read. A sentence without secrets.').optional(),
});
export type ChatList = z.infer<typeof chatListSchema>;

export const templatePreviewBodySchema = strictComponent(
  'TemplatePreviewBody',
  'Templates of a channel, as in the form.',
  { titleTemplate: channelMembers.titleTemplate, bodyTemplate: channelMembers.bodyTemplate }
);
export type TemplatePreviewBody = z.output<typeof templatePreviewBodySchema>;

export const templatePreviewSchema = component('TemplatePreview', 'A message by templates.', {
  title: string('Title of the message.'),
  text: string('Text of the message. A service may shorten both.'),
  notification: nullable('Id of the newest notification, which it shows; null: an example.', z.int()),
  warning: string('Why a template failed; the standard text is shown instead.').optional(),
});
export type TemplatePreview = z.infer<typeof templatePreviewSchema>;

export const routesBodySchema = strictComponent('PageRoutes', 'The routes of the page.', {
  routes: list('All routes of the page, in order.', routeSchema).max(LIMITS.routes.value),
  revision: string('`revision` of the routes that are replaced; 409 if they have changed since.').max(64).optional(),
});

export const undeliveredSelectionSchema = z.strictObject({
  channel: channelMembers.name.optional().describe('Only of this channel.'),
});

export const undeliveredCountSchema = component(
  'UndeliveredCount',
  'How many undelivered notifications were sent again or discarded.',
  { count: integer('How many there were.') }
);
