/** Steps of escalations at the end of a suppression. Runs in the writer thread. */
import type { Escalation } from '../../inbox/notifications/receive.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { endedAmong, stepKey } from '../channels/escalationStore.ts';

type WithoutSent = (thread: number, escalations: readonly Escalation[] | undefined) => Escalation[] | undefined;

/**
 * After an inhibition, steps that were sent for the last time are left out. At the end of a silence or a window, all begin again.
 * @param threads that are suppressed
 */
export async function sentBefore(trx: Transacting, threads: readonly number[]): Promise<WithoutSent> {
  const rows = await trx
    .selectFrom('suppressed')
    .select('thread_id')
    .where(inList('thread_id', threads))
    .where('suppressor', '=', 'inhibition')
    .execute();
  const ended = await endedAmong(
    trx,
    rows.map(({ thread_id }) => thread_id)
  );
  return (thread, escalations) =>
    escalations?.map(({ steps, ...one }) => ({
      ...one,
      steps: steps.filter(({ step }) => ended.get(thread)?.has(stepKey(one.route, step)) !== true),
    }));
}
