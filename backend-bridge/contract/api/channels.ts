/** Operations: channels. */
import { channelListSchema, channelTestSchema, undeliveredQuerySchema, undeliveredSchema } from '../channel.ts';
import { routeTestBodySchema, routeTestResultSchema } from '../routeTest.ts';
import {
  channelChangeSchema,
  chatListSchema,
  chatSearchSchema,
  newChannelSchema,
  routesBodySchema,
  templatePreviewBodySchema,
  templatePreviewSchema,
  undeliveredCountSchema,
  undeliveredSelectionSchema,
} from '../channelChange.ts';
import { del, get, idParam, json, noContent, ok, operations, post, put, segment } from '../operation.ts';

export const CHANNELS = operations('Channels', {
  listChannels: get('/channels', 'bridge:admin', {
    summary: 'Channels with their state, and routes',
    reply: ok('Channels and routes.', () => channelListSchema),
  }),
  addChannel: post('/channels', 'bridge:admin', {
    summary: 'Add a channel; 409 if the name is in use',
    body: json(() => newChannelSchema),
    reply: noContent('Added.'),
    problems: [409],
  }),
  changeChannel: put('/channels/{name}', 'bridge:admin', {
    summary: 'Change a channel of the page; 409 for a provisioned one',
    params: { name: segment('Name of the channel.') },
    body: json(() => channelChangeSchema),
    reply: noContent('Changed.'),
    problems: [404, 409],
  }),
  removeChannel: del('/channels/{name}', 'bridge:admin', {
    summary: 'Remove a channel of the page, with the notifications that wait for it',
    params: { name: segment('Name of the channel.') },
    reply: noContent('Removed.'),
    problems: [404, 409],
  }),
  tryChannel: post('/channels/test', 'bridge:admin', {
    summary: 'Send a test message over a channel without storing it',
    body: json(() => newChannelSchema),
    reply: ok('Whether it was accepted.', () => channelTestSchema),
    problems: [409],
  }),
  previewTemplates: post('/channels/preview', 'bridge:admin', {
    summary: 'Show the newest notification by the templates of a channel; 400 for a syntax error',
    body: json(() => templatePreviewBodySchema),
    reply: ok('The message.', () => templatePreviewSchema),
  }),
  findChats: post('/channels/chats', 'bridge:admin', {
    summary: 'List the chats that have written to a Telegram bot',
    body: json(() => chatSearchSchema),
    reply: ok('The chats, or why there are none.', () => chatListSchema),
    problems: [404],
  }),
  testChannel: post('/channels/{name}/test', 'bridge:admin', {
    summary: 'Send a test message; 409 at a replica that does not lead',
    params: { name: segment('Name of the channel.') },
    reply: ok('Whether it was accepted.', () => channelTestSchema),
    problems: [404, 409],
  }),
  listUndelivered: get('/channels/undelivered', 'bridge:admin', {
    summary: 'Notifications that were not delivered, newest first',
    query: () => undeliveredQuerySchema,
    reply: ok('One page.', () => undeliveredSchema),
  }),
  sendUndelivered: post('/channels/undelivered/{id}/send', 'bridge:admin', {
    summary: 'Send an undelivered notification again',
    params: { id: idParam('Id of the entry in the list, not of the notification.') },
    reply: noContent('Queued for its channel.'),
    problems: [404],
  }),
  sendAllUndelivered: post('/channels/undelivered/send', 'bridge:admin', {
    summary: 'Send all undelivered notifications again',
    query: () => undeliveredSelectionSchema,
    reply: ok('Queued for their channels.', () => undeliveredCountSchema),
  }),
  discardUndelivered: del('/channels/undelivered/{id}', 'bridge:admin', {
    summary: 'Discard an undelivered notification',
    params: { id: idParam('Id of the entry in the list, not of the notification.') },
    reply: noContent('Discarded. The notification stays in the inbox.'),
    problems: [404],
  }),
  discardAllUndelivered: del('/channels/undelivered', 'bridge:admin', {
    summary: 'Discard all undelivered notifications',
    query: () => undeliveredSelectionSchema,
    reply: ok('Removed.', () => undeliveredCountSchema),
  }),
  setRoutes: put('/routes', 'bridge:admin', {
    summary: 'Replace the routes of the page; those of files do not change',
    body: json(() => routesBodySchema),
    reply: noContent('The routes apply.'),
    problems: [409],
  }),
  testRoutes: post('/routes/test', 'bridge:admin', {
    summary: 'Which routes match a notification, and why',
    body: json(() => routeTestBodySchema),
    reply: ok('The channels, and each route.', () => routeTestResultSchema),
  }),
});
