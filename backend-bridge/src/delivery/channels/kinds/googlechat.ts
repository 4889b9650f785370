/**
 * Channel `googlechat`: a card by a webhook. Messages of a thread have one thread key, so that they are one conversation.
 * Source: Google Chat API, "Build a Google Chat app as a webhook" (start or reply to a message thread), "Method: spaces.messages.create"
 * (32,000 bytes), "Cards v2", "Format messages" (card text: a subset of HTML), "Usage limits".
 */
import type { Channel, ChannelSettings, Message, Network } from './channel.ts';
import { BREAK, changedUrl, cutToFit, escapeTags, chatLinks, outcomeOfChat, partsOf, urlSecrets } from './chat.ts';
import { jsonSender, jsonText, outcomeOf } from './http.ts';
import { cut } from './text.ts';

/** Bytes of the request: below the limit of a message, which also has what Google adds. */
const MAX_BYTES = 28_000;
const MAX_TITLE = 500;

/** Google Chat: a reference is the thread key, because a webhook cannot change its messages. */
export function createGoogleChat({ name, url = '' }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  return {
    send(message, { signal }) {
      const threadKey = message.ref || message.key;
      const target = changedUrl(url, '', { messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' });
      const body = { ...payloadOf(message), thread: { threadKey } };
      return outcomeOf(sendJson(target, body, { signal }), network, (answer) =>
        outcomeOfChat(answer, {
          service: 'Google Chat',
          refOf: (response) => (jsonText(response, 'name') === '' ? undefined : threadKey),
          secrets: urlSecrets(url, message),
          now: network.now(),
        })
      );
    },
  };
}

function payloadOf(message: Message): object {
  const { title, text, from } = partsOf(message);
  const head = cut(title, MAX_TITLE);
  const buttons = chatLinks(message).map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }));
  const paragraph = (html: string): object => ({ textParagraph: { text: html } });
  const compose = (body: string): object => ({
    // For notifications. A mention begins with `<users/`.
    fallbackText: head.replaceAll('<', `<${BREAK}`),
    cardsV2: [
      {
        cardId: 'notification',
        card: {
          sections: [
            {
              widgets: [
                paragraph(`<b>${escapeTags(head)}</b>`),
                ...(body === '' ? [] : [paragraph(escapeTags(body))]),
                ...(from === '' ? [] : [paragraph(`<i>${escapeTags(from)}</i>`)]),
                ...(buttons.length === 0 ? [] : [{ buttonList: { buttons } }]),
              ],
            },
          ],
        },
      },
    ],
  });
  return compose(cutToFit(text, (shorter) => Buffer.byteLength(JSON.stringify(compose(shorter))) <= MAX_BYTES));
}
