/** Alerts of the bridge about itself. */
import { OWN_PACKAGE } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';

/** Whether the last notification of such an alert fires it; read each time, since an admin can resolve or delete it. */
export async function isFiring(db: Database, correlationId: string): Promise<boolean> {
  const last = await db
    .selectFrom('threads as t')
    .innerJoin('notifications as n', 'n.thread_id', 't.id')
    .select(['n.status', 'n.muted', 't.state'])
    .where('t.dnp_name', '=', OWN_PACKAGE)
    .where('t.correlation_id', '=', correlationId)
    .where('t.node', '=', '')
    .where('n.hidden', '=', 0)
    .orderBy('n.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // A muted one does not open its thread. Of others the state decides: the resolve may be deleted.
  return last?.status === 'triggered' && (last.muted === 1 || last.state === 'open');
}
