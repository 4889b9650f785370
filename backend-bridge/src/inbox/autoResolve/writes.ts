/** Resolves threads whose cause is gone. Runs in the writer thread. */
import { sql } from 'kysely';
import type { Destinations } from '../notifications/receive.ts';
import { receiveRows } from '../notifications/receiveRows.ts';
import { closing, inOpenThreads } from '../notifications/resolving.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { Written } from '../../platform/storage/write.ts';

interface When {
  /** UTC milliseconds. */
  now: number;
  /** By the bridge's own clock. */
  steady: number;
  destinations: Destinations | undefined;
}

/** The newest notification of a thread with a status, when its cause was found to be gone. */
export interface Gone {
  id: number;
  /** Text of the member that resolves the thread. */
  reason: string;
}

/** Resolves the threads of these notifications, as far as they are open and have no newer one with a status. */
export async function resolveGone(
  trx: Transacting,
  { gone, now, steady, destinations }: When & { gone: readonly Gone[] }
): Promise<Written<{ resolved: number }>> {
  const ids = gone.map(({ id }) => id);
  const rows = await inOpenThreads(trx, ids)
    .where((all) =>
      all.not(
        all.exists(
          all
            .selectFrom('notifications as l')
            .select('l.id')
            .whereRef('l.thread_id', '=', 'n.thread_id')
            .whereRef('l.id', '>', 'n.id')
            .where('l.status_given', '=', 1)
        )
      )
    )
    .execute();
  if (rows.length === 0) {
    return { result: { resolved: 0 }, events: [] };
  }
  const reasons = new Map(gone.map(({ id, reason }) => [id, reason]));
  const incoming = rows.map((row) => ({
    ...closing(row, { source: 'bridge', body: reasons.get(row.id) ?? '' }),
    destinations,
  }));
  const { events } = await receiveRows(trx, [{ incoming, now, steady }]);
  return { result: { resolved: rows.length }, events };
}

/** Whether the thread of a row `a` has notifications, or is gone: one in the trash may be restored, and is due then. */
export const isNotDeleted = sql<boolean>`(exists (select 1 from notifications n where n.thread_id = a.thread_id)
  or not exists (select 1 from trash d where d.thread_id = a.thread_id))`;

/** Resolves threads without news for the time that their sender gave. @returns whether there may be more */
export async function resolveDue(
  trx: Transacting,
  { limit, ...when }: When & { limit: number }
): Promise<Written<{ more: boolean }>> {
  const due = await trx
    .selectFrom('auto_resolve as a')
    .select(['a.thread_id', 'a.after'])
    // The notification itself may be deleted, which leaves its thread open.
    .select((row) =>
      row
        .selectFrom('notifications as n')
        .select('n.id')
        .whereRef('n.thread_id', '=', 'a.thread_id')
        .whereRef('n.id', '<=', 'a.notification_id')
        .where('n.status_given', '=', 1)
        .orderBy('n.id', 'desc')
        .limit(1)
        .as('id')
    )
    .where('a.due_ts', '<=', when.steady)
    .where(isNotDeleted)
    .orderBy('a.due_ts')
    .limit(limit)
    .execute();
  const gone = due.flatMap(({ id, after }) =>
    id === null ? [] : [{ id, reason: `Resolved automatically: no notification for ${after}.` }]
  );
  const { events } = await resolveGone(trx, { gone, ...when });
  const threads = due.map(({ thread_id }) => thread_id);
  await trx.deleteFrom('auto_resolve').where(inList('thread_id', threads)).execute();
  return { result: { more: due.length === limit }, events };
}
