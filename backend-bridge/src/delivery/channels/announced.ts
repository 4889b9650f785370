/** Message references of an arriving notification on its channels, and the reason for holding it. Runs in the writer thread. */
import { sql } from 'kysely';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow, OutboxRow } from '../../platform/storage/schema.ts';
import { nextDigest, SENDING, UNACKNOWLEDGED } from '../schedules/hours.ts';
import type { Destinations, Hold } from '../../inbox/notifications/receive.ts';

/** A notification that was stored, and where it goes. */
export interface Arrival {
  row: Pick<NotificationRow, 'id' | 'thread_id' | 'ts' | 'status' | 'status_given' | 'muted' | 'hidden' | 'priority'>;
  /** Undefined: nowhere. */
  destinations: Destinations | undefined;
  sender: string | undefined;
  /** As in Incoming. */
  via?: readonly string[] | undefined;
  /** By the bridge's own clock. */
  steady: number;
  /** Steps begin again, even if all were sent. */
  begins?: true;
}

/** A thread that was announced on a channel. */
export interface Announced {
  /** It has a message that can be changed, or one waits to be sent. */
  hasMessage?: true;
  held?: Held | undefined;
}
type Held = Pick<OutboxRow, 'hold' | 'due_ts'>;

/**
 * Reason for holding a notification. A resolve of an announced alert changes that message, digest or not; a resolve of a held alert is held
 * with it.
 */
export function heldFor(
  { status, ts }: Arrival['row'],
  hold: Hold | undefined,
  known: Announced | undefined
): Held | undefined {
  if (status === 'resolved' && (known?.hasMessage || known?.held)) {
    return known.hasMessage ? undefined : known.held;
  }
  return hold?.digest === undefined ? undefined : { hold: hold.digest, due_ts: nextDigest(hold.digest, ts) };
}

/**
 * The channels on which threads of resolved notifications were announced, or will be.
 * @param escalating threads whose escalations run
 */
export async function announcedAmong(
  trx: Transacting,
  arrivals: readonly Arrival[],
  escalating: ReadonlySet<number>
): Promise<Map<number, Map<string, Announced>>> {
  const threads = arrivals.flatMap(({ row, destinations }) =>
    escalating.has(row.thread_id) ||
    (row.status === 'resolved' && (destinations!.ifAnnounced.length > 0 || destinations!.holds))
      ? [row.thread_id]
      : []
  );
  const found = new Map<number, Map<string, Announced>>();
  if (threads.length === 0) {
    return found;
  }
  const add = (thread: number, channel: string, one: Announced): void => {
    const channels = found.get(thread) ?? new Map<string, Announced>();
    found.set(thread, channels.set(channel, { ...channels.get(channel), ...one }));
  };
  const held = await trx
    .selectFrom('outbox')
    .select(['thread_id', 'channel', 'hold', 'due_ts'])
    .where('state', '=', sql.lit<'held'>('held'))
    .where(inList('thread_id', threads))
    .where('hold', '!=', UNACKNOWLEDGED)
    .orderBy('id')
    .execute();
  // A digest that is being sent takes nothing more.
  held.forEach(({ thread_id, channel, hold, due_ts }) =>
    add(thread_id, channel, hold === SENDING ? {} : { held: { hold, due_ts } })
  );
  const sent = await trx
    .selectFrom('channel_threads')
    .select(['thread_id', 'channel', 'ref'])
    .where(inList('thread_id', threads))
    .execute();
  const waiting = await trx
    .selectFrom('outbox')
    .select(['thread_id', 'channel'])
    .where('state', '=', sql.lit<'waiting'>('waiting'))
    .where(inList('thread_id', threads))
    .execute();
  sent.forEach(({ thread_id, channel, ref }) => add(thread_id, channel, ref === '' ? {} : { hasMessage: true }));
  waiting.forEach(({ thread_id, channel }) => add(thread_id, channel, { hasMessage: true }));
  return found;
}

/** The channels of a notification. @param known those that have announced its thread */
export const channelsOf = (
  { channels, ifAnnounced }: Pick<Destinations, 'channels' | 'ifAnnounced'>,
  known: ReadonlyMap<string, unknown>
): readonly string[] =>
  ifAnnounced.length === 0 ? channels : [...channels, ...ifAnnounced.filter((name) => known.has(name))];
