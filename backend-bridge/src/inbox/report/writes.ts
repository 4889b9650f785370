/**
 * Counts notifications for the report, after they have been stored: in the order of their ids, once each. Runs in the writer thread.
 * Rules: docs/decisions/0006-counts-search-and-report.md.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { weekOf } from '../../../contract/report.ts';
import { inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { lastNumber, setNumber } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';
import { countArrivals, countResolved, FLAPPING_MS, type Spell, SUMS, Tally } from './fold.ts';
import { numberKinds, ruleOf } from './kinds.ts';

/** Notifications of one transaction. */
const STEP = 500;

const ADD = `on conflict (week, kind) do update set ${SUMS.map((name) => `${name} = report_weeks.${name} + excluded.${name}`).join(', ')},
  longest_ms = case when excluded.longest_ms > report_weeks.longest_ms then excluded.longest_ms else report_weeks.longest_ms end`;

/** Counts the next notifications. `more`: call again. @param step how many; for tests */
export async function countForReport(
  trx: Transacting,
  { step = STEP }: { step?: number }
): Promise<Written<{ more: boolean }>> {
  const after = await lastNumber(trx, 'reported');
  const rows = await selectNext(trx, after, step);
  const more = rows.length === step;
  const until = more ? rows.at(-1)!.id : Math.max(after, await lastNumber(trx, 'notification'));
  if (rows.length > 0) {
    await count(trx, rows);
  }
  if (until !== after) {
    await setNumber(trx, 'reported', until);
  }
  return { result: { more }, events: [] };
}

type Next = Awaited<ReturnType<typeof selectNext>>[number];

/** The labels of an alert name its rule. */
const selectNext = (trx: Transacting, after: number, limit: number) =>
  trx
    .selectFrom('notifications')
    .select(['id', 'thread_id', 'ts', 'status', 'status_given', 'source', 'category', 'dnp_name', 'muted', 'hidden'])
    .select(sql<string | null>`case when source in ('grafana', 'alertmanager') then extra else null end`.as('labels'))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

async function count(trx: Transacting, rows: readonly Next[]): Promise<void> {
  // Hidden notifications are not counted, but may resolve an alert.
  const shown = rows.filter(({ muted, hidden, source }) => muted === 0 && hidden === 0 && source !== 'admin');
  const numbers = await numberKinds(
    trx,
    shown.map(({ id, ts, source, category, dnp_name, labels }) => ({
      id,
      week: weekOf(ts),
      source,
      category,
      dnp_name,
      rule: ruleOf(labels),
    }))
  );
  const kinds = new Map(shown.map(({ id }, index) => [id, numbers[index]!]));
  const spells = await selectSpells(trx, rows);
  const before = new Map(spells);
  const tally = new Tally();
  const resolved = countArrivals(
    tally,
    spells,
    // One that is not shown fires nothing, so it needs no kind.
    rows.map((row) => ({ ...row, kind: kinds.get(row.id) ?? 0 }))
  );
  const threads = [...new Set(resolved.map(({ thread_id }) => thread_id))];
  const acts =
    threads.length === 0
      ? []
      : await trx
          .selectFrom('timeline')
          .select(['thread_id', 'ts', 'kind'])
          .where(inList('thread_id', threads))
          .orderBy('id')
          .execute();
  countResolved(tally, resolved, acts);
  await insertRows(trx, 'report_weeks', tally.rows(), ADD);
  await keepSpells(trx, before, spells, rows.at(-1)!.ts);
}

async function selectSpells(trx: Transacting, rows: readonly Next[]): Promise<Map<number, Spell>> {
  const threads = new Set(rows.filter((row) => row.hidden === 0).map((row) => row.thread_id));
  const found = await trx
    .selectFrom('report_spells')
    .selectAll()
    .where(inList('thread_id', [...threads]))
    .execute();
  return new Map(found.map(({ thread_id, ...spell }) => [thread_id, spell]));
}

/** Stores what changed, and removes what was resolved too long ago to flap. */
async function keepSpells(
  trx: Transacting,
  before: ReadonlyMap<number, Spell>,
  after: ReadonlyMap<number, Spell>,
  ts: number
): Promise<void> {
  const gone = [...before.keys()].filter((thread) => !after.has(thread));
  if (gone.length > 0) {
    await trx.deleteFrom('report_spells').where(inList('thread_id', gone)).execute();
  }
  const changed = [...after].filter(([thread, spell]) => before.get(thread) !== spell);
  await insertRows(
    trx,
    'report_spells',
    changed.map(([thread_id, spell]) => ({ thread_id, ...spell })),
    'on conflict (thread_id) do update set kind = excluded.kind, opened_ts = excluded.opened_ts, closed_ts = excluded.closed_ts'
  );
  await trx
    .deleteFrom('report_spells')
    .where('closed_ts', '<=', ts - FLAPPING_MS)
    .execute();
}

/** Removes weeks that are too old, kinds without weeks, and alerts whose threads are no longer open. @param now by the bridge's own clock */
export async function cleanReport(trx: Transacting, now: number): Promise<void> {
  const oldest = weekOf(now) - LIMITS.reportWeeks.value + 1;
  await trx.deleteFrom('report_weeks').where('week', '<', oldest).execute();
  // Open and flapping alerts refer to theirs.
  await sql`delete from report_kinds where last_week < ${oldest}
    and id not in (select kind from report_spells)`.execute(trx);
  // Only of what is counted: else a resolve that is still to be counted would find nothing.
  if ((await lastNumber(trx, 'reported')) >= (await lastNumber(trx, 'notification'))) {
    await sql`delete from report_spells where thread_id in (select s.thread_id from report_spells s
      where s.closed_ts is null and not exists (select 1 from threads t where t.id = s.thread_id and t.state = 'open')
      limit ${LIMITS.cleanedRows.value})`.execute(trx);
  }
}
