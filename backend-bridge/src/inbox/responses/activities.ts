/** The timeline of a thread, and what is stored of threads to which somebody responded. Runs in the writer thread. */
import { sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ActivityKind } from '../../../contract/respond.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ResponseRow } from '../../platform/storage/schema.ts';
import { findNumber, setNumber, takeNumbers } from '../../platform/storage/series.ts';

/** An entry for the timeline. `ts`: UTC milliseconds. */
export interface NewActivity {
  thread: number;
  ts: number;
  kind: ActivityKind;
  /** Null: the bridge. */
  by: Actor | null;
  text?: string | undefined;
}

/** Name that the timeline shows; empty: a script, or the bridge. */
export const shownName = (by: Actor | null): string =>
  by?.kind === 'user' || by?.kind === 'channel' || by?.kind === 'sender' ? by.name : '';

/** Adds entries, and removes the oldest beyond the limit of a thread; comments stay. @returns the id of the first */
export async function addActivities(trx: Transacting, entries: readonly NewActivity[]): Promise<number> {
  if (entries.length === 0) {
    return 0;
  }
  const first = await takeNumbers(trx, 'activity', entries.length);
  await insertRows(
    trx,
    'timeline',
    entries.map(({ thread, ts, kind, by, text }, index) => ({
      id: first + index,
      thread_id: thread,
      ts,
      kind,
      actor: shownName(by),
      actor_key: by?.key ?? null,
      content: text ?? null,
      edited_ts: null,
    }))
  );
  for (const thread of new Set(entries.map((entry) => entry.thread))) {
    await trx
      .deleteFrom('timeline')
      .where((all) =>
        all(
          'id',
          'in',
          all
            .selectFrom('timeline')
            .select('id')
            .where('thread_id', '=', thread)
            .where('kind', '<>', 'comment')
            .orderBy('id', 'desc')
            .limit(LIMITS.threadActivities.value)
            .offset(LIMITS.threadActivities.value)
        )
      )
      .execute();
  }
  return first;
}

/** Columns of a response without an acknowledgement. */
export const NOT_ACKNOWLEDGED = {
  ack_ts: null,
  ack_by: null,
  ack_key: null,
  ack_comment: null,
  ack_priority: null,
};

/** Stores what is known of the response to threads, of which arrivals then look at it; what is left out stays. */
export async function respondTo(
  trx: Transacting,
  threads: readonly number[],
  values: Partial<Omit<ResponseRow, 'thread_id'>> = {}
): Promise<void> {
  const rows = threads.map((thread_id) => ({
    thread_id,
    ...NOT_ACKNOWLEDGED,
    assignee: null,
    assignee_name: null,
    comments: 0,
    ...values,
  }));
  const columns = Object.keys(values).map((column) => `${column} = excluded.${column}`);
  const change = columns.length === 0 ? 'nothing' : `update set ${columns.join(', ')}`;
  await insertRows(trx, 'responses', rows, `on conflict (thread_id) do ${change}`);
  await trx.updateTable('threads').set({ answered: 1 }).where(inList('id', threads)).execute();
}

/**
 * After members of threads were restored: what people did with those threads is theirs again.
 * @param threads the thread of each before its deletion, and the one that it is in now
 */
export async function returnResponses(
  trx: Transacting,
  threads: readonly (readonly [before: number, after: number])[]
): Promise<void> {
  const moved = new Map(threads);
  const known = await trx
    .selectFrom('responses')
    .select('thread_id')
    .where(inList('thread_id', [...new Set(threads.flat())]))
    .execute();
  const answered = new Set(known.map(({ thread_id }) => thread_id));
  for (const [before, after] of moved) {
    if (before !== after && answered.has(before)) {
      await moveResponses(trx, before, after, answered.has(after));
      answered.delete(before);
      answered.add(after);
    }
  }
  await trx
    .updateTable('threads')
    .set({ answered: 1 })
    .where(inList('id', [...answered]))
    .execute();
}

/** @param keeps what is known of the thread that it joins stays; comments come together */
async function moveResponses(trx: Transacting, before: number, after: number, keeps: boolean): Promise<void> {
  await trx.updateTable('timeline').set({ thread_id: after }).where('thread_id', '=', before).execute();
  if (keeps) {
    await sql`update responses set comments = (select count(*) from timeline a where a.thread_id = ${after} and a.kind = 'comment')
      where thread_id = ${after}`.execute(trx);
    await trx.deleteFrom('responses').where('thread_id', '=', before).execute();
    await trx.deleteFrom('snoozes').where('thread_id', '=', before).execute();
  } else {
    await trx.updateTable('responses').set({ thread_id: after }).where('thread_id', '=', before).execute();
    await trx.updateTable('snoozes').set({ thread_id: after }).where('thread_id', '=', before).execute();
  }
}

/** Series: the last thread whose response {@link cleanResponses} has looked at. */
const LOOKED_AT = 'responses-looked-at';

/**
 * Removes what people did with threads that are deleted for good, and snoozes that ended long ago. It looks at a bounded number of responses
 * at a time, however many there are, and continues after them the next time.
 */
export async function cleanResponses(trx: Transacting, before: number): Promise<void> {
  const after = (await findNumber(trx, LOOKED_AT)) ?? 0;
  const { rows } = await sql<{ thread_id: number; gone: number }>`
    select r.thread_id as thread_id, case when t.id is null then 1 else 0 end as gone
    from (select thread_id from responses where thread_id > ${after} order by thread_id limit ${LIMITS.cleanedRows.value}) r
      left join threads t on t.id = r.thread_id order by r.thread_id`.execute(trx);
  const last = rows.length < LIMITS.cleanedRows.value ? 0 : rows.at(-1)!.thread_id;
  if (last !== after) {
    await setNumber(trx, LOOKED_AT, last);
  }
  const orphans = rows.flatMap(({ thread_id, gone }) => (gone === 1 ? [thread_id] : []));
  if (orphans.length > 0) {
    const trash = await trx
      .selectFrom('trash')
      .select('thread_id')
      .distinct()
      .where(inList('thread_id', orphans))
      .execute();
    const kept = new Set(trash.map(({ thread_id }) => thread_id));
    const ids = orphans.filter((id) => !kept.has(id));
    await sql`delete from comment_words where id in (
      select a.id from timeline a where ${inList('a.thread_id', ids)})`.execute(trx);
    for (const table of ['timeline', 'snoozes', 'responses'] as const) {
      await trx.deleteFrom(table).where(inList('thread_id', ids)).execute();
    }
  }
  await trx.deleteFrom('snoozes').where('woken_ts', '<', before).execute();
}
