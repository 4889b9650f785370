/**
 * The chats that have written to a bot, so that nobody has to find the number of one.
 * Source: Telegram Bot API, "getMe", "getUpdates" (updates are kept for 24 hours), "Update", "Chat".
 */
import { z } from 'zod';
import type { ChatList } from '../../../../contract/channelChange.ts';
import { DESCRIPTORS } from '../../../../contract/channelTypes/index.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { OutboundError } from '../../../platform/http/outbound.ts';
import type { Network } from './channel.ts';
import { botAnswer, methodUrl } from './telegramBot.ts';
import { cut, oneLine, maskedDetail } from './text.ts';
import { channelOutbound, reasonOf, statusReason } from './http.ts';

/** A hundred updates, of which a message alone may have 4096 characters. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Otherwise those of the request before count, such as presses of buttons. */
const CHATS = ['message', 'channel_post', 'my_chat_member'];

const chatSchema = z.looseObject({
  id: z.number().int(),
  type: z.string(),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
});
const withChat = z.looseObject({ chat: chatSchema }).optional().catch(undefined);
const updateSchema = z.looseObject({ message: withChat, channel_post: withChat, my_chat_member: withChat });
const updatesSchema = z.array(updateSchema).catch([]);
const botSchema = z.looseObject({ username: z.string() });

/** Never rejects for what the service does. Changes nothing: what is not confirmed by `offset` stays with Telegram. */
export async function findChats(
  { token, url = DESCRIPTORS.telegram.url! }: { token: string; url?: string | undefined },
  network: Network
): Promise<ChatList> {
  const outbound = channelOutbound(url, network, MAX_BYTES);
  const call = async (method: string, body: object) => {
    const answer = await outbound.fetchGuarded(methodUrl({ url, token }, method), 'chats of the bot', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { ok, description, result } = botAnswer(answer);
    return ok ? { result } : { result: undefined, reason: statusReason(answer, maskedDetail(description, token)) };
  };
  try {
    const me = await call('getMe', {});
    const bot = botSchema.safeParse(me.result).data?.username ?? null;
    if (me.reason !== undefined) {
      return { bot, chats: [], reason: me.reason };
    }
    const updates = await call('getUpdates', { limit: 100, timeout: 0, allowed_updates: CHATS });
    const chats = chatsOf(updatesSchema.parse(updates.result));
    return { bot, chats, ...(updates.reason !== undefined && { reason: updates.reason }) };
  } catch (error) {
    if (error instanceof OutboundError) {
      return { bot: null, chats: [], reason: reasonOf(error, network) };
    }
    throw error;
  }
}

function chatsOf(updates: z.output<typeof updatesSchema>): ChatList['chats'] {
  const chats = new Map<string, ChatList['chats'][number]>();
  for (const { message, channel_post: post, my_chat_member: member } of updates.toReversed()) {
    const chat = (message ?? post ?? member)?.chat;
    if (chat && !chats.has(String(chat.id))) {
      const { id, type, title, username, first_name: first, last_name: last } = chat;
      const person = [first, last].filter((part) => part !== undefined).join(' ');
      const text = title ?? (person === '' ? `@${username ?? id}` : person);
      chats.set(String(id), { id: String(id), title: cut(oneLine(text), 200), kind: cut(oneLine(type), 20) });
    }
  }
  return [...chats.values()].slice(0, LIMITS.channelChats.value);
}
