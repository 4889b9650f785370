/** Changes of channels and of what is to be sent. Runs in the writer thread. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { placeOf } from '../../../contract/onCall.ts';
import { audit } from '../../platform/audit/writes.ts';
import { inList } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { ChannelThreadRow, OutboxRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { addedFor } from './enqueue.ts';
import { REMINDER } from './escalationStore.ts';
import { PARTLY_SENT, SENDING, UNACKNOWLEDGED } from '../schedules/hours.ts';

/** Literals, so that the partial indexes serve. */
const WAITING = sql.lit<'waiting'>('waiting');
const HELD = sql.lit<'held'>('held');
const UNDELIVERED = sql.lit<'undelivered'>('undelivered');

/** A delivered message. */
export interface SentNote {
  channel: string;
  /** Id in the outbox. */
  id: number;
  /** Other rows of the same thread that the message covers. */
  merged: number[];
  threadId: number;
  /** State of the thread's message from now on; undefined: there is none that will change. */
  announced: Pick<ChannelThreadRow, 'ref' | 'priority' | 'response_ts'> | undefined;
  /** About the message that was sent; null: none. */
  warning: string | null;
  /** When it is sent again to recipients who do not have it yet, by the bridge's own clock; undefined: not. */
  retryTs: number | undefined;
  /** UTC milliseconds. */
  now: number;
  /** The bridge's own clock. */
  steady: number;
}

/** Marks a message as sent, and keeps what is needed to edit it later. */
export async function noteSent(
  trx: Transacting,
  { channel, id, merged, threadId, announced, warning, retryTs, now, steady }: SentNote
): Promise<void> {
  if (retryTs === undefined) {
    await setDone(trx, [id], { state: 'sent', done_ts: now, reason: warning });
  } else {
    await noteRetry(trx, { id, dueTs: retryTs, reason: warning ?? '' });
    await trx.updateTable('outbox').set({ hold: PARTLY_SENT }).where('id', '=', id).execute();
  }
  await setDone(trx, merged, { state: 'merged', done_ts: now, reason: null });
  if (announced === undefined) {
    await trx.deleteFrom('channel_threads').where('channel', '=', channel).where('thread_id', '=', threadId).execute();
  } else {
    const values = { ...announced, ts: steady };
    await trx
      .insertInto('channel_threads')
      .values({ channel, thread_id: threadId, ...values })
      .onConflict((conflict) => conflict.columns(['channel', 'thread_id']).doUpdateSet(values))
      .execute();
  }
}

type Done = Partial<Pick<OutboxRow, 'state' | 'done_ts' | 'reason'>>;

async function setDone(trx: Transacting, ids: readonly number[], values: Done): Promise<void> {
  if (ids.length > 0) {
    await trx.updateTable('outbox').set(values).where(inList('id', ids)).execute();
  }
}

/** Records the outcome of the counting message for all waiting rows of these senders. */
export async function noteFlood(
  trx: Transacting,
  { channel, senders, upTo, lastTs, ...done }: FloodNote
): Promise<void> {
  const counted = sql<SqlBool>`channel = ${channel} and state = ${WAITING} and id <= ${upTo}
    and ts <= ${lastTs} and ${inList('sender', senders)}`;
  if (done.state === 'merged') {
    await announceCounted(trx, { channel, counted, steady: lastTs });
  }
  await trx.updateTable('outbox').set(done).where(counted).execute();
  await boundUndelivered(trx);
}

/**
 * A message that counts notifications announces those that fire: their resolves follow. Earlier messages of threads that have resolved
 * among them are not changed any more.
 * @param counted rows of the outbox that the message counts
 */
export async function announceCounted(
  trx: Transacting,
  { channel, counted, steady }: { channel: string; counted: RawBuilder<SqlBool>; steady: number }
): Promise<void> {
  const resolved = sql`max(case n.status when 'resolved' then o.id else 0 end)`;
  const threads = sql`from (select * from outbox where ${counted}) as o join notifications as n on n.id = o.notification_id
    where n.status_given = 1 group by o.thread_id having`;
  await sql`delete from channel_threads where channel = ${channel}
    and thread_id in (select o.thread_id ${threads} ${resolved} > 0)`.execute(trx);
  await sql`insert into channel_threads (channel, thread_id, ref, priority, ts)
    select ${channel}, o.thread_id, '', max(n.priority), ${sql.lit(steady)} ${threads} ${resolved} < max(o.id)
    on conflict (channel, thread_id) do nothing`.execute(trx);
}

interface FloodNote {
  channel: string;
  senders: string[];
  /** The last of them in the outbox. */
  upTo: number;
  /** When the last of them was received, by the bridge's own clock: one that is sent again since is not among them. */
  lastTs: number;
  state: 'merged' | 'undelivered';
  /** UTC milliseconds. */
  done_ts: number;
  reason: string | null;
}

