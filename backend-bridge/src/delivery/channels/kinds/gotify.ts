/**
 * Channel `gotify`: a message for each notification. An application token can only create messages, so none is changed.
 * Source: Gotify API, `POST /message`, "Error"; documentation, "Message Extras".
 */
import type { Priority } from '../../../../contract/notification.ts';
import type { Channel, ChannelSettings, Message, Network } from './channel.ts';
import { jsonSender, jsonText, outcomeOf, outcomeOfStatus, withoutSlash } from './http.ts';
import { cut, linesOf, linkOf, linksOf, maskedDetail, titleOf, withLinks } from './text.ts';

/** 0 to 10. The Android app is silent below 4, and shows those above 7 on top of other apps. */
const PRIORITY: Record<Priority, number> = { low: 2, medium: 5, high: 7, critical: 10 };
const RESOLVED = 2;
/** Gotify has no limit of its own. */
const MAX_TITLE = 250;
const MAX_MESSAGE = 8000;

/** A server of Gotify, with the token of an application. Errors are read from `errorDescription`. */
export function createGotify({ name, url = '', token = '' }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  return {
    send(message, { signal }) {
      const headers = { 'x-gotify-key': token };
      const request = sendJson(`${withoutSlash(url)}/message`, bodyOf(message), { headers, signal });
      return outcomeOf(request, network, (answer) =>
        outcomeOfStatus(answer, network.now(), maskedDetail(jsonText(answer, 'errorDescription'), token))
      );
    },
  };
}

function bodyOf(message: Message): object {
  const link = linkOf(message);
  return {
    title: cut(titleOf(message), MAX_TITLE),
    message: withLinks(linesOf(message).join('\n\n'), linksOf(message), MAX_MESSAGE),
    priority: message.status === 'resolved' ? RESOLVED : PRIORITY[message.priority],
    extras: {
      'client::display': { contentType: 'text/plain' },
      ...(link && { 'client::notification': { click: { url: link.url } } }),
    },
  };
}
