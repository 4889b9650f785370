/** Snoozing threads, and the end of that. Runs in the writer thread, each call inside a transaction. */
import { LIMITS } from '../../contract/limits.ts';
import { isoTime } from '../../contract/text.ts';
import { audit } from '../audit/writes.ts';
import { markThese, type RestOfThreads } from '../notifications/writes.ts';
import type { Reader } from '../readers/writes.ts';
import { insertRows } from '../storage/bulk.ts';
import type { Transacting } from '../storage/engine.ts';
import type { Written } from '../storage/write.ts';
import { addActivities, respondTo, shownName } from './activities.ts';
import { wake } from './arrivals.ts';
import { type Act, headOf, responded, type ThreadOf, threadsOf } from './threads.ts';

export interface Snoozed {
  outcome: 'snoozed' | 'absent' | 'full';
  rest?: RestOfThreads | undefined;
}

interface Snoozing extends Act {
  id: number;
  /** UTC milliseconds; null: ends it. */
  until: number | null;
  /** Whose; undefined: of all. */
  reader: Reader | undefined;
}

export async function snooze(trx: Transacting, act: Snoozing): Promise<Written<Snoozed>> {
  const { id, until, reader } = act;
  const [thread] = await threadsOf(trx, [id]);
  if (thread === undefined) {
    return { result: { outcome: 'absent' }, events: [] };
  }
  const owner = reader?.id ?? 0;
  const before = await trx
    .selectFrom('snoozes')
    .selectAll()
    .where('reader', '=', owner)
    .where('thread_id', '=', thread.id)
    .where('woken_ts', 'is', null)
    .executeTakeFirst();
  if ((before?.until_ts ?? null) === until) {
    return { result: { outcome: 'snoozed' }, events: [] };
  }
  if (until === null) {
    await trx.deleteFrom('snoozes').where('reader', '=', owner).where('thread_id', '=', thread.id).execute();
  } else if (!before && (await isFull(trx, owner))) {
    return { result: { outcome: 'full' }, events: [] };
  } else {
    await store(trx, thread, owner, { ...act, until });
  }
  return reader
    ? { result: { outcome: 'snoozed' }, events: responded([headOf(thread, id)], reader) }
    : announce(trx, thread, act, before?.until_ts);
}

async function isFull(trx: Transacting, owner: number): Promise<boolean> {
  const { count } = await trx
    .selectFrom('snoozes')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('reader', '=', owner)
    .where('woken_ts', 'is', null)
    .executeTakeFirstOrThrow();
  return count >= LIMITS.readerSnoozes.value;
}

async function store(
  trx: Transacting,
  { id, priority }: ThreadOf,
  owner: number,
  { until, by, now }: Act & { until: number }
): Promise<void> {
  await respondTo(trx, [id]);
  const values = { until_ts: until, priority, set_ts: now, set_by: shownName(by), woken_ts: null };
  const changes = Object.keys(values).map((column) => `${column} = excluded.${column}`);
  await insertRows(
    trx,
    'snoozes',
    [{ thread_id: id, reader: owner, ...values }],
    `on conflict (reader, thread_id) do update set ${changes.join(', ')}`
  );
}

/** Of a snooze for all. */
async function announce(
  trx: Transacting,
  thread: ThreadOf,
  { id, until, by, now }: Snoozing,
  before: number | undefined
): Promise<Written<Snoozed>> {
  const head = headOf(thread, id);
  const shown = until === null ? undefined : isoTime(until);
  const kind = until === null ? 'unsnoozed' : 'snoozed';
  await addActivities(trx, [{ thread: thread.id, ts: now, kind, by, text: shown }]);
  await audit(trx, {
    by,
    action: 'notification.snooze',
    object: String(head),
    ...(before !== undefined && { before: { until: isoTime(before) } }),
    after: { until: shown ?? null, for: 'all' },
    now,
  });
  // The shared state knows no snoozes.
  const marked =
    until === null
      ? undefined
      : await markThese(trx, { ids: [head], wholeThreads: true, seen: true, limit: LIMITS.sliceRows.value, now });
  return {
    result: { outcome: 'snoozed', rest: marked?.result.rest },
    events: [...responded([head]), ...(marked?.events ?? [])],
  };
}

/** Ends the snoozes that are due, at most so many. */
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
  const unseen =
    heads.length === 0
      ? []
      : (await markThese(trx, { ids: heads, wholeThreads: false, seen: false, limit: heads.length, now })).events;
  return { result: { more: due.length === limit }, events: [...own.flat(), ...responded(heads), ...unseen] };
}
