/**
 * Suppressed threads: recorded when a notification arrives, and again when what suppresses it ends. Runs in the writer thread.
 * Inhibition follows Alertmanager: one that matches both sides of a rule is not inhibited by another that does.
 */
import { sql } from 'kysely';
import type { ArrivalHook, StoredArrival } from '../../inbox/notifications/arrivals.ts';
import type { Inhibition, Suppression } from '../../inbox/notifications/receive.ts';
import { addActivities, respondTo } from '../../inbox/responses/activities.ts';
import { defer, inList, inPairs, insertRows } from '../../platform/storage/bulk.ts';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import { prepared } from '../../platform/storage/prepared.ts';
import { REMINDER } from '../channels/escalationStore.ts';
import { SENDING } from '../schedules/hours.ts';
import type { InhibitorRow, SuppressedRow } from '../../platform/storage/schema.ts';

/** A thread with the suppression of its newest notification. */
export interface Candidate {
  thread: number;
  suppression: Suppression | undefined;
}

/** Whether there are suppressed threads, or sources. */
const selectAny = prepared<{ thread_id: number }>((trx) =>
  trx.selectFrom('suppressed').select('thread_id').unionAll(trx.selectFrom('inhibitors').select('thread_id')).limit(1)
);

export const suppressedArrivals: ArrivalHook = {
  select: selectAny,
  begin: (_trx, { selected }) => ({
    async store(trx, stored) {
      const shown = stored.filter(({ row }) => row.hidden === 0);
      if (selected.length === 0 && !shown.some(({ placed }) => placed.item.suppression)) {
        return;
      }
      await replaceInhibitors(trx, shown);
      const newest = new Map(
        shown.map(({ row, placed }) => [row.thread_id, { thread: row.thread_id, suppression: placed.item.suppression }])
      );
      const rows = await suppress(trx, [...newest.values()], shown[0]?.row.ts ?? 0);
      await withdraw(trx, [...rows.keys()]);
      stored.forEach((one) => (one.isSuppressed = rows.has(one.row.thread_id)));
    },
  }),
};

/** A thread is a source of the rules that the last firing notification of it matches. */
async function replaceInhibitors(trx: Transacting, shown: readonly StoredArrival[]): Promise<void> {
  const firing = shown.filter(({ row }) => row.status === 'triggered' && row.status_given === 1);
  if (firing.length === 0) {
    return;
  }
  const last = new Map(firing.map((one) => [one.row.thread_id, one]));
  const rows = [...last.values()].flatMap(({ row, placed }) =>
    (placed.item.suppression?.inhibits ?? []).map((one) => toInhibitor(one, row))
  );
  await defer(trx, trx.deleteFrom('inhibitors').where(inList('thread_id', [...last.keys()])));
  await addInhibitors(trx, rows);
}

/** Removes what waits of these threads: for a channel, or for a step. A digest that is being sent stays, and so do reminders, which wait. */
export async function withdraw(trx: Transacting, threads: readonly number[]): Promise<void> {
  if (threads.length === 0) {
    return;
  }
  await trx
    .deleteFrom('outbox')
    .where(inList('thread_id', threads))
    .where('channel', '<>', REMINDER)
    .where((row) =>
      row.or([
        row('state', '=', 'waiting'),
        row.and([row('state', '=', 'held'), row(sql<string>`coalesce(hold, '')`, '<>', SENDING)]),
      ])
    )
    .execute();
}

/** @param row the notification that matches the sources of the rule */
export const toInhibitor = (
  { rule, key, matchesBoth }: Inhibition,
  row: { id: number; thread_id: number }
): InhibitorRow => ({
  rule,
  equal_key: key,
  thread_id: row.thread_id,
  notification_id: row.id,
  is_target: matchesBoth ? 1 : 0,
});

/** A rule of two files is there twice. */
export const addInhibitors = (trx: Transacting, rows: InhibitorRow[]): Promise<void> =>
  insertRows(trx, 'inhibitors', rows, 'on conflict do nothing');

/**
 * Records which of these threads are suppressed now, and forgets the others; the timeline gets an entry when that changes.
 * @param now UTC milliseconds
 * @returns the suppressed ones, by thread
 */
