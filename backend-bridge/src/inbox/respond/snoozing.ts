/** Snoozing threads, and the end of that. Runs in the writer thread, each call inside a transaction. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { isoTime } from '../../../contract/text.ts';
import { mark } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';
import { respondTo, shownName } from '../responses/activities.ts';
import { wake } from './arrivals.ts';
import { type Act, type Changed, idsOf, record, responded, type ThreadOf, threadsOf } from './threads.ts';

/** A snooze, or its end. */
export interface Snoozing extends Act {
  ids: readonly number[];
  /** UTC milliseconds; null: ends it. */
  until: number | null;
  /** Owner of the snooze; undefined: all. */
  reader: Reader | undefined;
}

/** Snoozes the threads of these notifications, or ends that. `full`: there would be more than a person may snooze, so none of them is. */
export async function snooze(trx: Transacting, act: Snoozing): Promise<Written<Changed | 'full'>> {
  const { ids, until, reader } = act;
  const owner = reader?.id ?? 0;
  const threads = await threadsOf(trx, ids);
  const known = await trx
    .selectFrom('snoozes')
    .select(['thread_id', 'until_ts'])
    .where('reader', '=', owner)
    .where(inList('thread_id', idsOf(threads)))
    .where('woken_ts', 'is', null)
    .execute();
  const before = new Map(known.map((row) => [row.thread_id, row.until_ts]));
  const changing = threads.filter(({ id }) => (before.get(id) ?? null) !== until);
  const fresh = until === null ? 0 : changing.filter(({ id }) => !before.has(id)).length;
  if (fresh > 0 && (await countOf(trx, owner)) + fresh > LIMITS.readerSnoozes.value) {
    return { result: 'full', events: [] };
  }
  if (changing.length === 0) {
    return { result: { changed: [] }, events: [] };
  }
  if (until === null) {
    await trx
      .deleteFrom('snoozes')
      .where('reader', '=', owner)
      .where(inList('thread_id', idsOf(changing)))
      .execute();
  } else {
    await store(trx, changing, owner, { ...act, until });
  }
  const changed = changing.map(({ head }) => head);
  if (reader) {
    return { result: { changed }, events: responded(changed, reader) };
  }
  const was = before.get(changing[0]!.id);
  const text = until === null ? undefined : isoTime(until);
  await record(trx, changing, act, {
    ...{ kind: until === null ? 'unsnoozed' : 'snoozed', text, action: 'notification.snooze' },
    before: was === undefined ? undefined : { until: isoTime(was) },
    after: { until: text ?? null, for: 'all' },
  });
  // The shared state knows no snoozes.
  const readUntil = until === null ? {} : { readUntil: await lastNumber(trx, 'notification') };
  return { result: { changed, ...readUntil }, events: responded(changed) };
}

async function countOf(trx: Transacting, owner: number): Promise<number> {
  const { count } = await trx
    .selectFrom('snoozes')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('reader', '=', owner)
    .where('woken_ts', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

async function store(
  trx: Transacting,
  threads: readonly ThreadOf[],
  owner: number,
  { until, by, now }: Act & { until: number }
): Promise<void> {
  await respondTo(trx, idsOf(threads));
  const values = { until_ts: until, set_ts: now, set_by: shownName(by), woken_ts: null };
  const changes = ['priority', ...Object.keys(values)].map((column) => `${column} = excluded.${column}`);
  await insertRows(
    trx,
    'snoozes',
    threads.map(({ id, priority }) => ({ thread_id: id, reader: owner, priority, ...values })),
    `on conflict (reader, thread_id) do update set ${changes.join(', ')}`
  );
}

/** The clock was set back: a snooze that was made before lasts as long again, and no longer. */
export async function setBackSnoozes(trx: Transacting, { now }: { now: number }): Promise<void> {
  await trx
    .updateTable('snoozes')
    .set({ until_ts: sql<number>`until_ts - set_ts + ${sql.lit(now)}`, set_ts: now })
    .where('woken_ts', 'is', null)
    .where('set_ts', '>', now + LIMITS.clockSkew.value)
    .execute();
}

/** Ends the snoozes that are due, at most so many; see `isSnoozeDue`. */
export async function wakeDue(
  trx: Transacting,
  { now, limit }: { now: number; limit: number }
): Promise<Written<{ more: boolean }>> {
  const due = await trx
    .selectFrom('snoozes as s')
    .innerJoin('threads as t', 't.id', 's.thread_id')
    .leftJoin('readers as r', 'r.id', 's.reader')
    .select(['s.thread_id', 's.reader', 't.head_id', 'r.key'])
    .where('s.woken_ts', 'is', null)
    .where('s.until_ts', '<=', now)
    .where('t.head_id', 'is not', null)
    .orderBy('s.until_ts')
    .limit(limit)
    .execute();
  await wake(
    trx,
    due.map(({ thread_id, reader, head_id }) => ({ thread: thread_id, reader, notification: head_id ?? 0, now }))
  );
  const own = due.flatMap(({ reader, head_id, key }) =>
    reader === 0 || key === null || head_id === null ? [] : [responded([head_id], { id: reader, key })]
  );
  const heads = due.flatMap(({ reader, head_id }) => (reader === 0 && head_id !== null ? [head_id] : []));
  const unseen = heads.length === 0 ? [] : (await mark(trx, { ids: heads, seen: false, now })).events;
  return { result: { more: due.length === limit }, events: [...own.flat(), ...responded(heads), ...unseen] };
}
