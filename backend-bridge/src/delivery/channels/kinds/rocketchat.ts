/**
 * Channel `rocketchat`: chat.postMessage and chat.update with an access token, or an incoming webhook. Rocket.Chat has no escapes, so that
 * texts are a code block, in which nothing is markup.
 * Source: Rocket.Chat developer documentation, "Post Message", "Update Message", "Rate Limiter"; user guide, "Incoming Webhook Script" and
 * "Format messages".
 */
import { z } from 'zod';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { BREAK, cutToFit, editedOrSent, markdownLinks, markOf, outcomeOfChat, partsOf, urlSecrets } from './chat.ts';
import { jsonOf, jsonSender, outcomeOf } from './http.ts';

/** Characters: the default of Message_MaxAllowedSize. */
const MAX_MESSAGE = 5000;

const responseSchema = z.looseObject({
  success: z.literal(true),
  message: z.looseObject({ _id: z.string(), rid: z.string() }).optional().catch(undefined),
});

/** Rocket.Chat: a reference is `room:message`. */
export function createRocketChat(settings: ChannelSettings, network: Network): Channel {
  const { name, url = '', token, userId = '', channel = '' } = settings;
  const sendJson = jsonSender(url, name, network);
  const read = (answer: OutboundAnswer): Outcome => readAnswer(answer, [token, ...urlSecrets(url)], network.now());
  const call = (method: string, body: object, signal: AbortSignal): Promise<Outcome> => {
    const headers = { 'x-auth-token': token ?? '', 'x-user-id': userId };
    return outcomeOf(sendJson(`${url.replace(/\/$/, '')}/api/v1/${method}`, body, { headers, signal }), network, read);
  };
  const room = /^[#@]/.test(channel) ? { channel } : { roomId: channel };
  return {
    send(message, { signal }) {
      const text = textOf(message);
      if (token === undefined) {
        return outcomeOf(sendJson(url, { text }, { signal }), network, read);
      }
      return editedOrSent(
        message,
        (ref) => {
          const [roomId, msgId] = ref.split(':');
          return call('chat.update', { roomId, msgId, text }, signal);
        },
        () => call('chat.postMessage', { ...room, text }, signal)
      );
    },
  };
}

function readAnswer(answer: OutboundAnswer, secrets: ReadonlyArray<string | undefined>, now: number): Outcome {
  const refOf = (): string | undefined => {
    const { data } = responseSchema.safeParse(jsonOf(answer));
    return data && (data.message ? `${data.message.rid}:${data.message._id}` : '');
  };
  const outcome = outcomeOfChat(answer, { service: 'Rocket.Chat', refOf, secrets, now });
  /** UTC milliseconds. */
  const reset = Number(answer.headers['x-ratelimit-reset']);
  return outcome.kind === 'retry' && answer.status === 429 && reset > now
    ? { ...outcome, afterMs: reset - now }
    : outcome;
}

/** For a code block: three backticks would end it, and mentions are also read there. */
export const escapeCode = (text: string): string => text.replaceAll(/[@#`]/g, (one) => `${one}${BREAK}`);

/** Without what could be markup. */
const labelOf = (label: string): string => label.replaceAll(/[^\p{L}\p{N} ,'-]+/gu, ' ').trim() || 'Open';

function textOf(message: Message): string {
  const { title, text, from } = partsOf(message);
  const head = title.slice(markOf(message).length + 1);
  const links = markdownLinks(message, labelOf, MAX_MESSAGE / 2);
  const compose = (body: string): string => {
    const code = [cutToFit(head, (it) => escapeCode(it).length <= 1000), body, from].filter((part) => part !== '');
    return `${markOf(message)}\n\`\`\`\n${escapeCode(code.join('\n\n'))}\n\`\`\`${links === '' ? '' : `\n${links}`}`;
  };
  return compose(cutToFit(text, (shorter) => compose(shorter).length <= MAX_MESSAGE));
}
