/** Channel `webhook`: signed JSON, as in docs/channels.md. */
import { createHmac } from 'node:crypto';
import { formatVia, VIA_HEADER } from '../../../../contract/via.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../../platform/access/signature.ts';
import type { Channel, ChannelSettings, Message, Network } from './channel.ts';
import { channelOutbound, isLoop, isTooFar, outcomeOf, outcomeOfStatus, TOO_FAR } from './http.ts';

const BEEN_THERE = 'The notification has been at that bridge before, the channel leads back to it';

/** JSON by POST, signed as Grafana signs its webhooks (docs/channels.md). */
export function createWebhook({ name, url = '', secret }: ChannelSettings, network: Network): Channel {
  const outbound = channelOutbound(url, network);
  return {
    async send(message, { signal, idempotencyKey, via }) {
      if (isTooFar(via)) {
        return { kind: 'refused', reason: TOO_FAR };
      }
      const body = JSON.stringify(bodyOf(name, message));
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Nodebell',
        'idempotency-key': idempotencyKey,
        [VIA_HEADER]: formatVia(via),
        ...(secret !== undefined && signed(body, secret, network.now())),
      };
      const request = outbound.fetchGuarded(url, `channel ${name}`, { method: 'POST', headers, body, signal });
      return outcomeOf(request, network, (answer) =>
        outcomeOfStatus(answer, network.now(), isLoop(answer) ? BEEN_THERE : '')
      );
    },
  };
}

function bodyOf(channel: string, message: Message): object {
  const { key, ref: _ref, threadId: _threadId, response: _response, actions: _actions, ...members } = message;
  return { version: 1, channel, thread: key, ...members };
}

/** Signs like Grafana's webhooks with a header for the time: see platform/access/signature.ts, which verifies it. */
function signed(body: string, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}:`).update(body).digest('hex');
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature };
}
