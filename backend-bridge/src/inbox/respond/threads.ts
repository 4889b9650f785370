/** The threads to which somebody responds, and the events of that. Runs in the writer thread. */
import type { Actor } from '../../../contract/audit.ts';
import type { ActivityKind } from '../../../contract/respond.ts';
import { audit, type NewAuditEntry } from '../../platform/audit/writes.ts';
import { named } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ThreadRow } from '../../platform/storage/schema.ts';
import { addActivities } from '../responses/activities.ts';

/** Author and time (UTC milliseconds) of an act. */
export interface Act {
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
}

/**
 * The event `responded`; none without changes.
 * @param ids newest notifications of the changed threads
 * @param reader for the streams of this reader only
 */
export const responded = (ids: readonly number[], reader?: Reader) =>
  ids.length === 0
    ? []
    : [{ type: 'responded' as const, data: { ids: named([...ids]), ...(reader && { reader: reader.key }) } }];

/** Columns of a thread that acts need. */
export interface ThreadOf extends Pick<ThreadRow, 'id' | 'priority'> {
  /** Newest notification of the thread in the inbox; without one, the first of those named. */
  head: number;
}

export const idsOf = (threads: readonly ThreadOf[]): number[] => threads.map(({ id }) => id);

/** The threads of these notifications. */
export async function threadsOf(trx: Transacting, ids: readonly number[]): Promise<ThreadOf[]> {
  return trx
    .selectFrom('threads as t')
    .innerJoin('notifications as n', 'n.thread_id', 't.id')
    .select((all) => ['t.id', 't.priority', all.fn.coalesce('t.head_id', all.fn.min<number>('n.id')).as('head')])
    .where(inList('n.id', ids))
    .groupBy(['t.id', 't.priority', 't.head_id'])
    .orderBy('t.id')
    .execute();
}

/** An act, as recorded in the timeline of each thread, and in the audit log, where all threads have one entry. */
interface Recorded extends Pick<NewAuditEntry, 'action'> {
  kind: ActivityKind;
  text: string | undefined;
  /** The first thread before the act; recorded if it is the only one. */
  before: object | undefined;
  after: object;
}

/** Records an act. @returns the newest notifications of the threads */
export async function record(
  trx: Transacting,
  threads: readonly ThreadOf[],
  { by, now }: Act,
  { kind, text, action, before, after }: Recorded
): Promise<number[]> {
  await addActivities(
    trx,
    threads.map(({ id }) => ({ thread: id, ts: now, kind, by, text }))
  );
  const heads = threads.map(({ head }) => head);
  const isOne = heads.length === 1;
  await audit(trx, {
    by,
    action,
    object: isOne ? String(heads[0]) : '',
    ...(isOne && before && { before }),
    after: isOne ? after : { count: heads.length, ids: named(heads), ...after },
    now,
  });
  return heads;
}

/** Result of a call. */
export interface Changed {
  /** The newest notification of each changed thread. */
  changed: number[];
  /** To be marked as seen: the members of these threads up to this id. */
  readUntil?: number;
}
