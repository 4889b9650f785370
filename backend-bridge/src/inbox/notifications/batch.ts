/** Operation `sendBatch`: many notifications of a sender, or of another bridge. */
import type { Request, RequestHandler, Response } from 'express';
import type { NOTIFICATIONS } from '../../../contract/api/notifications.ts';
import {
  type BatchAnswer,
  batchMembersSchema,
  type BatchResult,
  type BatchResults,
  looseBatchSchema,
} from '../../../contract/batch.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { toProblemErrors } from '../../../contract/problem.ts';
import { ellipsize, isObject, show } from '../../../contract/text.ts';
import { type ErrorLog, newProblemId, problemDocument } from '../../platform/http/errors.ts';
import { type JsonLine, JsonLines, jsonOrLinesBody } from '../../platform/http/jsonLines.ts';
import { HttpProblem, invalid } from '../../platform/http/problem.ts';
import { readBody } from '../../platform/http/query.ts';
import type { Charge } from '../../platform/http/rateLimit.ts';
import { senderOf } from '../../platform/http/senderKey.ts';
import type { Handlers } from '../../platform/http/serve.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import type { Incoming, Receive } from './receive.ts';
import { idempotencyKey, isStrict, keyProblem, readSent, type Sent } from './send.ts';

export interface BatchDeps {
  receive: Receive;
  /** The rate limit counts notifications, not requests. */
  charge: Charge;
  log: ErrorLog;
  /** The id of this bridge. */
  bridge: string;
  /** A bridge with the same id has sent these. */
  onSameBridge: () => void;
}

/** The outcome of one notification. */
type Outcome =
  | { outcome: 'stored' | 'duplicate'; id: number; ignored: Incoming['ignored']; notes: string[] }
  | { outcome: 'failed'; problem: HttpProblem };

const failed = (problem: HttpProblem): Outcome => ({ outcome: 'failed', problem });

export function batchHandlers(deps: BatchDeps): Handlers<Pick<typeof NOTIFICATIONS, 'sendBatch'>> {
  const handle: RequestHandler = async (req, res) => {
    if (isObject(req.body) && !(req.body instanceof JsonLines)) {
      const { notifications } = readBody(req.body, looseBatchSchema);
      const outcomes = await receiveAll(deps, req, res, { items: notifications.map((value) => ({ value })) });
      res.json(answerOf(outcomes, deps.bridge));
      return;
    }
    const items = itemsOf(req.body);
    const [key, strict] = [idempotencyKey(req), isStrict(req)];
    deps.charge(req, res, items.length - 1);
    const results = resultsOf(await receiveAll(deps, req, res, { items, key, strict }), items, deps.log);
    res.status(results.failed === 0 ? 200 : 207).json(results);
  };
  const limits = { limit: LIMITS.webhookBodyBytes.value, elements: LIMITS.webhookBodyElements.value };
  return { sendBatch: [...jsonOrLinesBody({ ...limits, lines: LIMITS.batchItems.value }), handle] };
}

/** @throws HttpProblem unless it is a list of allowed length; nothing of it is stored then */
function itemsOf(body: unknown): readonly JsonLine[] {
  const { value: most } = LIMITS.batchItems;
  const allowed = `1 to ${most.toLocaleString('en-US')} notifications`;
  const error = (found: string) => {
    const detail = `Send a list or JSON lines of ${allowed}; found ${found}.`;
    return [{ pointer: '#', found, allowed, detail }];
  };
  const items = body instanceof JsonLines ? body.lines : body;
  if (!Array.isArray(items) || items.length === 0) {
    throw invalid(error(Array.isArray(items) ? 'an empty list' : show(items)));
  }
  if (items.length > most) {
    const found = body instanceof JsonLines ? `more than ${most}` : String(items.length);
    throw new HttpProblem('too-large', `The batch has too many notifications. ${error(found)[0]?.detail}`, {
      errors: error(found),
    });
  }
  return body instanceof JsonLines ? body.lines : items.map((value: unknown) => ({ value }));
}

interface Batch {
  items: readonly JsonLine[];
  /** With the index, the key of those that have none. */
  key?: string | undefined;
  strict?: boolean;
}

