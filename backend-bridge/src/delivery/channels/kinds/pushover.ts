/**
 * Channel `pushover`. A message cannot be changed. One of emergency priority is repeated until somebody acknowledges it in the app, or the
 * alert resolves: its tag, which is the reference of the message, cancels it.
 * Source: Pushover API, "Being Friendly to our API", "Message priority", "Limitations", and "Receipts and callbacks", "Canceling".
 */
import type { Priority } from '../../../../contract/notification.ts';
import { urlSegment } from '../../../../contract/url.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, Network, Outcome } from './channel.ts';
import { formSender, jsonOf, outcomeOf, outcomeOfStatus, withoutSlash } from './http.ts';
import { cut, isUrgent, linesOf, linkOf, linksOf, maskedDetail, oneLine, titleOf, withLinks } from './text.ts';

/** From 1 on it passes the quiet hours of the person in the app. */
const PRIORITY: Record<Priority, number> = { low: -1, medium: 0, high: 0, critical: 1 };
const RESOLVED = -1;
/** Seconds. At least 30 and at most 10,800; after 50 repeats it ends in any case. */
const EMERGENCY = { priority: '2', retry: '60', expire: '3600' };
const MAX_TITLE = 250;
const MAX_MESSAGE = 1024;
const MAX_URL = 512;
const MAX_URL_TITLE = 100;

/** The message API of Pushover. Errors are read from `errors`. */
export function createPushover(settings: ChannelSettings, network: Network): Channel {
  const { name, url = '', token = '', user = '', emergency } = settings;
  const sendForm = formSender(url, name, network);
  const call = (path: string, fields: Record<string, string>, signal: AbortSignal): Promise<Outcome> =>
    outcomeOf(sendForm(`${withoutSlash(url)}/1/${path}.json`, { token, ...fields }, { signal }), network, (answer) =>
      outcomeOfStatus(answer, network.now(), maskedDetail(errorsIn(answer), token, user))
    );
  return {
    async send(message, { signal, via }) {
      const { ref, key, threadId } = message;
      // Steps of an escalation share it, so that the resolve cancels all of them; other bridges may send for the same application.
      const tag = threadId === undefined ? key : `nb-${via.at(-1)}-${threadId}`;
      if (ref && message.status === 'resolved') {
        const ended = await call(`receipts/cancel_by_tag/${urlSegment(ref)}`, {}, signal);
        if (ended.kind === 'retry') {
          return ended;
        }
      }
      const isEmergency = emergency === 'critical' && isUrgent(message, 'critical');
      const sent = await call(
        'messages',
        { user, ...fieldsOf(message), ...(isEmergency && { ...EMERGENCY, tags: tag }) },
        signal
      );
      return sent.kind === 'delivered' && isEmergency ? { ...sent, ref: tag } : sent;
    },
  };
}

function errorsIn(answer: OutboundAnswer): string {
  const errors = (jsonOf(answer) as { errors?: unknown } | undefined)?.errors;
  return Array.isArray(errors) ? errors.join('; ') : '';
}

function fieldsOf(message: Message): Record<string, string> {
  const link = linkOf(message);
  // A part of an address leads nowhere.
  const isShort = link !== undefined && link.url.length <= MAX_URL;
  const actions = linksOf(message).slice(link ? 1 : 0);
  return {
    title: cut(titleOf(message), MAX_TITLE),
    message: withLinks(linesOf(message).join('\n\n'), actions, MAX_MESSAGE),
    priority: String(message.status === 'resolved' ? RESOLVED : PRIORITY[message.priority]),
    timestamp: String(Math.floor(Date.parse(message.timestamp) / 1000)),
    ...(isShort && { url: link.url, url_title: cut(oneLine(link.title), MAX_URL_TITLE) }),
  };
}
