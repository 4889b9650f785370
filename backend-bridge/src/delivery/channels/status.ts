/** How deliveries of a channel go. */
import { sql } from 'kysely';
import type { ChannelStatus } from '../../../contract/channel.ts';
import { isoTimeOrNull } from '../../../contract/text.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Database } from '../../platform/storage/engine.ts';
import { SENDING } from '../schedules/hours.ts';

/** Status of one channel, or of its devices. */
export async function statusOf(
  db: Database,
  channels: readonly string[]
): Promise<Pick<ChannelStatus, 'state' | 'lastDeliveredAt' | 'lastFailure' | 'failingSince' | 'warning'>> {
  const last = await db
    .selectFrom('outbox')
    .select(['state', 'done_ts', 'reason'])
    .where(inList('channel', channels))
    .where('done_ts', 'is not', null)
    .orderBy('done_ts', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const delivered = await db
    .selectFrom('outbox')
    .select('done_ts')
    .where(inList('channel', channels))
    .where('done_ts', 'is not', null)
    .where('state', 'in', ['sent', 'merged'])
    .orderBy('done_ts', 'desc')
    .limit(1)
    .executeTakeFirst();
  const retried = (await retriedOf(db, channels)) ?? (await retriedOf(db, channels, SENDING));
  const reason = retried?.reason ?? (last?.state === 'undelivered' ? last.reason : null);
  return {
    state: reason !== null ? 'failing' : last === undefined ? 'idle' : 'ok',
    lastDeliveredAt: isoTimeOrNull(delivered?.done_ts ?? null),
    lastFailure: reason,
    ...warningOf(last),
    failingSince: isoTimeOrNull(retried?.ts ?? (last?.state === 'undelivered' ? last.done_ts : null)),
  };
}

/** A message that was sent has a reason if a template failed, or somebody does not get it. */
const warningOf = (last: { state: string; reason: string | null } | undefined): Pick<ChannelStatus, 'warning'> =>
  (last?.state === 'sent' || last?.state === 'merged') && last.reason !== null ? { warning: last.reason } : {};

/** Rows that are retried. @param hold of what is held */
const retriedOf = (db: Database, channels: readonly string[], hold?: string) =>
  db
    .selectFrom('outbox')
    .select(['reason', 'ts'])
    .where(inList('channel', channels))
    .where('state', '=', hold === undefined ? sql.lit<'waiting'>('waiting') : sql.lit<'held'>('held'))
    .$if(hold !== undefined, (query) => query.where('hold', '=', hold!))
    .where('attempts', '>', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
