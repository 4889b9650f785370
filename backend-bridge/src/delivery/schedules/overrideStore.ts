/** Overrides of schedules that people have added. */
import type { OnCallSchedule, ShownOverride } from '../../../contract/onCall.ts';
import type { Database } from '../../platform/storage/engine.ts';

export type MergedSchedule = Omit<OnCallSchedule, 'overrides'> & { overrides?: ShownOverride[] | undefined };
export type AddedOverride = ShownOverride & { schedule: string };

/** All, in the order in which they were added. */
export async function readOverrides(db: Database): Promise<AddedOverride[]> {
  const rows = await db.selectFrom('schedule_overrides').selectAll().orderBy('created_ts').orderBy('id').execute();
  return rows.map(({ id, schedule, person, from_local: from, to_local: to, created_by: by }) => ({
    ...{ id, schedule, person, from, to },
    by: by === '' ? null : by,
  }));
}

/** A schedule of a file with what was added: of those that overlap, the last one counts. */
export function withOverrides(schedule: OnCallSchedule, added: readonly AddedOverride[]): MergedSchedule {
  const own = added.flatMap(({ schedule: name, ...one }) => (name === schedule.name ? one : []));
  return own.length === 0 ? schedule : { ...schedule, overrides: [...(schedule.overrides ?? []), ...own] };
}