/** All that are valid are stored, or none. @returns one for each, in their order */
async function receiveAll(
  { receive, bridge, onSameBridge }: BatchDeps,
  req: Request,
  res: Response,
  { items, key, strict = false }: Batch
): Promise<Outcome[]> {
  const { sender } = res.locals;
  const from = senderOf(req, res);
  let sameBridge = false;
  const read = ({ value, problem }: JsonLine, index: number): ReturnType<typeof readSent> => {
    if (problem) {
      throw problem;
    }
    const { key: own, via, body } = membersOf(value);
    sameBridge ||= via?.at(-1) === bridge;
    if (via?.includes(bridge)) {
      throw new HttpProblem('loop', 'The notification has been at this bridge before. It is not stored again.');
    }
    // A key of a sender has no spaces.
    const itsKey = own ?? (key === undefined ? undefined : `${key} ${index}`);
    return readSent({ body, key: itsKey, via, strict, sender, from });
  };
  const all = await mapInTurns(items, (item, index) => attempt(() => read(item, index)));
  if (sameBridge) {
    onSameBridge();
  }
  const valid = all.flatMap((one) => (one instanceof HttpProblem ? [] : [one.incoming]));
  const received = (await receive(valid)).values();
  return all.map((one): Outcome => {
    if (one instanceof HttpProblem) {
      return failed(one);
    }
    const result = received.next().value!;
    if (result.outcome === 'conflict' || result.outcome === 'gone') {
      return failed(keyProblem(result.outcome));
    }
    const { outcome, id } = result;
    const note = result.outcome === 'stored' ? result.note : undefined;
    const notes = note === undefined ? one.notes : [...one.notes, note];
    return { outcome, id, ignored: one.incoming.ignored, notes: outcome === 'stored' ? notes : [] };
  });
}

function attempt<T>(work: () => T): T | HttpProblem {
  try {
    return work();
  } catch (error) {
    if (error instanceof HttpProblem) {
      return error;
    }
    throw error;
  }
}

/** Separates the payload from the members that a single notification has as headers. */
function membersOf(value: unknown): Partial<Pick<Sent, 'key' | 'via'>> & { body: unknown } {
  if (!isObject(value) || !('idempotencyKey' in value || 'via' in value)) {
    return { body: value };
  }
  const { idempotencyKey: key, via, ...body } = value;
  const members = batchMembersSchema.safeParse({ idempotencyKey: key, via });
  if (!members.success) {
    throw invalid(toProblemErrors(members.error, value), 'the notification');
  }
  return { key: members.data.idempotencyKey, via: members.data.via, body };
}

/** The response to another bridge: what was stored before counts as delivered, also if it has changed or been deleted since. */
function answerOf(outcomes: readonly Outcome[], bridge: string): BatchAnswer {
  const answer: BatchAnswer = { bridge, accepted: 0, duplicates: 0, returned: [], rejected: [] };
  for (const [index, one] of outcomes.entries()) {
    if (one.outcome !== 'failed') {
      answer[one.outcome === 'stored' ? 'accepted' : 'duplicates'] += 1;
    } else if (one.problem.kind === 'conflict' || one.problem.kind === 'gone') {
      answer.duplicates += 1;
    } else if (one.problem.kind === 'loop') {
      answer.returned.push(index);
    } else {
      answer.rejected.push({ index, reason: ellipsize(one.problem.message, LIMITS.batchReason.value) });
    }
  }
  return answer;
}

/** The response to a sender. All problems have one id, which is logged once. */
function resultsOf(outcomes: readonly Outcome[], items: readonly JsonLine[], log: ErrorLog): BatchResults {
  const counts = { stored: 0, duplicate: 0, failed: 0 };
  const id = newProblemId();
  let room = LIMITS.batchListed.value;
  /** As many as the response has room for. */
  const fit = <T>(list: readonly T[], most: number = list.length): T[] => {
    const listed = list.slice(0, Math.min(most, room));
    room -= listed.length;
    return listed;
  };
  const results = outcomes.map((one, index): BatchResult => {
    counts[one.outcome] += 1;
    const place = { index, line: items[index]?.line, outcome: one.outcome };
    if (one.outcome === 'failed') {
      const { length } = fit(one.problem.errors, LIMITS.problemErrors.value);
      return { ...place, problem: problemDocument(one.problem, id, length) };
    }
    const ignored = fit(one.ignored ?? []);
    return {
      ...place,
      id: one.id,
      ...(ignored.length > 0 && { ignored }),
      ...(one.notes.length > 0 && { notes: one.notes }),
    };
  });
  if (counts.failed > 0) {
    log.info({ id, ...counts }, 'some notifications of a batch are not valid');
  }
  return { stored: counts.stored, duplicates: counts.duplicate, failed: counts.failed, results };
}
