/** Channel `webhook`: signed JSON, as in docs/channels.md. */
import { createHmac } from 'node:crypto';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../../webhooks/signature.ts';
import type { Channel, ChannelSettings, Message, Network } from '../channel.ts';
import { channelOutbound, outcomeOf, outcomeOfStatus } from './http.ts';

/** JSON by POST, signed as Grafana signs its webhooks (docs/channels.md). */
export function createWebhook({ name, url = '', secret }: ChannelSettings, network: Network): Channel {
  const outbound = channelOutbound(url, network);
  return {
    send(message, { signal, idempotencyKey }) {
      const body = JSON.stringify(bodyOf(name, message));
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Nodebell',
        'idempotency-key': idempotencyKey,
        ...(secret !== undefined && signed(body, secret, network.now())),
      };
      const request = outbound.fetchGuarded(url, `channel ${name}`, { method: 'POST', headers, body, signal });
      return outcomeOf(request, network, (answer) => outcomeOfStatus(answer, network.now()));
    },
  };
}

function bodyOf(channel: string, { key, ref: _ref, threadId: _threadId, ...message }: Message): object {
  return { version: 1, channel, thread: key, ...message };
}

/** Signs like Grafana's webhooks with a header for the time: see webhooks/signature.ts, which verifies it. */
function signed(body: string, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}:`).update(body).digest('hex');
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature };
}
