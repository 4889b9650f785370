/** Operation `sendBatch`: notifications of another bridge. */
import type { RequestHandler } from 'express';
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import { type BatchAnswer, looseBatchSchema } from '../../../contract/batch.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { readUsablePayload } from '../../../contract/readPayload.ts';
import { ellipsize } from '../../../contract/text.ts';
import { applySender } from '../../platform/access/applySender.ts';
import type { Sender } from '../../platform/http/guard.ts';
import { jsonBody } from '../../platform/http/body.ts';
import { HttpProblem } from '../../platform/http/problem.ts';
import { readBody } from '../../platform/http/query.ts';
import { senderOf } from '../../platform/http/rateLimit.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { fitExtra, shortName } from './fit.ts';
import type { Incoming, Receive } from './receive.ts';
import { onceOfKey } from './receipts.ts';

export interface BatchDeps {
  receive: Receive;
  /** The id of this bridge. */
  bridge: string;
  /** A bridge with the same id has sent these. */
  onSameBridge: () => void;
}

export function batchHandlers({
  receive,
  bridge,
  onSameBridge,
}: BatchDeps): Handlers<Pick<typeof NOTIFICATIONS, 'sendBatch'>> {
  const handle: RequestHandler = async (req, res) => {
    const { notifications } = readBody(req.body, looseBatchSchema);
    const answer: BatchAnswer = { bridge, accepted: 0, duplicates: 0, returned: [], rejected: [] };
    const { sender } = res.locals;
    const incoming = notifications.flatMap(({ idempotencyKey, via, ...raw }, index): Incoming[] => {
      if (via?.includes(bridge)) {
        answer.returned.push(index);
        return [];
      }
      const read = readOne(raw, sender);
      if ('reason' in read) {
        answer.rejected.push({ index, reason: ellipsize(read.reason, LIMITS.batchReason.value) });
        return [];
      }
      const from = senderOf(req, res);
      return [{ ...read, via, source: 'api', sender: from, once: onceOfKey(sender?.id, from, idempotencyKey) }];
    });
    if (notifications.some(({ via }) => via?.at(-1) === bridge)) {
      onSameBridge();
    }
    for (const { outcome } of await receive(incoming)) {
      answer[outcome === 'stored' ? 'accepted' : 'duplicates'] += 1;
    }
    res.json(answer);
  };
  const limits = { limit: LIMITS.webhookBodyBytes.value, elements: LIMITS.webhookBodyElements.value, levels: Infinity };
  // Each notification is validated by itself, so that a wrong one does not reject the others.
  return { sendBatch: [...jsonBody(limits), handle] };
}

function readOne(
  raw: Record<string, unknown>,
  sender: Sender | undefined
): Pick<Incoming, 'payload' | 'extra' | 'ignored'> | { reason: string } {
  const read = readUsablePayload(raw, shortName);
  if (!read.ok) {
    return { reason: read.errors.map(({ detail }) => detail).join(' ') };
  }
  const { extra, ignored } = read.value;
  try {
    return { payload: applySender(read.value.payload, sender), extra: fitExtra(extra, () => undefined), ignored };
  } catch (error) {
    if (error instanceof HttpProblem) {
      return { reason: error.message };
    }
    throw error;
  }
}