/** @param dueTs by the bridge's own clock */
export async function noteRetry(
  trx: Transacting,
  { id, dueTs, reason }: { id: number; dueTs: number; reason: string }
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set((row) => ({ attempts: row('attempts', '+', 1), due_ts: dueTs, reason }))
    .where('id', '=', id)
    .execute();
}

/** Gives these up. */
export async function noteUndelivered(
  trx: Transacting,
  { ids, reason, now }: { ids: number[]; reason: string; now: number }
): Promise<void> {
  await setDone(trx, ids, { state: 'undelivered', done_ts: now, reason });
  await boundUndelivered(trx);
}

/** After a restore: the bridge that was backed up has sent since what waited then. @param now UTC milliseconds */
export async function abandonWaiting(trx: Transacting, now: number): Promise<void> {
  // Without its mark, a step does not count as sent; reminders go on.
  const unsent = {
    ...({ state: 'undelivered', done_ts: now, reason: 'Restored from a backup.', hold: null } as const),
    escalation: null,
  };
  await trx
    .updateTable('outbox')
    .set(unsent)
    .where('state', 'in', ['waiting', 'held'])
    .where('channel', '<>', REMINDER)
    .execute();
  await boundUndelivered(trx);
}

/** Removes the oldest of too many. */
export async function boundUndelivered(trx: Transacting): Promise<void> {
  const last = await trx
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', UNDELIVERED)
    .orderBy('id', 'desc')
    .offset(LIMITS.channelUndelivered.value)
    .limit(1)
    .executeTakeFirst();
  if (last) {
    await trx.deleteFrom('outbox').where('state', '=', UNDELIVERED).where('id', '<=', last.id).execute();
  }
}

/** Their notifications have been removed. */
export async function dropOutbox(trx: Transacting, { ids }: { ids: number[] }): Promise<void> {
  await trx.deleteFrom('outbox').where(inList('id', ids)).execute();
}

/** The clock of another replica, or of a run before, may be ahead. */
export async function wakeOutbox(trx: Transacting, { channel }: { channel: string }): Promise<void> {
  const retried = trx.updateTable('outbox').set({ due_ts: 0 }).where('channel', '=', channel).where('due_ts', '>', 0);
  await retried.where('state', '=', WAITING).execute();
  await retried.where('state', '=', HELD).where('hold', '=', SENDING).execute();
}

/**
 * Sends an undelivered notification again.
 * @param steady the bridge's own clock
 * @returns false if it is not one
 */
export async function resendUndelivered(
  trx: Transacting,
  { id, by, now, steady }: { id: number; by: Actor | null; now: number; steady: number }
): Promise<Written<boolean>> {
  const row = await trx
    .updateTable('outbox')
    .set({ state: 'waiting', attempts: 0, due_ts: 0, done_ts: null, ts: steady })
    .where('id', '=', id)
    .where('state', '=', UNDELIVERED)
    .returning(['channel', 'notification_id', 'reason'])
    .executeTakeFirst();
  const isStep = row !== undefined && placeOf(row.channel) !== undefined;
  if (isStep) {
    // A step, whose receivers are looked up again.
    const step = { state: 'held', hold: UNACKNOWLEDGED, due_ts: steady } as const;
    await trx.updateTable('outbox').set(step).where('id', '=', id).execute();
  }
  if (row) {
    const before = { channel: row.channel, reason: row.reason };
    await audit(trx, { by, action: 'channel.resend', object: String(row.notification_id), before, now });
  }
  return { result: row !== undefined, events: row ? [addedFor({ channels: [row.channel], hasSteps: isStep })] : [] };
}

/**
 * Removes deliveries and messages of threads that are older than `before` by the bridge's own clock, at most `limit` of each.
 * @returns whether there may be more
 */
export async function cleanOutbox(
  trx: Transacting,
  { channel, before, limit }: { channel: string; before: number; limit: number }
): Promise<Written<{ more: boolean }>> {
  const old = await trx
    .selectFrom('outbox')
    .select('id')
    .where('channel', '=', channel)
    .where('done_ts', 'is not', null)
    .where('done_ts', '<', before)
    // The clock may have been set back when it was done.
    .where('ts', '<', before)
    .limit(limit)
    .execute();
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) {
    await dropOutbox(trx, { ids });
  }
  // The next message of an alert that has fired for this long is a new one.
  await trx.deleteFrom('channel_threads').where('channel', '=', channel).where('ts', '<', before).execute();
  return { result: { more: ids.length === limit }, events: [] };
}
