/** Effects of arrivals on acknowledged and snoozed threads. Runs in the writer thread, in the transaction that stores them. */
import type { ArrivalHook, Arrivals } from '../notifications/arrivals.ts';
import { returnUnread } from '../readers/writes.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import { addActivities, NOT_ACKNOWLEDGED } from '../responses/activities.ts';
import { type Answer, endsAcknowledgement, endsSnooze, isRepeat, resolves } from './rules.ts';

interface Snooze extends Answer {
  reader: number;
}

/** Ends acknowledgements and snoozes, and tells what somebody handles. Costs nothing where there are none. */
export const responsesToArrivals: ArrivalHook = { begin: (trx, { threads }) => answeredAmong(trx, threads) };

async function answeredAmong(trx: Transacting, threads: readonly ThreadRow[]): Promise<Arrivals> {
  const ids = threads.flatMap(({ id, answered }) => (answered === 1 ? [id] : []));
  if (ids.length === 0) {
    return {};
  }
  const acknowledged = new Map<number, Answer>(
    (
      await trx
        .selectFrom('responses')
        .select(['thread_id', 'ack_priority'])
        .where('ack_ts', 'is not', null)
        .where(inList('thread_id', ids))
        .execute()
    ).map((row) => [row.thread_id, { priority: row.ack_priority ?? 0 }])
  );
  const snoozed = Map.groupBy<number, Snooze & { thread_id: number }>(
    await trx
      .selectFrom('snoozes')
      .select(['thread_id', 'reader', 'priority'])
      .where('woken_ts', 'is', null)
      .where(inList('thread_id', ids))
      .execute(),
    (row) => row.thread_id
  );
  const ended = new Map<number, NotificationRow>();
  const woken: { thread: number; reader: number; notification: NotificationRow }[] = [];

  return {
    handles(before, row) {
      const answer = acknowledged.get(before.id);
      if (answer && endsAcknowledgement(before, row, answer)) {
        acknowledged.delete(before.id);
        ended.set(before.id, row);
      }
      const waiting = snoozed.get(before.id) ?? [];
      const over = waiting.filter((one) => endsSnooze(row, one));
      const left = waiting.filter((one) => !over.includes(one));
      snoozed.set(before.id, left);
      woken.push(...over.map(({ reader }) => ({ thread: before.id, reader, notification: row })));
      const kept = acknowledged.get(before.id);
      const ofAll = left.find(({ reader }) => reader === 0);
      return (kept !== undefined && isRepeat(before, row, kept)) || (ofAll !== undefined && !resolves(row));
    },
    async store(trx) {
      await endAcknowledgements(trx, ended);
      await wake(
        trx,
        woken.map(({ thread, reader, notification: { id, ts } }) => ({ thread, reader, notification: id, now: ts }))
      );
      const ofAll = woken.flatMap(({ reader, notification }) => (reader === 0 ? [notification] : []));
      const ids = new Set([...ended.values(), ...ofAll].map(({ id }) => id));
      return [...ids].map((id) => ({ type: 'responded' as const, data: { ids: [id] } }));
    },
  };
}

/** @param ended what ended it, by thread */
async function endAcknowledgements(trx: Transacting, ended: ReadonlyMap<number, NotificationRow>): Promise<void> {
  if (ended.size === 0) {
    return;
  }
  await trx
    .updateTable('responses')
    .set(NOT_ACKNOWLEDGED)
    .where(inList('thread_id', [...ended.keys()]))
    .execute();
  await addActivities(
    trx,
    [...ended].map(([thread, { ts }]) => ({ thread, ts, kind: 'ended', by: null }))
  );
}

/** A snooze that ends, and the notification that is unread from then on. */
interface Waking {
  thread: number;
  /** 0: all. */
  reader: number;
  notification: number;
  now: number;
}

/** Threads come back: on top, and unread for whom they were hidden from. */
export async function wake(trx: Transacting, waking: readonly Waking[]): Promise<void> {
  for (const { thread, reader, notification, now } of waking) {
    await trx
      .updateTable('snoozes')
      .set({ woken_ts: now })
      .where('thread_id', '=', thread)
      .where('reader', '=', reader)
      .execute();
    await returnUnread(trx, reader === 0 ? undefined : reader, notification);
  }
  const ofAll = waking.filter(({ reader }) => reader === 0);
  await addActivities(
    trx,
    ofAll.map(({ thread, now }) => ({ thread, ts: now, kind: 'woken', by: null }))
  );
}
