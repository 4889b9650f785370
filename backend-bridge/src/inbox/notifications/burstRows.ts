/**
 * Bursts in the store: one row for each source that opened threads lately (`sources`), one for each burst (`bursts`), and the burst of each
 * thread. Runs in the writer thread, in the transaction of the arrival. A transaction costs one read and one write, however many
 * threads open in it; without one that opens, nothing.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { BurstRow, SourceRow, ThreadRow } from '../../platform/storage/schema.ts';
import { afterOpening, NO_SOURCE, PACKAGE_BURST, RULE_BURST, type SourceState, WINDOW_MS } from './burst.ts';

/** A thread that opens, with the notification that opens it. The category is that of its head. */
export interface OpeningRow {
  thread: { readonly row: ThreadRow };
  id: number;
  /** The rule of an alert; undefined: a package's own notification. */
  rule: string | undefined;
  /** Time by the bridge's own clock, in milliseconds. */
  ts: number;
}

/** Sources by their keys ({@link keyOfSource}), for {@link setBursts}. Deleted threads are not counted, and a burst ends with its last thread. */
export const selectSources = (trx: Transacting, keys: readonly string[]) =>
  trx
    .selectFrom('sources')
    .selectAll()
    .select((row) =>
      row
        .selectFrom('threads as t')
        .select('t.id')
        .whereRef('t.burst', '=', 'sources.burst')
        // The condition of the index of bursts: without it each stored thread was read.
        .where('t.head_id', 'is not', null)
        .limit(1)
        .as('member')
    )
    .where(inList('key', keys));

/** Rows read of sources: the keys that were looked up, and the rows found. */
export interface ReadSources {
  keys: ReadonlySet<string>;
  rows: readonly FoundSource[];
}
type FoundSource = SourceRow & { member: number | null };

/**
 * Sets the bursts of threads that open, in order. Those in this transaction are changed in place and inserted by the caller, the earlier
 * ones that join are updated.
 * @param read what is known of their sources; others are read
 */
export async function setBursts(trx: Transacting, openings: readonly OpeningRow[], read: ReadSources): Promise<void> {
  if (openings.length === 0) {
    return;
  }
  const sources = Map.groupBy(openings, keyOf);
  const others = [...sources.keys()].filter((key) => !read.keys.has(key));
  const more = others.length === 0 ? [] : await selectSources(trx, others).execute();
  const states = await statesOf(trx, sources, [...read.rows.filter(({ key }) => sources.has(key)), ...more]);
  const bursts: BurstRow[] = [];
  const joining: { burst: number; threads: number[] }[] = [];
  const here = new Map(openings.map(({ thread: { row } }) => [row.id, row]));
  for (const [key, own] of sources) {
    let state = states.get(key) ?? NO_SOURCE;
    for (const {
      thread: { row: thread },
      id,
      rule,
      ts,
    } of own) {
      const before = state.burst;
      const opening = { thread: thread.id, burst: thread.burst, ts, id };
      const after = afterOpening(state, opening, thresholdOf(rule));
      state = after.source;
      thread.burst = after.burst;
      if (after.burst !== null && after.burst !== before) {
        const { dnp_name, category } = thread;
        bursts.push({ id: after.burst, name: rule ?? dnp_name, dnp_name, category, ts });
        after.joining.forEach((other) => {
          const row = here.get(other);
          if (row) {
            row.burst = after.burst;
          }
        });
        joining.push({ burst: after.burst, threads: after.joining.filter((other) => !here.has(other)) });
      }
    }
    states.set(key, state);
  }
  await insertRows(
    trx,
    'sources',
    [...states].map(([key, { recent, burst, ts }]) => ({ key, recent: JSON.stringify(recent), burst, ts })),
    'on conflict (key) do update set recent = excluded.recent, burst = excluded.burst, ts = excluded.ts'
  );
  await insertRows(trx, 'bursts', bursts);
  for (const { burst, threads } of joining) {
    await trx.updateTable('threads').set({ burst }).where(inList('id', threads)).execute();
  }
}

/** Threads of one source are of one node, package and category. */
export const keyOfSource = (
  { dnpName, category, node }: { dnpName: string; category: string; node: string },
  rule: string | undefined
): string =>
  JSON.stringify([dnpName, category, ...(rule === undefined ? [] : [rule]), ...(node === '' ? [] : [{ node }])]);
const keyOf = ({ thread: { row }, rule }: OpeningRow): string =>
  keyOfSource({ dnpName: row.dnp_name, category: row.category, node: row.node }, rule);

const thresholdOf = (rule: string | undefined): number => (rule === undefined ? PACKAGE_BURST : RULE_BURST);

async function statesOf(
  trx: Transacting,
  sources: ReadonlyMap<string, readonly OpeningRow[]>,
  rows: readonly FoundSource[]
): Promise<Map<string, SourceState>> {
  const states = rows.map(({ key, recent, burst, member, ts }): [string, SourceState] => [
    key,
    { recent: JSON.parse(recent) as SourceState['recent'], burst: member === null ? null : burst, ts },
  ]);
  // Looked up only where it may be a burst now.
  const near = states.flatMap(([key, { recent }]) => {
    const openings = sources.get(key)!;
    return recent.length + openings.length >= thresholdOf(openings[0]?.rule) ? recent.map(([, thread]) => thread) : [];
  });
  if (near.length === 0) {
    return new Map(states);
  }
  const found = await trx
    .selectFrom('threads')
    .select('id')
    .where(inList('id', near))
    .where('head_id', 'is not', null)
    .execute();
  const existing = new Set(found.map(({ id }) => id));
  const gone = new Set(near.filter((thread) => !existing.has(thread)));
  return new Map(
    states.map(([key, state]) => [key, { ...state, recent: state.recent.filter(([, thread]) => !gone.has(thread)) }])
  );
}

/**
 * Removes sources that opened nothing lately, bursts without threads, and the oldest bursts beyond their limit, whose threads are rows of
 * their own again. A bounded number at a time.
 * @param now by the bridge's own clock
 */
export async function cleanBursts(trx: Transacting, now: number): Promise<void> {
  const most = LIMITS.cleanedRows.value;
  await sql`delete from sources where key in (select key from sources where ts < ${now - WINDOW_MS} limit ${most})`.execute(
    trx
  );
  const { rows: ended } = await sql<{ id: number }>`select b.id from bursts b
    where b.ts < ${now - WINDOW_MS}
      and not exists (select 1 from threads t where t.burst = b.id and t.head_id is not null)
      and not exists (select 1 from deletions)
    order by b.id limit ${LIMITS.bursts.value}`.execute(trx);
  if (ended.length > 0) {
    const ids = ended.map(({ id }) => id);
    // Threads of muted notifications, which no index of bursts has, may be shown again.
    await trx
      .updateTable('threads')
      .set({ burst: null })
      .where('head_id', 'is', null)
      .where(inList('burst', ids))
      .execute();
    await trx.deleteFrom('bursts').where(inList('id', ids)).execute();
  }
  const surplus = await trx
    .selectFrom('bursts')
    .select('id')
    .orderBy('id', 'desc')
    .offset(LIMITS.bursts.value)
    .limit(1)
    .executeTakeFirst();
  if (surplus) {
    await sql`update threads set burst = null where id in (
      select id from threads
      where burst is not null and head_id is not null and burst <= ${surplus.id} limit ${most})`.execute(trx);
  }
}
