/** Channel `nodebell`: another bridge, which stores what arrives under the name of this node. docs/many-nodes.md. */
import { batchAnswerSchema } from '../../../contract/batch.ts';
import type { OutboundAnswer } from '../../http/outbound.ts';
import type { BatchChannel, BatchOutcome, ChannelSettings, Forwarded, Network, Outcome } from '../channel.ts';
import { maskedDetail } from '../text.ts';
import { channelOutbound, outcomeOf, outcomeOfStatus } from './http.ts';

/** Statuses that concern what was sent. All others concern the other bridge, its address or the token, and can change. */
const ABOUT_CONTENT = new Set([400, 413, 422]);
const TOO_FAR = 'It has come through too many bridges.';
const MAX_NODES = 5;

/** Another bridge: `POST /notifications/batch` and `POST /heartbeat`, with a sender token. Only 400, 413 and 422 are about the content. */
export function createNodebell(
  { name, url = '', token = '', node = '' }: ChannelSettings,
  network: Network
): BatchChannel {
  const outbound = channelOutbound(url, network);
  const post = (path: string, body: object | undefined, signal: AbortSignal): Promise<OutboundAnswer> =>
    outbound.fetchGuarded(`${url.replace(/\/$/, '')}/api/v1/${path}`, `channel ${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': 'Nodebell',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
  const outcome = (answer: OutboundAnswer): Outcome => {
    const result = outcomeOfStatus(answer, network.now(), maskedDetail(detailOf(answer), token));
    return result.kind === 'refused' && !ABOUT_CONTENT.has(answer.status) ? { ...result, kind: 'retry' } : result;
  };
  const sendAll = async (all: readonly Forwarded[], signal: AbortSignal): Promise<BatchOutcome> => {
    const near = all.filter((one) => pathOf(node, one.node) !== undefined);
    const far = all.flatMap((one, index) => (near.includes(one) ? [] : [{ index, reason: TOO_FAR }]));
    if (near.length === 0) {
      return { kind: 'delivered', returned: [], rejected: far };
    }
    let parsed: ReturnType<typeof batchAnswerSchema.safeParse> | undefined;
    const notifications = near.map((one) => ({ ...one, node: pathOf(node, one.node) }));
    const result = await outcomeOf(post('notifications/batch', { notifications }, signal), network, (answer) => {
      parsed = batchAnswerSchema.safeParse(jsonOf(answer));
      const read = outcome(answer);
      return read.kind === 'delivered' && !parsed.success
        ? { kind: 'retry', reason: 'The response is not one of Nodebell.' }
        : read;
    });
    if (result.kind !== 'delivered') {
      return result;
    }
    const { returned, rejected } = parsed!.data!;
    const places = near.map((one) => all.indexOf(one));
    return {
      kind: 'delivered',
      returned: returned.flatMap((index) => places[index] ?? []),
      rejected: [
        ...far,
        ...rejected.flatMap(({ index, reason }) => {
          const place = places[index];
          return place === undefined ? [] : [{ index: place, reason: `${maskedDetail(reason, token)}.` }];
        }),
      ],
    };
  };
  return {
    sendAll,
    heartbeat: (signal) => outcomeOf(post('heartbeat', undefined, signal), network, outcome),
    async send({ title, body, category, dnpName, priority, correlationId }, { signal, idempotencyKey }) {
      const result = await sendAll(
        [{ title, body, category, dnpName, priority, correlationId, idempotencyKey }],
        signal
      );
      const [refused] = result.kind === 'delivered' ? result.rejected : [];
      return refused
        ? { kind: 'refused', reason: refused.reason }
        : result.kind === 'delivered'
          ? { kind: 'delivered' }
          : result;
    },
  };
}

/** As in `node` of a notification; undefined: too long. */
function pathOf(own: string, before: string | undefined): string | undefined {
  const path = before === undefined ? own : `${own}/${before}`;
  return path.split('/').length > MAX_NODES ? undefined : path;
}

function jsonOf({ body }: OutboundAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `detail` of a problem document. */
function detailOf(answer: OutboundAnswer): string {
  const detail = (jsonOf(answer) as { detail?: unknown } | undefined)?.detail;
  return typeof detail === 'string' ? detail : '';
}
