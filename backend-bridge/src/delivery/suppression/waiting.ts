/** Alerts that wait for a channel when a silence or a window begins: for an escalation, a digest, the end of quiet hours, or a retry. */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import type { Suppress } from '../../inbox/notifications/receiving.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { REMINDER } from '../channels/escalationStore.ts';
import { SENDING } from '../schedules/hours.ts';
import { suppressionsOf } from './evaluate.ts';
import { withhold } from './writes.ts';

/** Open threads with rows in the outbox that no message carries yet, in the order of their ids. */
async function waitingThreads(db: Database, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ thread_id: number }>`
    select o.thread_id from (
      select thread_id from outbox where state = 'waiting' and thread_id > ${after}
      union select thread_id from outbox where state = 'held' and coalesce(hold, '') <> ${SENDING} and thread_id > ${after}
        and not (channel = ${REMINDER} and thread_id in (select s.thread_id from suppressed s))
    ) o join threads t on t.id = o.thread_id
    where t.state = 'open' order by o.thread_id limit ${sql.lit(limit)}`.execute(db);
  return rows.map(({ thread_id }) => thread_id);
}

/** Withholds what waits of threads that are suppressed now, in slices. At the end it is sent as what arrives meanwhile. */
export async function withholdWaiting(
  { db, writes, now }: { db: Database; writes: Pick<WriteQueue, 'submit'>; now: () => number },
  of: Suppress
): Promise<void> {
  const limit = LIMITS.sliceRows.value;
  for (let after = 0, more = true; more;) {
    const threads = await waitingThreads(db, after, limit);
    const suppressions = [...(await suppressionsOf(db, of, threads))];
    const candidates = suppressions.flatMap(([thread, suppression]) =>
      suppression.suppressed ? [{ thread, suppression }] : []
    );
    if (candidates.length > 0) {
      await writes.submit(withhold, { candidates, now: now() });
    }
    after = threads.at(-1) ?? 0;
    more = threads.length === limit;
  }
}
