/** Records what somebody did with the silence of a thread's alert. Runs in the writer thread, inside a transaction. */
import { audit } from '../../platform/audit/writes.ts';
import { addActivities, respondTo } from '../../inbox/responses/activities.ts';
import { type Act, responded, threadsOf } from '../../inbox/respond/threads.ts';
import type { SilencedBody } from '../../../contract/silence.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';

export interface Silenced extends Act {
  id: number;
  done: SilencedBody;
  /** Permissions used: the person's in Grafana, or those of the bridge's service account. */
  through: 'person' | 'bridge';
}

/** Adds it to the timeline of the thread and to the audit log, in the same words whoever sent it to the Alertmanager. */
export async function recordSilence(
  trx: Transacting,
  { id, done, through, by, now }: Silenced
): Promise<Written<'recorded' | 'absent'>> {
  const [thread] = await threadsOf(trx, [id]);
  if (thread === undefined) {
    return { result: 'absent', events: [] };
  }
  const { until, alertmanager, silence, comment, matchers } = done;
  const kind = until === null ? 'unsilenced' : 'silenced';
  await respondTo(trx, [thread.id]);
  const text = until === null ? undefined : [until, comment ?? ''].join('\n').trimEnd();
  await addActivities(trx, [{ thread: thread.id, ts: now, kind, by, text }]);
  await audit(trx, {
    by,
    action: until === null ? 'notification.unsilence' : 'notification.silence',
    object: String(thread.head),
    after: { alertmanager, silence, through, ...(until !== null && { until, comment, matchers }) },
    now,
  });
  return { result: 'recorded', events: responded([thread.head]) };
}
