/** Changes of what is held in the outbox. Runs in the writer thread. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Transacting } from '../../platform/storage/engine.ts';
import { QUIET, SENDING, UNACKNOWLEDGED } from '../schedules/hours.ts';
import { announceCounted, boundUndelivered } from './writes.ts';

/** Literals, so that the partial indexes serve. */
const WAITING = sql.lit<'waiting'>('waiting');
const HELD = sql.lit<'held'>('held');
/** It can be sent. */
const FREE = { state: 'waiting', hold: null, due_ts: 0 } as const;

/** Notifications that pass quiet hours. */
export interface Passing {
  channel: string;
  /** Notifications of at least this rank. */
  rank: number;
  /** Let resolves pass that only edit an existing message silently. */
  silently: boolean;
}

/** Ids of what waits to be sent, and does not pass. */
export const disturbing = ({ channel, rank, silently }: Passing): RawBuilder<unknown> => sql`
  select w.id from outbox as w join notifications as n on n.id = w.notification_id
  where w.channel = ${channel} and w.state = 'waiting' and n.priority < ${rank}
  ${silently ? sql`and not (n.status = 'resolved' and n.status_given = 1 and w.thread_id in ${announced(channel)})` : sql``}`;

/** Threads with a message that can be changed. */
const announced = (channel: string): RawBuilder<unknown> =>
  sql`(select r.thread_id from channel_threads as r where r.channel = ${channel} and r.ref <> '')`;

/** Quiet hours: what would disturb waits until they end. */
export async function holdQuiet(trx: Transacting, passing: Passing): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ state: 'held', hold: QUIET, due_ts: 0 })
    .where('channel', '=', passing.channel)
    .where('state', '=', WAITING)
    .where(sql<SqlBool>`id in (${disturbing(passing)})`)
    .execute();
}

/** The clock has been set back, or the schedule has changed: none is held for longer than until the next digest, UTC milliseconds. */
export async function bringForward(
  trx: Transacting,
  { channel, hold, dueTs }: { channel: string; hold: string; dueTs: number }
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ due_ts: dueTs })
    .where('channel', '=', channel)
    .where('state', '=', HELD)
    .where('hold', '=', hold)
    .where('due_ts', '>', dueTs)
    .execute();
}

/** Selects held notifications for a digest. */
export interface Release {
  channel: string;
  /** Also what quiet hours held. */
  quiet: boolean;
  /** Includes notifications scheduled until this time, UTC milliseconds. */
  until: number;
  /** Whether a message can be changed: then what resolves an alert changes its message, and is not part of the digest. */
  edits: boolean;
  /** The bridge's own clock: from now on the digest is retried, and given up. */
  steady: number;
}

const ofBatch = (channel: string, alias = ''): RawBuilder<SqlBool> => {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${alias}${name}`);
  return sql<SqlBool>`${column('channel')} = ${channel} and ${column('state')} = 'held' and ${column('hold')} = ${SENDING}`;
};

/** Threads of the digest that have resolved by now; with `fired`, only those that fired while it was held. */
const resolvedOf = (channel: string, fired = false): RawBuilder<unknown> => sql`(
  select r.thread_id from outbox as r join notifications as n on n.id = r.notification_id
  where ${ofBatch(channel, 'r.')} and n.status_given = 1 group by r.thread_id
  having max(case when n.status = 'resolved' then r.id else 0 end) = max(r.id)
  ${fired ? sql`and min(case when n.status = 'triggered' then 0 else 1 end) = 0` : sql``})`;

const isDeleted = sql<SqlBool>`not exists (select n.id from notifications as n where n.id = notification_id)`;

/** Makes a digest of what is held no longer. What is of one thread only is sent on its own. */
export async function release(trx: Transacting, { channel, quiet, until, edits, steady }: Release): Promise<void> {
  const held = trx
    .updateTable('outbox')
    .set({ hold: SENDING, due_ts: 0, ts: steady, attempts: 0, reason: null })
    .where('channel', '=', channel)
    .where('state', '=', HELD);
  if (quiet) {
    await held.where('hold', '=', QUIET).execute();
  }
  await held.where('hold', 'not in', [QUIET, SENDING, UNACKNOWLEDGED]).where('due_ts', '<=', until).execute();
  await trx
    .deleteFrom('outbox')
    .where(ofBatch(channel))
    .where(
      sql<SqlBool>`(${isDeleted} or (drop_resolved = 1
        and thread_id not in (select r.thread_id from channel_threads as r where r.channel = ${channel})
        and thread_id in ${resolvedOf(channel, true)}))`
    )
    .execute();
  const free = trx.updateTable('outbox').set(FREE).where(ofBatch(channel));
  if (edits) {
    await free
      .where(sql<SqlBool>`thread_id in ${announced(channel)} and thread_id in ${resolvedOf(channel)}`)
      .execute();
  }
  const { threads } = await trx
    .selectFrom('outbox')
    .select((all) => all.fn.count<number>('thread_id').distinct().as('threads'))
    .where(ofBatch(channel))
    .executeTakeFirstOrThrow();
  if (threads === 1) {
    await free.execute();
  }
}

/** Removes notifications from a digest that have been deleted since it was made. */
export async function dropDeleted(trx: Transacting, { channel }: { channel: string }): Promise<void> {
  await trx.deleteFrom('outbox').where(ofBatch(channel)).where(isDeleted).execute();
}

/** The outcome of a digest. */
export interface DigestNote {
  channel: string;
  state: 'merged' | 'undelivered';
  /** UTC milliseconds. */
  now: number;
  /** The bridge's own clock. */
  steady: number;
  reason: string | null;
}

/** Records the outcome of a digest. */
export async function noteDigest(trx: Transacting, { channel, state, now, steady, reason }: DigestNote): Promise<void> {
  if (state === 'merged') {
    await announceCounted(trx, { channel, counted: ofBatch(channel), steady });
  }
  await trx.updateTable('outbox').set({ state, hold: null, done_ts: now, reason }).where(ofBatch(channel)).execute();
  await boundUndelivered(trx);
}
