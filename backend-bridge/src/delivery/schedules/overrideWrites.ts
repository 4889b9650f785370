/** Adds and removes overrides of schedules. Runs in the writer thread. */
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { isoTime } from '../../../contract/text.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { audit } from '../../platform/audit/writes.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ScheduleOverrideRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { ROUTES_CHANGED } from './onCallState.ts';

const shown = ({ person, from_local: from, to_local: to }: ScheduleOverrideRow) => ({ person, from, to });

/** Also removes those that ended long ago, of all schedules. */
export async function addOverride(
  trx: Transacting,
  { row, by }: { row: ScheduleOverrideRow; by: Actor | null }
): Promise<Written<void>> {
  const { schedule: object, created_ts: now } = row;
  const old = isoTime(now - LIMITS.keptWindowDays.value * DAY_MS);
  await trx.deleteFrom('schedule_overrides').where('to_local', '<', old).execute();
  await trx.insertInto('schedule_overrides').values(row).execute();
  await audit(trx, { by, action: 'override.add', object, after: shown(row), now });
  return { result: undefined, events: [ROUTES_CHANGED] };
}

/** @returns whether there was one */
export async function removeOverride(
  trx: Transacting,
  { id, schedule, by, now }: { id: string; schedule: string; by: Actor | null; now: number }
): Promise<Written<boolean>> {
  const row = await trx
    .deleteFrom('schedule_overrides')
    .where('id', '=', id)
    .where('schedule', '=', schedule)
    .returningAll()
    .executeTakeFirst();
  if (row) {
    await audit(trx, { by, action: 'override.remove', object: schedule, before: shown(row), now });
  }
  return { result: row !== undefined, events: row ? [ROUTES_CHANGED] : [] };
}
