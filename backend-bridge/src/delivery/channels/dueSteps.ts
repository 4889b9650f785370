/** Reads steps of escalations that are due. */
import type { Database } from '../../platform/storage/engine.ts';
import type { StepMark } from './escalation.ts';
import { isOpenStep, markOf } from './escalationStore.ts';

/** The first steps that are due. `by`: login of who has acknowledged the alert. @param steady the bridge's own clock */
export async function dueSteps(
  db: Database,
  steady: number,
  limit: number
): Promise<{ id: number; channel: string; mark: StepMark | undefined; by: string | null }[]> {
  const rows = await db
    .selectFrom('outbox as o')
    .leftJoin('responses as r', 'r.thread_id', 'o.thread_id')
    .leftJoin('people as p', 'p.key', 'r.ack_key')
    .select(['o.id', 'o.channel', 'o.escalation', 'p.login as by'])
    .where(isOpenStep('o'))
    .where('o.due_ts', '<=', steady)
    .orderBy('o.due_ts')
    .orderBy('o.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, channel, escalation, by }) => ({ id, channel, mark: markOf(escalation), by }));
}
