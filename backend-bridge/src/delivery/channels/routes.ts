/** Operations on channels and routes. */
import type { CHANNELS } from '../../../contract/api/channels.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import type { Channels } from './service.ts';

export const channelHandlers = (channels: Channels): Handlers<typeof CHANNELS> => ({
  listChannels: () => channels.list(),
  addChannel: ({ body, by }) => channels.add(body, by),
  changeChannel: ({ params, body, by }) => channels.change(params.name, body, by),
  removeChannel: ({ params, by }) => channels.remove(params.name, by),
  tryChannel: ({ body, by }) => channels.tryOut(body, by),
  findChats: ({ body }) => channels.chats(body),
  testChannel: ({ params, by }) => channels.test(params.name, by),
  listUndelivered: ({ query }) => channels.undelivered(query),
  sendUndelivered: ({ params, by }) => channels.resend(params.id, by),
  sendAllUndelivered: async ({ query, by }) => ({ count: await channels.resendAll(query.channel, by) }),
  discardUndelivered: ({ params, by }) => channels.discard(params.id, by),
  discardAllUndelivered: async ({ query, by }) => ({ count: await channels.discardAll(query.channel, by) }),
  setRoutes: ({ body, by }) => channels.setRoutes(body.routes, body.revision, by),
  testRoutes: ({ body }) => channels.testRoutes(body),
});
