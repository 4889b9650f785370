/**
 * Channel `matrix`: m.room.message, and m.replace for what happens later in the thread. The transaction id is the key of the message, so
 * that a repeat is not sent twice.
 * Source: Matrix client-server API, "Joining rooms", "Sending events to a room", "m.text", "Event replacements", "Rate limiting",
 * "Size limits", "Event annotations and reactions"; "m.mentions" (empty: nobody is mentioned).
 */
import { z } from 'zod';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { jsonOf, jsonSender, outcomeOf, outcomeOfStatus, withoutSlash } from './http.ts';
import { matrixError, matrixUrl } from './matrixApi.ts';
import { listenToRoom } from './matrixPresses.ts';
import { reactionsOf, reactionTo } from './matrixReactions.ts';
import { cut, escaped, linesOf, linksOf, titleOf, withLinks } from './text.ts';

/** An event has at most 65,536 bytes: the text twice, each UTF-16 code unit at most six bytes as JSON. */
const MAX_TITLE = 300;
const MAX_BODY = 3500;
const MAX_LINKS = 5;
const MAX_ALL = 12_000;
const NOBODY = { 'm.mentions': {} };

const responseSchema = z.looseObject({
  retry_after_ms: z.number().optional(),
  room_id: z.string().optional(),
  event_id: z.string().optional(),
  content: z.looseObject({ msgtype: z.string().optional() }).optional().catch(undefined),
});
const parsed = (answer: OutboundAnswer) => responseSchema.safeParse(jsonOf(answer)).data ?? {};

/** A room of a homeserver, which the account joins before the first message. Errors are read from `errcode` and `error`. */
export function createMatrix({ name, url = '', token = '', roomId = '' }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  const headers = { authorization: `Bearer ${token}` };
  const request = (method: 'GET' | 'POST' | 'PUT', path: string[], body: object | undefined, signal: AbortSignal) =>
    sendJson(matrixUrl(url, path), body, { method, headers, signal });
  const read = (answer: OutboundAnswer): Outcome => readAnswer(answer, token, network.now());
  /** The id of the room, which an address is not. */
  let room: string | undefined;

  /** @returns undefined: it has joined */
  const join = async (signal: AbortSignal): Promise<Outcome | undefined> => {
    const outcome = await outcomeOf(request('POST', ['join', roomId], {}, signal), network, (answer) => {
      room = parsed(answer).room_id;
      const joined = read(answer);
      return joined.kind === 'delivered' && room === undefined ? NO_MATRIX : joined;
    });
    return outcome.kind === 'delivered' ? undefined : outcome;
  };
  const find = (event: string, signal: AbortSignal): Promise<Outcome> =>
    outcomeOf(request('GET', ['rooms', room!, 'event', event], undefined, signal), network, (answer) =>
      // A message that somebody has removed has no content.
      answer.status === 200 && parsed(answer).content?.msgtype === undefined ? GONE : read(answer)
    );
  const put = (type: string, transaction: string, content: object, signal: AbortSignal): Promise<Outcome> =>
    outcomeOf(request('PUT', ['rooms', room!, 'send', type, transaction], content, signal), network, read);
  /** So that a person only taps them. Without them, the message is read and answered as well. */
  const react = async (event: string, message: Message, signal: AbortSignal): Promise<void> => {
    for (const [index, key] of reactionsOf(message).keys.entries()) {
      const { kind } = await put('m.reaction', `${message.key}-${index}`, reactionTo(event, key), signal);
      if (kind !== 'delivered') {
        return;
      }
    }
  };
  return {
    presses: {
      account: `${withoutSlash(url)} ${token} ${roomId}`,
      chat: roomId,
      listen: listenToRoom({ name, url, token, roomId }, network),
    },
    async send(message, { signal }) {
      const failure = room === undefined ? await join(signal) : undefined;
      if (failure) {
        return failure;
      }
      const content = contentOf(message);
      const found = message.ref ? await find(message.ref, signal) : undefined;
      if (found && isFinal(found, message)) {
        return found;
      }
      const edited = found?.kind === 'delivered' ? message.ref : undefined;
      const body = edited === undefined ? content : editOf(content, message, edited);
      const sent = await put('m.room.message', message.key, body, signal);
      if (sent.kind === 'refused') {
        // Removed from the room: the next message tries to join it again.
        room = undefined;
      } else if (sent.kind === 'delivered' && edited === undefined && sent.ref !== undefined) {
        await react(sent.ref, message, signal);
      }
      return sent.kind === 'delivered' && edited !== undefined ? { ...sent, ref: edited } : sent;
    },
  };
}

/** A message that is gone is replaced, unless it is only edited. */
const isFinal = ({ kind }: Outcome, { onlyEdit }: Message): boolean =>
  kind === 'retry' || (kind === 'refused' && onlyEdit === true);

const GONE: Outcome = { kind: 'refused', reason: 'The message is gone.' };
const NO_MATRIX: Outcome = { kind: 'retry', reason: 'The response is not one of a Matrix homeserver.' };

function readAnswer(answer: OutboundAnswer, token: string, now: number): Outcome {
  const { retry_after_ms: afterMs, event_id: ref } = parsed(answer);
  const outcome = outcomeOfStatus(answer, now, matrixError(answer, token));
  if (outcome.kind === 'delivered') {
    return ref === undefined ? outcome : { ...outcome, ref };
  }
  return outcome.kind === 'retry' && afterMs !== undefined ? { ...outcome, afterMs } : outcome;
}

function contentOf(message: Message): object {
  const title = cut(titleOf(message), MAX_TITLE).toWellFormed();
  const text = cut(linesOf(message).join('\n\n'), MAX_BODY).toWellFormed();
  const links = linksOf(message).slice(0, MAX_LINKS);
  const shown = links.map(({ label, url }) => `<a href="${escaped(url)}">${escaped(label)}</a>`).join(' · ');
  const { legend, tokens } = reactionsOf(message);
  const parts = [
    `<strong>${escaped(title)}</strong>`,
    escaped(text).replaceAll('\n', '<br>'),
    ...[shown, legend].filter((one) => one !== ''),
  ];
  return {
    msgtype: 'm.text',
    body: withLinks(`${title}\n${text}${legend && `\n${legend}`}`, links, MAX_ALL),
    format: 'org.matrix.custom.html',
    formatted_body: parts.join('<br>'),
    ...tokens,
    ...NOBODY,
  };
}

/** The title of the outer content is for clients that do not know edits. */
const editOf = (content: object, message: Message, event: string): object => ({
  msgtype: 'm.text',
  body: `* ${cut(titleOf(message), MAX_TITLE)}`,
  ...NOBODY,
  'm.new_content': content,
  'm.relates_to': { rel_type: 'm.replace', event_id: event },
});
