/** Acknowledging threads, and taking that back. Runs in the writer thread, each call inside a transaction. */
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ResponseRow } from '../../platform/storage/schema.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';
import { NOT_ACKNOWLEDGED, respondTo, shownName } from '../responses/activities.ts';
import { type Act, type Changed, record, responded, type ThreadOf, threadsOf } from './threads.ts';

/** An acknowledgement, or its removal. */
export interface Acknowledging extends Act {
  ids: readonly number[];
  acknowledged: boolean;
  comment?: string | undefined;
}

/** Acknowledges the threads of these notifications, or takes that back. The last one who acts counts; who repeats it changes nothing. */
export async function acknowledge(trx: Transacting, act: Acknowledging): Promise<Written<Changed>> {
  const { ids, acknowledged, comment, by, now } = act;
  const threads = await threadsOf(trx, ids);
  const known = await acknowledgedAmong(trx, threads);
  const text = comment?.trim() ? comment.trim() : null;
  const next = { ack_by: shownName(by), ack_key: by?.key ?? null, ack_comment: text };
  const changing = threads.filter((thread) => changes(known.get(thread.id), acknowledged ? next : undefined, thread));
  if (changing.length === 0) {
    return { result: { changed: [] }, events: [] };
  }
  for (const [priority, some] of Map.groupBy(changing, (thread) => thread.priority)) {
    const values = acknowledged ? { ...next, ack_ts: now, ack_priority: priority } : NOT_ACKNOWLEDGED;
    await respondTo(
      trx,
      some.map(({ id }) => id),
      values
    );
  }
  const was = known.get(changing[0]!.id);
  const heads = await record(trx, changing, act, {
    ...(acknowledged
      ? { kind: 'acknowledged', action: 'notification.acknowledge' }
      : { kind: 'unacknowledged', action: 'notification.unacknowledge' }),
    text: text ?? undefined,
    before: was && { by: was.ack_by, comment: was.ack_comment },
    after: text === null ? {} : { comment: text },
  });
  return {
    result: { changed: heads, ...(acknowledged && { readUntil: await lastNumber(trx, 'notification') }) },
    events: responded(heads),
  };
}

type Named = Pick<ResponseRow, 'ack_by' | 'ack_key' | 'ack_comment'>;

async function acknowledgedAmong(trx: Transacting, threads: readonly ThreadOf[]): Promise<Map<number, ResponseRow>> {
  const ids = threads.map(({ id }) => id);
  const rows = await trx
    .selectFrom('responses')
    .selectAll()
    .where('ack_ts', 'is not', null)
    .where(inList('thread_id', ids))
    .execute();
  return new Map(rows.map((row) => [row.thread_id, row]));
}

/** @param next undefined: it is taken back */
function changes(before: ResponseRow | undefined, next: Named | undefined, { priority }: ThreadOf): boolean {
  if (before === undefined || next === undefined) {
    return before !== next;
  }
  const same = (['ack_by', 'ack_key', 'ack_comment'] as const).every((name) => before[name] === next[name]);
  return !same || (before.ack_priority ?? 0) < priority;
}
