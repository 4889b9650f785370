/** Compares open threads again when what suppresses them has changed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Suppression } from '../../inbox/notifications/receive.ts';
import type { Suppress } from '../../inbox/notifications/receiving.ts';
import { mapInTurns } from '../../platform/runtime/steps.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { REMINDER } from '../channels/escalationStore.ts';
import { SENDING } from '../schedules/hours.ts';
import { type Candidate, toInhibitor } from './arrivals.ts';
import { keepInhibitors } from './inhibitors.ts';
import { openHeads, payloadsOf } from './store.ts';
import { inhibit, withhold } from './writes.ts';

interface Evaluating {
  db: Database;
  writes: Pick<WriteQueue, 'submit'>;
  /** UTC milliseconds. */
  now: () => number;
}

/** Stores which open threads are sources of new rules: alerts that arrived before a rule inhibit too. */
export function indexSources({ db, writes }: Omit<Evaluating, 'now'>, of: Suppress): Promise<void> {
  return inSlices(db, of, openHeads, async (heads, suppressions) => {
    const rows = heads.flatMap((head) =>
      (suppressions.get(head.thread_id)?.inhibits ?? []).map((one) => toInhibitor(one, head))
    );
    await (rows.length > 0 && writes.submit(keepInhibitors, { rows }));
  });
}

/**
 * Suppresses what a source inhibits although it was opened later, or its rule was added later.
 * @param threads sorted; undefined: all open ones
 */
export function inhibitOpen({ db, writes, now }: Evaluating, of: Suppress, threads?: readonly number[]): Promise<void> {
  const next: Next<{ thread_id: number }> = threads
    ? (_db, after, limit) =>
        threads
          .filter((id) => id > after)
          .slice(0, limit)
          .map((thread_id) => ({ thread_id }))
    : openHeads;
  return inSlices(db, of, next, async (_threads, suppressions) => {
    const candidates = among(suppressions, (one) => one.inhibitedBy.length > 0 && !one.suppressed);
    await (candidates.length > 0 && writes.submit(inhibit, { candidates, now: now() }));
  });
}

/**
 * Withholds what waits for a channel when a silence or a window begins: for an escalation, a digest, the end of quiet hours, or a retry.
 * At the end it is sent as what arrives meanwhile.
 */
export function withholdWaiting({ db, writes, now }: Evaluating, of: Suppress): Promise<void> {
  return inSlices(db, of, waitingThreads, async (_threads, suppressions) => {
    const candidates = among(suppressions, (one) => one.suppressed !== undefined);
    await (candidates.length > 0 && writes.submit(withhold, { candidates, now: now() }));
  });
}

type Suppressions = ReadonlyMap<number, Suppression>;
/** Threads in the order of their ids. */
type Next<T> = (db: Database, after: number, limit: number) => T[] | Promise<T[]>;

/** The suppressions of the newest notification of each thread: between slices, and in large ones, other requests are served. */
async function inSlices<T extends { thread_id: number }>(
  db: Database,
  of: Suppress,
  next: Next<T>,
  work: (slice: readonly T[], suppressions: Suppressions) => Promise<unknown>
): Promise<void> {
  const limit = LIMITS.sliceRows.value;
  for (let after = 0, more = true; more;) {
    const slice = await next(db, after, limit);
    const threads = slice.map(({ thread_id }) => thread_id);
    // Reads of SQLite and what follows them would be one turn of the event loop.
    await nextTurn();
    const payloads = [...(await payloadsOf(db, threads))];
    const evaluated = await mapInTurns(payloads, ([thread, payload]) => [thread, of({ payload })] as const);
    await work(slice, new Map(evaluated.flatMap(([thread, one]) => (one ? [[thread, one]] : []))));
    after = threads.at(-1) ?? 0;
    more = slice.length === limit;
  }
}

const among = (suppressions: Suppressions, isWanted: (one: Suppression) => boolean): Candidate[] =>
  [...suppressions].flatMap(([thread, suppression]) => (isWanted(suppression) ? { thread, suppression } : []));

/** Open threads with rows in the outbox that no message carries yet. */
async function waitingThreads(db: Database, after: number, limit: number): Promise<{ thread_id: number }[]> {
  const { rows } = await sql<{ thread_id: number }>`
    select o.thread_id from (
      select thread_id from outbox where state = 'waiting' and thread_id > ${after}
      union select thread_id from outbox where state = 'held' and coalesce(hold, '') <> ${SENDING} and thread_id > ${after}
        and not (channel = ${REMINDER} and thread_id in (select s.thread_id from suppressed s))
    ) o join threads t on t.id = o.thread_id
    where t.state = 'open' order by o.thread_id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}
