/** Open threads that a source inhibits although it was opened later, or its rule was added later. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Suppress } from '../../inbox/notifications/inbox.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { openHeads, payloadsOf } from './store.ts';
import { inhibit } from './writes.ts';

/** Identifies the newest source: it grows when one is added. */
export async function newestSource(db: Database): Promise<number> {
  const row = await db
    .selectFrom('inhibitors')
    .select((all) => all.fn.max<number | null>('notification_id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Suppresses those that are not yet, in slices. @param of the rules that a notification matches */
export async function inhibitOpen(
  { db, writes, now }: { db: Database; writes: Pick<WriteQueue, 'submit'>; now: () => number },
  of: Suppress
): Promise<void> {
  const limit = LIMITS.sliceRows.value;
  for (let after = 0, more = true; more;) {
    const threads = (await openHeads(db, after, limit)).map(({ thread_id }) => thread_id);
    const payloads = await payloadsOf(db, threads);
    const candidates = threads.flatMap((thread) => {
      const payload = payloads.get(thread);
      const suppression = payload && of({ payload });
      return suppression && suppression.inhibitedBy.length > 0 && !suppression.suppressed
        ? [{ thread, suppression }]
        : [];
    });
    if (candidates.length > 0) {
      await writes.submit(inhibit, { candidates, now: now() });
    }
    after = threads.at(-1) ?? 0;
    more = threads.length === limit;
  }
}
