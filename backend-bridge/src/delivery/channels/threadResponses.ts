/** Responses of people that messages show: who has acknowledged or snoozed the thread. */
import { sql } from 'kysely';
import type { Database, Transacting } from '../../platform/storage/engine.ts';
import { minuteText } from './kinds/text.ts';
import { type Responded, RESPONSE_COLUMNS, RESPONSE_TS, SENT_BODY, SENT_COLUMNS, toSent } from './waiting.ts';

/** `Acknowledged by Ada.`; undefined: neither acknowledged nor snoozed. */
export function responseText({ ack_ts, ack_by, until_ts, set_by }: Responded): string | undefined {
  const by = (name: string | null): string => (name ? ` by ${name}` : '');
  if (ack_ts !== null) {
    return `Acknowledged${by(ack_by)}.`;
  }
  return until_ts === null ? undefined : `Snoozed until ${minuteText(until_ts)}${by(set_by)}.`;
}

/** Names the response that a message shows; 0: none. */
export const responseTs = ({ ack_ts, until_ts }: Responded): number => ack_ts ?? until_ts ?? 0;

/** The first open thread whose message shows another response than it has; nothing waits for the channel of that thread. */
export async function changedResponse(db: Database, channel: string) {
  const row = await db
    .selectFrom('channel_threads as o')
    .innerJoin('threads as t', 't.id', 'o.thread_id')
    .innerJoin('notifications as n', 'n.id', 't.head_id')
    .select(['o.thread_id', 'o.ref'])
    .select(SENT_COLUMNS)
    .select(SENT_BODY)
    .select(RESPONSE_COLUMNS)
    .where('o.channel', '=', channel)
    .where('o.ref', '<>', '')
    .where('o.response_ts', '<>', RESPONSE_TS)
    .where('t.state', '=', 'open')
    .where('n.status', '=', 'triggered')
    .where((all) =>
      all.not(
        all.exists(
          all
            .selectFrom('outbox as w')
            .select('w.id')
            .whereRef('w.thread_id', '=', 'o.thread_id')
            .where('w.channel', '=', channel)
            .where('w.state', '=', sql.lit<'waiting'>('waiting'))
        )
      )
    )
    .orderBy('o.thread_id')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, notification: toSent(row)! };
}

/** The message of a thread shows this response. */
export async function noteResponse(
  trx: Transacting,
  { channel, threadId, responseTs: response_ts }: { channel: string; threadId: number; responseTs: number }
): Promise<void> {
  await trx
    .updateTable('channel_threads')
    .set({ response_ts })
    .where('channel', '=', channel)
    .where('thread_id', '=', threadId)
    .execute();
}
