/**
 * Channel `ntfy`, published as JSON, so that nothing of a notification is a header.
 * Source: ntfy documentation, "Publish as JSON", "Updating notifications" (sequence_id, from ntfy 2.16 on),
 * "Action buttons" and "Limitations".
 */
import type { Priority } from '../../../../contract/notification.ts';
import type { Channel, ChannelSettings, Message, MessageAction, Network } from './channel.ts';
import { cut, cutBytes, linesOf, linkOf, maskedDetail, titleOf } from './text.ts';
import { jsonSender, jsonText, outcomeOf, outcomeOfStatus } from './http.ts';

const PRIORITY: Record<Priority, number> = { low: 2, medium: 3, high: 4, critical: 5 };
/** A longer one becomes a file. Bytes. */
const MAX_MESSAGE = 4096;
const MAX_TITLE = 250;
const MAX_ACTIONS = 3;

/** ntfy: JSON to the root of the server. Messages of a thread share a sequence id, so that a later one replaces the earlier. */
export function createNtfy({ name, url = '', topic, token }: ChannelSettings, network: Network): Channel {
  const sendJson = jsonSender(url, name, network);
  // JSON is published to the root of the server.
  const root = url.endsWith('/') ? url : `${url}/`;
  return {
    send(message, { signal }) {
      const sequence = message.ref || message.key;
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const request = sendJson(root, { topic, sequence_id: sequence, ...bodyOf(message) }, { headers, signal });
      return outcomeOf(request, network, (answer) => {
        const outcome = outcomeOfStatus(answer, network.now(), maskedDetail(jsonText(answer, 'error'), token, topic));
        return outcome.kind === 'delivered' ? { ...outcome, ref: sequence } : outcome;
      });
    },
  };
}

function bodyOf(message: Message): object {
  const link = linkOf(message);
  const isResolved = message.status === 'resolved';
  return {
    title: cut(titleOf(message), MAX_TITLE),
    message: cutBytes(linesOf(message).join('\n\n'), MAX_MESSAGE),
    priority: isResolved ? PRIORITY.low : PRIORITY[message.priority],
    tags: [isResolved ? 'white_check_mark' : message.priority === 'critical' ? 'rotating_light' : 'bell'],
    ...(link && { click: link.url }),
    ...(message.actions && { actions: message.actions.slice(0, MAX_ACTIONS).map(actionOf) }),
  };
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
