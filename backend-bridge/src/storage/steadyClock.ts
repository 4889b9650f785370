/**
 * The bridge's own clock, by which everything that is kept for a time only ages: it moves by the time that the process has really
 * run, whatever the system's clock is set to. A system clock that jumps ahead removes nothing early, and one that is set back
 * keeps nothing for ever. Its reading looks like UTC, since it starts there, and lags by the time that the bridge was stopped.
 * So it is compared with times of its own only. Rule: docs/decisions/0009-timestamps.md.
 */
import { sql } from 'kysely';
import type { Database, Transacting } from './engine.ts';

/** UTC milliseconds, only comparable with each other. */
export type SteadyClock = () => number;

/** The reading is stored at most so often: more would be a write without need. Milliseconds. */
const STORED_EVERY_MS = 60_000;

/**
 * @param now the system's clock, UTC milliseconds: where a new database starts
 * @param elapsed milliseconds of a monotonic clock
 */
export async function createSteadyClock(
  db: Database,
  now: () => number,
  elapsed: () => number = () => performance.now()
): Promise<SteadyClock> {
  const stored = await db.selectFrom('series').select('last').where('name', '=', 'clock').executeTakeFirst();
  const start = stored?.last ?? Math.min(now(), (await newestTime(db)) ?? Infinity);
  const startedAt = elapsed();
  return () => Math.floor(start + elapsed() - startedAt);
}

/** Of a database of an earlier version: it has seen no later time than this, whatever the system's clock says now. */
async function newestTime(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ ts: number | null }>`select max(ts) as ts from (
    select max(ts) as ts from notifications union all select max(last_ts) from readers) as newest`.execute(db);
  return rows[0]?.ts ?? undefined;
}

/**
 * Stores the reading, where the stored one is a minute away.
 * @returns the stored reading that it replaces; undefined when that one stays
 */
export async function storeClock(trx: Transacting, now: number): Promise<number | undefined> {
  const row = await trx.selectFrom('series').select('last').where('name', '=', 'clock').executeTakeFirst();
  const before = row?.last ?? 0;
  if (Math.abs(now - before) < STORED_EVERY_MS) {
    return undefined;
  }
  await trx
    .insertInto('series')
    .values({ name: 'clock', last: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ last: now }))
    .execute();
  return before;
}
