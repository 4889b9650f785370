/** Responses of people that messages show: who has acknowledged or snoozed the thread. */
import { sql } from 'kysely';
import type { Transacting } from '../../platform/storage/engine.ts';
import { minuteText } from './kinds/text.ts';

const acknowledgement = <T>(column: 'ack_ts' | 'ack_by') =>
  sql<T | null>`(select ${sql.ref(`a.${column}`)} from responses as a where a.thread_id = o.thread_id and a.ack_ts is not null)`;
const snoozeOfAll = <T>(column: 'until_ts' | 'set_by') =>
  sql<T | null>`(select ${sql.ref(`s.${column}`)} from snoozes as s
    where s.reader = 0 and s.thread_id = o.thread_id and s.woken_ts is null)`;

/** Who has responded to the thread of a row `o`. */
export const RESPONSE_COLUMNS = [
  acknowledgement<number>('ack_ts').as('ack_ts'),
  acknowledgement<string>('ack_by').as('ack_by'),
  snoozeOfAll<number>('until_ts').as('until_ts'),
  snoozeOfAll<string>('set_by').as('set_by'),
] as const;

/** Who has responded to a thread, and when; of a snooze, until when. UTC milliseconds. */
export interface Responded {
  ack_ts: number | null;
  ack_by: string | null;
  until_ts: number | null;
  set_by: string | null;
}

export const NOBODY: Responded = { ack_ts: null, ack_by: null, until_ts: null, set_by: null };

/** Names the responses that a message shows, as a sum of their times; 0: none. */
export const responseTs = ({ ack_ts, until_ts }: Responded): number => (ack_ts ?? 0) + (until_ts ?? 0);
/** `responseTs` of a row `o`, in SQL. */
export const RESPONSE_TS = sql<number>`coalesce(${acknowledgement('ack_ts')}, 0) + coalesce(${snoozeOfAll('until_ts')}, 0)`;

/** `Acknowledged by Ada.`; undefined: neither acknowledged nor snoozed. */
export function responseText({ ack_ts, ack_by, until_ts, set_by }: Responded): string | undefined {
  const by = (name: string | null): string => (name ? ` by ${name}` : '');
  const parts = [
    ...(ack_ts === null ? [] : [`Acknowledged${by(ack_by)}.`]),
    ...(until_ts === null ? [] : [`Snoozed until ${minuteText(until_ts)}${by(set_by)}.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The message of a thread shows this response. @param ref of the message, which may be a new one */
export async function noteResponse(
  trx: Transacting,
  {
    channel,
    threadId,
    responseTs: response_ts,
    ref,
  }: { channel: string; threadId: number; responseTs: number; ref: string }
): Promise<void> {
  await trx
    .updateTable('channel_threads')
    .set({ response_ts, ref })
    .where('channel', '=', channel)
    .where('thread_id', '=', threadId)
    .execute();
}
