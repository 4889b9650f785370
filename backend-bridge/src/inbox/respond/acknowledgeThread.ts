/** Acknowledgements by programs, which name the thread of what they have sent. */
import type { Actor } from '../../../contract/audit.ts';
import { DEFAULTS, type NotificationPayload } from '../../../contract/notification.ts';
import type { Database } from '../../platform/storage/engine.ts';
import type { Responding } from './service.ts';

/** Acknowledges the thread of such a notification, if it is open. */
export const threadAcknowledger =
  (db: Database, responding: Pick<Responding, 'acknowledge'>) =>
  async (
    { dnpName = DEFAULTS.dnpName, node = '', correlationId = '' }: NotificationPayload,
    by: Actor
  ): Promise<void> => {
    const open = await db
      .selectFrom('threads')
      .select('head_id')
      .where('dnp_name', '=', dnpName)
      .where('correlation_id', '=', correlationId)
      .where('node', '=', node)
      .where('state', '=', 'open')
      .execute();
    const ids = open.flatMap(({ head_id }) => head_id ?? []);
    if (ids.length > 0) {
      await responding.acknowledge({ ids }, { acknowledged: true, by });
    }
  };
