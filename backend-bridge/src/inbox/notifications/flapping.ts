/** Finds threads that fired and resolved again and again in the last hour. Read for the rows of a page, from its members. */
import { sql } from 'kysely';
import { FLAPPING_TURNS, type Thread } from '../../../contract/notification.ts';
import { isoTime } from '../../../contract/text.ts';
import { HOUR_MS } from '../../../contract/time.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';

type Row = { threadId: number; notification: { thread: Thread } };

/** Adds `flapping` to the threads of these rows. Those with fewer members than it takes are not looked at. */
export async function addFlapping(db: Database, rows: readonly Row[], now: number): Promise<void> {
  const threads = rows.flatMap(({ threadId, notification: { thread } }) =>
    thread.count >= FLAPPING_TURNS && Date.parse(thread.lastAt) > now - HOUR_MS ? [threadId] : []
  );
  if (threads.length === 0) {
    return;
  }
  const { rows: found } = await sql<{ thread_id: number; turns: number; since: number }>`
    select thread_id, count(*) as turns, min(ts) as since from notifications
    where ${inList('thread_id', threads)} and turned = 1 and ts > ${now - HOUR_MS}
    group by thread_id having count(*) >= ${FLAPPING_TURNS}`.execute(db);
  const turns = new Map(found.map((one) => [one.thread_id, one]));
  for (const { threadId, notification } of rows) {
    const flapping = turns.get(threadId);
    if (flapping) {
      notification.thread = {
        ...notification.thread,
        flapping: { turns: flapping.turns, since: isoTime(flapping.since) },
      };
    }
  }
}
