/** Closing threads by hand, and taking it back. Runs in the writer thread. */
import { sql } from 'kysely';
import type { Actor } from '../../../contract/audit.ts';
import { audit, auditStep } from '../../platform/audit/writes.ts';
import { eachRow, inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import type { NotificationRow, ThreadRow } from '../../platform/storage/schema.ts';
import type { Written } from '../../platform/storage/write.ts';
import { recount } from './counts.ts';
import { deleteForGood, NOTHING_UNDONE, type RestoredStep, type Undo, undoStep } from './deletions.ts';
import type { Destinations, Incoming } from './receive.ts';
import { receiveRows } from './receiveRows.ts';
import { priorityOf, UPDATE_THREAD } from './rows.ts';
import { named } from './writes.ts';

interface ByHand {
  /** Null: the bridge. */
  by: Actor | null;
  now: number;
  /** Time by the bridge's own clock; undefined: `now`. */
  steady?: number | undefined;
  /** See Incoming. */
  destinations?: Destinations | undefined;
}

/** Columns of {@link Closed}. */
const CLOSING_COLUMNS = [
  'id',
  'thread_id',
  'title',
  'category',
  'dnp_name',
  'priority',
  'correlation_id',
  'node',
  'label_set',
] as const;
export type Closed = Pick<NotificationRow, (typeof CLOSING_COLUMNS)[number]>;

/** The member that closes the thread of a notification. */
export function closing(row: Closed, { source, body }: Pick<Incoming, 'source'> & { body: string }): Incoming {
  const payload = {
    title: row.title,
    body,
    category: row.category,
    dnpName: row.dnp_name,
    priority: priorityOf(row.priority),
    status: 'resolved' as const,
    correlationId: row.correlation_id,
    ...(row.node !== '' && { node: row.node }),
  };
  return { payload, source, labelSet: row.label_set };
}

const BY_HAND = { source: 'admin', body: 'Closed by hand.' } as const;

/** Closes the thread of a notification: a member with source `admin` is added. */
export async function resolveByHand(
  trx: Transacting,
  { id, ...how }: ByHand & { id: number }
): Promise<Written<{ outcome: 'resolved'; id: number } | { outcome: 'absent' | 'not-open' }>> {
  const row = await trx.selectFrom('notifications').select(CLOSING_COLUMNS).where('id', '=', id).executeTakeFirst();
  if (!row) {
    return { result: { outcome: 'absent' }, events: [] };
  }
  const thread = await trx
    .selectFrom('threads')
    .select('state')
    .where('id', '=', row.thread_id)
    .executeTakeFirstOrThrow();
  if (thread.state !== 'open') {
    return { result: { outcome: 'not-open' }, events: [] };
  }
  const { by, now, steady, destinations } = how;
  const incoming = [{ ...closing(row, BY_HAND), destinations }];
  const { results, events } = await receiveRows(trx, [{ incoming, now, steady }]);
  const made = results[0]![0]!.id;
  await audit(trx, {
    by,
    action: 'notification.resolve',
    object: String(id),
    before: { state: 'open' },
    after: { state: 'resolved', notification: made },
    now,
  });
  return { result: { outcome: 'resolved', id: made }, events };
}

/** Many threads that are closed at once: their new members carry its name, by which they are found again. */
export interface Resolution extends ByHand {
  resolution: string;
  /** For the audit log: the filter, or the number of ids. */
  of: Record<string, unknown>;
}

/** Number of threads that were resolved, and the ids of the first and the last member that did; absent if there are none. */
export interface ResolvedStep {
  resolved: number;
  range?: { from: number; until: number } | undefined;
}

/** Selects the notifications whose threads are open, as {@link Closed}. */
export const inOpenThreads = (trx: Transacting, ids: readonly number[]) =>
  trx
    .selectFrom('notifications as n')
    .innerJoin('threads as t', 't.id', 'n.thread_id')
    .select(CLOSING_COLUMNS.map((name) => `n.${name}` as const))
    .where(inList('n.id', ids))
    .where('t.state', '=', 'open')
    .orderBy('n.id');

/** Closes the threads of these notifications, as far as they are open. */
export async function resolve(
  trx: Transacting,
  { ids, resolution, of, ...how }: Resolution & { ids: readonly number[] }
): Promise<Written<ResolvedStep>> {
  const rows = await inOpenThreads(trx, ids).execute();
  const heads = new Map(rows.map((row) => [row.thread_id, row]));
  if (heads.size === 0) {
    return { result: { resolved: 0 }, events: [] };
  }
  const { by, now, steady, destinations } = how;
  const incoming = [...heads.values()].map((row) => ({
    ...closing(row, BY_HAND),
    destinations,
    extra: { resolution },
  }));
  const { results, events } = await receiveRows(trx, [{ incoming, now, steady }]);
  const made = results[0]!.map(({ id }) => id);
  await auditStep(trx, { by, action: 'notifications.resolve', object: resolution, count: made.length, after: of, now });
  return { result: { resolved: made.length, range: { from: made[0]!, until: made.at(-1)! } }, events };
}

const UNDO = /^resolve:(\d{1,16}):(\d{1,16}):([0-9a-f-]{36})$/;

export const undoOf = (resolution: string, { from, until }: NonNullable<ResolvedStep['range']>): string =>
  `resolve:${from}:${until}:${resolution}`;
export const isResolution = (undo: string): boolean => UNDO.test(undo);

/** From now on it can be taken back. @param expiresTs until then, by the bridge's own clock */
export async function allowReopening(
  trx: Transacting,
  { undo, expiresTs }: { undo: string; expiresTs: number }
): Promise<void> {
  await trx.insertInto('deletions').values({ deletion: undo, expires_ts: expiresTs, restoring: 0 }).execute();
}

/**
 * Takes back at most `limit` of the threads that were closed: removes the members that closed them, and opens the threads again unless
 * a later member closed them too. Messages of channels are not taken back.
 */
export async function reopen(trx: Transacting, undo: Undo): Promise<Written<RestoredStep>> {
  const [, from, until, resolution] = UNDO.exec(undo.deletion) ?? [];
  const { rows, more } = await undoStep(trx, undo, () =>
    trx
      .selectFrom('notifications')
      .select(['id', 'thread_id', 'ts', 'seen', 'muted', 'hidden', 'label_set'])
      .where('id', '>=', Number(from))
      .where('id', '<=', Number(until))
      .where('source', '=', 'admin')
      .where('extra', '=', JSON.stringify({ resolution }))
      .orderBy('id')
      .limit(undo.limit)
      .execute()
  );
  if (rows.length === 0) {
    return NOTHING_UNDONE;
  }
  await openAgain(trx, rows);
  await deleteForGood(trx, rows);
  const ids = rows.map(({ id }) => id);
  if (undo.audited) {
    const of = { ...undo.audited, action: 'notifications.reopen' as const, object: resolution!, after: {} };
    await auditStep(trx, { ...of, count: ids.length });
  }
  return { result: { restored: ids.length, more }, events: [{ type: 'deleted', data: { ids: named(ids) } }] };
}

/** @param closing the members that closed the threads, while they are still there */
async function openAgain(
  trx: Transacting,
  closing: readonly Pick<NotificationRow, 'id' | 'thread_id' | 'ts'>[]
): Promise<void> {
  const places = closing.map(({ id, thread_id, ts }) => [id, thread_id, ts]);
  const later = (table: 'notifications' | 'trash') => sql`exists (select 1 from ${sql.table(table)} l
    where l.thread_id = c.thread_id and l.id > c.id and l.hidden = 0 and (l.muted = 0 or l.status = 'resolved'))`;
  const { rows } = await sql<ThreadRow & { closing_ts: number; before_ts: number | null }>`
    select t.*, c.ts as closing_ts, (select n.ts from notifications n
      where n.thread_id = c.thread_id and n.id < c.id order by n.id desc limit 1) as before_ts
    from ${eachRow('c', ['id', 'thread_id', 'ts'], places)} cross join threads t
    where t.id = c.thread_id and t.state = 'resolved' and not ${later('notifications')} and not ${later('trash')}`.execute(
    trx
  );
  const opened = rows.map(({ closing_ts, before_ts, ...row }): ThreadRow => ({
    ...row,
    state: 'open',
    closed_ts: null,
    closed_by_hand: 0,
    last_ts: row.last_ts === closing_ts ? (before_ts ?? row.last_ts) : row.last_ts,
  }));
  const threads = opened.map(({ id }) => id);
  await recount(trx, { threads }, () => insertRows(trx, 'threads', opened, UPDATE_THREAD));
}