export async function suppress(
  trx: Transacting,
  candidates: readonly Candidate[],
  now: number
): Promise<ReadonlyMap<number, SuppressedRow>> {
  const threads = candidates.map(({ thread }) => thread);
  const known = await trx.selectFrom('suppressed').selectAll().where(inList('thread_id', threads)).execute();
  const before = new Map(known.map((row) => [row.thread_id, row]));
  const sources = await openSources(trx, sidesOf(candidates));
  const rows = candidates.flatMap(({ thread, suppression }) => toRow(thread, suppression, sources) ?? []);
  const after = new Map(rows.map((row) => [row.thread_id, row]));
  const released = known.filter(({ thread_id }) => !after.has(thread_id));
  const changed = rows.filter((row) => before.get(row.thread_id)?.reason !== row.reason);
  await insertRows(
    trx,
    'suppressed',
    rows,
    `on conflict (thread_id) do update set suppressor = excluded.suppressor, ref = excluded.ref, reason = excluded.reason,
      source_thread = excluded.source_thread, source_id = excluded.source_id, equal_key = excluded.equal_key`
  );
  if (released.length > 0) {
    const ids = released.map(({ thread_id }) => thread_id);
    await trx.deleteFrom('suppressed').where(inList('thread_id', ids)).execute();
  }
  if (changed.length + released.length > 0) {
    // Pages then read these rows, and the number of threads that a source inhibits.
    const touched = [...changed, ...released].flatMap((row) => [row.thread_id, row.source_thread]);
    await respondTo(
      trx,
      [...new Set(touched)].filter((id) => id > 0)
    );
    await addActivities(trx, [
      ...changed.map((row) => ({ ...entry(row, now), kind: 'suppressed' as const })),
      ...released.map((row) => ({ ...entry(row, now), kind: 'released' as const })),
    ]);
  }
  return after;
}

const entry = ({ thread_id, suppressor, reason }: SuppressedRow, ts: number) => ({
  thread: thread_id,
  ts,
  by: null,
  text: `${suppressor} ${reason}`,
});

type Source = InhibitorRow & { title: string; correlation_id: string };

/** By rule and key. */
export type Sources = ReadonlyMap<string, readonly Source[]>;
const keyOf = (rule: string, key: string): string => `${rule} ${key}`;

/** Open threads that may inhibit what matches these sides of rules. */
export async function openSources(db: Database, sides: readonly Inhibition[]): Promise<Sources> {
  if (sides.length === 0) {
    return new Map();
  }
  const pairs = new Map(sides.map(({ rule, key }) => [keyOf(rule, key), [rule, key] as const]));
  const rows = await db
    .selectFrom('inhibitors as i')
    .innerJoin('threads as t', 't.id', 'i.thread_id')
    .innerJoin('notifications as n', 'n.id', 't.head_id')
    .selectAll('i')
    .select(['n.title', 'n.correlation_id'])
    .where(inPairs('i.rule', 'i.equal_key', [...pairs.values()]))
    .where('t.state', '=', 'open')
    .execute();
  return Map.groupBy(rows, (row) => keyOf(row.rule, row.equal_key));
}

/** Sources that inhibit a target with this side of a rule. */
export const inhibitingAmong = (sources: Sources, { rule, key, matchesBoth }: Inhibition): readonly Source[] =>
  (sources.get(keyOf(rule, key)) ?? []).filter((one) => !(matchesBoth && one.is_target === 1));

/** Sides of rules that decide, since neither a silence nor a window does. */
export const sidesOf = (candidates: readonly Candidate[]): readonly Inhibition[] =>
  candidates.flatMap(({ suppression }) => (suppression?.suppressed ? [] : (suppression?.inhibitedBy ?? [])));

/** Undefined: nothing suppresses it. */
export function toRow(
  thread: number,
  suppression: Suppression | undefined,
  sources: Sources
): SuppressedRow | undefined {
  if (suppression?.suppressed) {
    const { by, id, reason } = suppression.suppressed;
    return { thread_id: thread, suppressor: by, ref: id, reason, source_thread: 0, source_id: 0, equal_key: '' };
  }
  for (const side of suppression?.inhibitedBy ?? []) {
    const source = inhibitingAmong(sources, side).find((one) => one.thread_id !== thread);
    if (source) {
      const { rule: ref, equal_key, thread_id: source_thread, notification_id: source_id, title: reason } = source;
      return { thread_id: thread, suppressor: 'inhibition', ref, equal_key, reason, source_thread, source_id };
    }
  }
  return undefined;
}
