/**
 * Presses of inline buttons, by long polling: no open port is needed. An update is confirmed by the next request, after it was answered.
 * Source: Telegram Bot API, "getUpdates", "CallbackQuery", "answerCallbackQuery".
 */
import { z } from 'zod';
import type { ChannelSettings, Network, Press, Presses } from './channel.ts';
import { answered, jsonSender } from './http.ts';
import { POLL_MS, PollError, polling } from './listening.ts';
import { botAnswer, methodUrl } from './telegramBot.ts';
import { cut, maskedDetail } from './text.ts';

const POLL_S = POLL_MS / 1000;
/** A hundred updates. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ANSWER = 200;

const personSchema = z.looseObject({
  first_name: z.string().catch(''),
  last_name: z.string().optional().catch(undefined),
  username: z.string().optional().catch(undefined),
});
const chatSchema = z.looseObject({ id: z.number(), username: z.string().optional().catch(undefined) });
const querySchema = z.looseObject({
  id: z.string(),
  from: personSchema,
  message: z.looseObject({ chat: chatSchema }),
  data: z.string(),
});
const updateSchema = z.looseObject({
  update_id: z.number().int(),
  callback_query: querySchema.optional().catch(undefined),
});

/** The bot of a channel. */
type Bot = Required<Pick<ChannelSettings, 'name' | 'url' | 'token'>>;

/** Listens to the buttons of a bot. */
export function listenTo({ name, url, token }: Bot, network: Network): Presses['listen'] {
  const sendJson = jsonSender(url, name, network, MAX_BYTES);
  /** @throws Error with a sentence without secrets */
  const call = async (method: string, parameters: object, signal: AbortSignal): Promise<unknown> => {
    const answer = await answered(sendJson(methodUrl({ url, token }, method), parameters, { signal }), network);
    const { ok, description, result, afterMs } = botAnswer(answer);
    if (!ok) {
      throw new PollError(answer, maskedDetail(description, token), network.now(), afterMs);
    }
    return result;
  };
  return polling(() => {
    let offset = 0;
    return async (on, signal, each) => {
      const wanted = { offset, timeout: POLL_S, allowed_updates: ['callback_query'] };
      const updates = z.array(updateSchema).parse(await call('getUpdates', wanted, signal));
      const pressed = updates.flatMap(({ callback_query: query }) => query ?? []);
      await each(
        pressed,
        ({ id }) => id,
        async (query) => {
          const text = cut(await on(pressOf(query)), MAX_ANSWER);
          // The press has taken effect: an answer that is lost only leaves the button spinning.
          await call('answerCallbackQuery', { callback_query_id: query.id, text }, signal).catch(() => undefined);
        }
      );
      offset = updates.reduce((next, { update_id: id }) => Math.max(next, id + 1), offset);
      return updates.length > 0;
    };
  });
}

function pressOf({ from, message: { chat }, data }: z.output<typeof querySchema>): Press {
  // A name is freely chosen.
  const user = from.username === undefined ? [] : [`(@${from.username})`];
  const who = [from.first_name, from.last_name, ...user].filter(Boolean).join(' ');
  return {
    token: data,
    who,
    chats: [String(chat.id), ...(chat.username === undefined ? [] : [`@${chat.username}`])],
  };
}
