/** Channel `nodebell`: another bridge, which stores what arrives under the name of this node. docs/channels.md. */
import { type BatchAnswer, batchAnswerSchema } from '../../../../contract/batch.ts';
import { nodePathSchema } from '../../../../contract/notification.ts';
import type { OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { BatchChannel, BatchOutcome, ChannelSettings, Forwarded, Network, Outcome } from './channel.ts';
import { maskedDetail } from './text.ts';
import { isTooFar, jsonOf, jsonSender, jsonText, outcomeOf, outcomeOfStatus, TOO_FAR, withoutSlash } from './http.ts';

/** Statuses that concern what was sent. All others concern the other bridge, its address or the token, and can change. */
const ABOUT_CONTENT = new Set([400, 413, 422]);
const SAME_BRIDGE =
  'The other bridge has the same identity as this one: the channel leads to this bridge itself, or to a copy of its data.';
const NEVER_THERE =
  'The other bridge responds that it had the notification before, but the notification has not been there.';

/** Another bridge: `POST /notifications/batch` and `POST /heartbeat`, with a sender token. Only 400, 413 and 422 are about the content. */
export function createNodebell(
  { name, url = '', token = '', node = '' }: ChannelSettings,
  network: Network
): BatchChannel {
  const sendJson = jsonSender(url, name, network);
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'Nodebell' };
  const post = (path: string, body: object | undefined, signal: AbortSignal): Promise<OutboundAnswer> =>
    sendJson(`${withoutSlash(url)}/api/v1/${path}`, body, { headers, signal });
  const outcome = (answer: OutboundAnswer): Outcome => {
    const result = outcomeOfStatus(answer, network.now(), maskedDetail(jsonText(answer, 'detail'), token));
    return result.kind === 'refused' && !ABOUT_CONTENT.has(answer.status) ? { ...result, kind: 'retry' } : result;
  };
  const sendAll = async (all: readonly Forwarded[], signal: AbortSignal): Promise<BatchOutcome> => {
    const near = all.filter((one) => !isTooFar(one.via) && nodePathSchema.safeParse(pathOf(node, one.node)).success);
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
    const { returned, rejected } = placesOf(all, near, parsed!.data!, token);
    return { kind: 'delivered', returned, rejected: [...far, ...rejected] };
  };
  return {
    sendAll,
    heartbeat: (signal) => outcomeOf(post('heartbeat', undefined, signal), network, outcome),
    async send({ title, body, category, dnpName, priority, correlationId }, { signal, idempotencyKey, via }) {
      const result = await sendAll(
        [{ title, body, category, dnpName, priority, correlationId, idempotencyKey, via }],
        signal
      );
      if (result.kind !== 'delivered') {
        return result;
      }
      const [refused] = result.rejected;
      return refused ? { kind: 'refused', reason: refused.reason } : { kind: 'delivered' };
    },
  };
}

/** Translates the places of those that were sent into places of the whole batch. */
function placesOf(
  all: readonly Forwarded[],
  near: readonly Forwarded[],
  { bridge, returned, rejected }: BatchAnswer,
  token: string
): Pick<Extract<BatchOutcome, { kind: 'delivered' }>, 'returned' | 'rejected'> {
  const at = (index: number): number[] => (near[index] ? [all.indexOf(near[index])] : []);
  const isReturned = (index: number): boolean => near[index]?.via.slice(0, -1).includes(bridge) === true;
  const unexpected = near[0]!.via.at(-1) === bridge ? SAME_BRIDGE : NEVER_THERE;
  const rejects = (index: number, reason: string) => at(index).map((place) => ({ index: place, reason }));
  return {
    returned: returned.filter(isReturned).flatMap(at),
    rejected: [
      // Only what has been there may be dropped.
      ...returned.filter((index) => !isReturned(index)).flatMap((index) => rejects(index, unexpected)),
      ...rejected.flatMap(({ index, reason }) => rejects(index, `${maskedDetail(reason, token)}.`)),
    ],
  };
}

/** As in `node` of a notification. */
const pathOf = (own: string, before: string | undefined): string => (before === undefined ? own : `${own}/${before}`);
