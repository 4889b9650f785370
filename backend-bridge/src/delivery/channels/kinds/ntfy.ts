/**
 * Channel `ntfy`, published as JSON, so that nothing of a notification is a header.
 * Source: ntfy documentation, "Publish as JSON", "Updating notifications" (sequence_id, from ntfy 2.16 on), "Phone calls",
 * "Action buttons" and "Limitations"; codes: server/errors.go; lengths: `transformBodyJSON` of server/server.go, util/peek.go.
 */
import type { Priority } from '../../../../contract/notification.ts';
import { ellipsize } from '../../../../contract/text.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Channel, ChannelSettings, Message, MessageAction, Network, Outcome } from './channel.ts';
import { cutToFit } from './chat.ts';
import { cut, isUrgent, linesOf, linkOf, maskedDetail, titleOf } from './text.ts';
import { jsonOf, jsonSender, jsonText, outcomeOf, outcomeOfStatus } from './http.ts';

const PRIORITY: Record<Priority, number> = { low: 2, medium: 3, high: 4, critical: 5 };
/** Bytes. A longer message becomes a file, which many servers reject; twice as many bytes of JSON are rejected. */
const MAX_MESSAGE = 4095;
const MAX_JSON = 8191;
/** Longer ones are left out, so that there is room for the text. */
const MAX_URL = 2000;
const MAX_TITLE = 250;
const MAX_ACTIONS = 3;

/** Rejections of the call alone: disabled, invalid or not verified, anonymous (40032 to 40035), the daily limit (42910). */
const CALL_CODES = new Set<unknown>([40_032, 40_033, 40_034, 40_035, 42_910]);

/** ntfy: JSON to the root of the server. Messages of a thread share a sequence id, so that a later one replaces the earlier. */
export function createNtfy({ name, url = '', topic, token, call }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  // JSON is published to the root of the server.
  const root = url.endsWith('/') ? url : `${url}/`;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const detailOf = (answer: OutboundAnswer): string => maskedDetail(jsonText(answer, 'error'), token, topic);
  return {
    async send(message, { signal }) {
      const sequence = message.ref || message.key;
      let callFailure: string | undefined;
      const attempt = (more: object, ...note: string[]): Promise<Outcome> => {
        const body = bodyOf(message, { topic, sequence_id: sequence, ...more }, note);
        return outcomeOf(sendJson(root, body, { headers, signal }), network, (answer) => {
          callFailure = isCallRejected(answer) ? detailOf(answer) : undefined;
          const outcome = outcomeOfStatus(answer, network.now(), detailOf(answer));
          return outcome.kind === 'delivered' ? { ...outcome, ref: sequence } : outcome;
        });
      };
      if (call === undefined || !isUrgent(message, 'critical')) {
        return attempt({});
      }
      const outcome = await attempt({ call });
      // The alert matters more than the call: it says why nobody was called.
      return callFailure === undefined ? outcome : attempt({}, `No call: ${callFailure}.`);
    },
  };
}

const isCallRejected = (answer: OutboundAnswer): boolean =>
  CALL_CODES.has((jsonOf(answer) as { code?: unknown } | undefined)?.code);

const isShort = (url: string): boolean => Buffer.byteLength(url) <= MAX_URL;

/** @param more further members @param note above the text */
function bodyOf(message: Message, more: object, note: readonly string[]): object {
  const link = linkOf(message);
  const isResolved = message.status === 'resolved';
  const actions = message.actions?.filter(({ url }) => isShort(url));
  const compose = (text: string): object => ({
    ...more,
    title: cut(titleOf(message), MAX_TITLE),
    message: text,
    priority: isResolved ? PRIORITY.low : PRIORITY[message.priority],
    tags: [isResolved ? 'white_check_mark' : message.priority === 'critical' ? 'rotating_light' : 'bell'],
    ...(link && isShort(link.url) && { click: link.url }),
    ...(actions && { actions: actions.slice(0, MAX_ACTIONS).map(actionOf) }),
  });
  const whole = ellipsize([...note, ...linesOf(message)].join('\n\n'), MAX_MESSAGE);
  return compose(cutToFit(whole, (text) => Buffer.byteLength(JSON.stringify(compose(text))) <= MAX_JSON));
}

const actionOf = ({ label, url, endpoint, token }: MessageAction): object =>
  endpoint === undefined
    ? { action: 'view', label, url }
    : {
        action: 'http',
        label,
        url: endpoint,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
        clear: true,
      };
