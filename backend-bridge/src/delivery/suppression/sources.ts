/** Open threads that match the sources of new inhibition rules: alerts that arrived before the rule inhibit too. */
import { LIMITS } from '../../../contract/limits.ts';
import type { Suppress } from '../../inbox/notifications/receiving.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { WriteQueue } from '../../platform/storage/writeQueue.ts';
import { toInhibitor } from './arrivals.ts';
import { suppressionsOf } from './evaluate.ts';
import { keepInhibitors } from './inhibitors.ts';
import { openHeads } from './store.ts';

/** Stores which open threads are sources, in slices. @param of the rules that a notification matches */
export async function indexSources(
  { db, writes }: { db: Database; writes: Pick<WriteQueue, 'submit'> },
  of: Suppress
): Promise<void> {
  const limit = LIMITS.sliceRows.value;
  for (let after = 0, more = true; more;) {
    const heads = await openHeads(db, after, limit);
    const threads = heads.map(({ thread_id }) => thread_id);
    const suppressions = await suppressionsOf(db, of, threads);
    const rows = heads.flatMap((head) =>
      (suppressions.get(head.thread_id)?.inhibits ?? []).map((one) => toInhibitor(one, head))
    );
    if (rows.length > 0) {
      await writes.submit(keepInhibitors, { rows });
    }
    after = threads.at(-1) ?? 0;
    more = heads.length === limit;
  }
}
