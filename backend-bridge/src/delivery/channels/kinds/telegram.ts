/**
 * Channel `telegram`: sendMessage, and editMessageText for what happens later in the thread.
 * Source: Telegram Bot API, "Making requests", "ResponseParameters", "HTML style", "sendMessage", "editMessageText".
 */
import { z } from 'zod';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { accountOf, botAnswer, methodUrl } from './telegramBot.ts';
import { listenTo } from './telegramPresses.ts';
import { editedOrSent } from './chat.ts';
import { cut, escaped, linesOf, linkOf, oneLine, maskedDetail, titleOf } from './text.ts';
import { jsonSender, outcomeOf, outcomeOfStatus } from './http.ts';

/** A message has 4096 characters after its entities were parsed. */
const MAX_TITLE = 300;
const MAX_BODY = 3500;

const sentSchema = z.looseObject({ message_id: z.number() });

/**
 * A chat of the Bot API: `sendMessage`, then `editMessageText` for the same thread. `retry_after` is in seconds. A reference is `message:chat`,
 * because another chat has other messages with the same ids.
 */
export function createTelegram({ name, url = '', token = '', chatId }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  const call = (method: string, parameters: object, signal: AbortSignal): Promise<OutboundAnswer> =>
    sendJson(
      methodUrl({ url, token }, method),
      { chat_id: chatId, ...parameters, parse_mode: 'HTML', link_preview_options: { is_disabled: true } },
      { signal }
    );
  const read = (answer: OutboundAnswer): Outcome => {
    const outcome = readAnswer(answer, token, network.now());
    return outcome.kind === 'delivered' && outcome.ref !== undefined
      ? { ...outcome, ref: `${outcome.ref}:${chatId}` }
      : outcome;
  };
  return {
    presses: {
      account: accountOf({ url, token }),
      chat: chatId ?? '',
      listen: listenTo({ name, url, token }, network),
    },
    send(message, { signal }) {
      const content = { text: textOf(message), reply_markup: keyboardOf(message) };
      return editedOrSent(
        message,
        (ref) => {
          const [id, chat = chatId] = ref.split(':');
          const edited = { chat_id: chat, message_id: Number(id), ...content };
          return outcomeOf(call('editMessageText', edited, signal), network, (answer) =>
            isUnchanged(answer) ? { kind: 'delivered' } : read(answer)
          );
        },
        () => outcomeOf(call('sendMessage', content, signal), network, read)
      );
    },
  };
}

const isUnchanged = (answer: OutboundAnswer): boolean => /message is not modified/i.test(botAnswer(answer).description);

function readAnswer(answer: OutboundAnswer, token: string, now: number): Outcome {
  const { ok, description, result, afterMs } = botAnswer(answer);
  if (ok) {
    const id = sentSchema.safeParse(result).data?.message_id;
    return { kind: 'delivered', ...(id !== undefined && { ref: String(id) }) };
  }
  if (answer.status >= 200 && answer.status < 300) {
    return { kind: 'retry', reason: 'The response is not one of the Bot API.' };
  }
  const outcome = outcomeOfStatus(answer, now, maskedDetail(description, token));
  return outcome.kind === 'retry' && afterMs !== undefined ? { ...outcome, afterMs } : outcome;
}

/** A message that is edited without it loses its buttons. */
const keyboardOf = ({ buttons = [] }: Message): object | undefined =>
  buttons.length === 0
    ? undefined
    : { inline_keyboard: [buttons.map(({ label, token }) => ({ text: label, callback_data: token }))] };

/** Links without a button. */
const linksBeside = ({ actions = [] }: Message) =>
  actions.flatMap(({ label: title, url, token }) => (token === undefined ? [{ title, url }] : []));

function textOf(message: Message): string {
  const link = linkOf(message);
  return [
    `<b>${escaped(cut(titleOf(message), MAX_TITLE))}</b>`,
    escaped(cut(linesOf(message).join('\n\n'), MAX_BODY)),
    ...[...(link ? [link] : []), ...linksBeside(message)].map(
      ({ title, url }) => `<a href="${escaped(url)}">${escaped(cut(oneLine(title), 100))}</a>`
    ),
  ].join('\n');
}
