/**
 * Unread lists of readers, updated in the transaction of each change. An arrival is stored once for all readers, so receiving, deleting and
 * restoring cost the same for any number of them; only what a reader does changes that reader's own list. Rules:
 * docs/decisions/0010-read-state-and-responses.md. Runs in the writer thread.
 */
import { sql } from 'kysely';
import { LIMITS } from '../../../contract/limits.ts';
import { DAY_MS } from '../../../contract/time.ts';
import { bigint, inList, insertRows } from '../../platform/storage/bulk.ts';
import type { Transacting } from '../../platform/storage/engine.ts';
import { prepared } from '../../platform/storage/prepared.ts';
import type { NotificationRow } from '../../platform/storage/schema.ts';
import { lastNumber } from '../../platform/storage/series.ts';
import type { Written } from '../../platform/storage/write.ts';
import { isInTrash, isListComplete, watermarkOf } from './unread.ts';

/** Somebody with a read state of their own. */
export interface Reader {
  id: number;
  /** Person.key: identifies the streams of the reader. */
  key: string;
}

/** Users with their own read state at a time; all others have the shared one. */
export const MAX_READERS = LIMITS.readers.value;
/** A reader without a visit for this time, by the bridge's own clock, is removed. Milliseconds. */
export const READER_LIFETIME_MS = LIMITS.readerDays.value * DAY_MS;
/** Arrivals are cut to the newest `keptUnread` once in so many arrivals. */
const TRIM_EVERY = 1000;

/**
 * Records a visit. For a new reader, the newest `keptUnread` unseen notifications are unread.
 * @returns the reader's id; null if there are too many readers
 */
export async function visit(
  trx: Transacting,
  { key, now }: { key: string; now: number }
): Promise<Written<{ id: number | null }>> {
  const expired = await trx
    .selectFrom('readers')
    .select('id')
    .where('key', '=', key)
    .where('last_ts', '<', now - READER_LIFETIME_MS)
    .executeTakeFirst();
  if (expired) {
    await removeReaders(trx, [expired.id]);
  }
  const known = await trx
    .updateTable('readers')
    .set({ last_ts: now })
    .where('key', '=', key)
    .returning('id')
    .executeTakeFirst();
  if (known) {
    return { result: known, events: [] };
  }
  const { count } = await trx
    .selectFrom('readers')
    .select((all) => all.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= MAX_READERS) {
    return { result: { id: null }, events: [] };
  }
  const watermark = await lastNumber(trx, 'notification');
  const { id } = await trx
    .insertInto('readers')
    .values({ key, first_ts: now, last_ts: now, watermark })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into unread (reader, thread_id, id) select ${bigint(id)}, thread_id, id from notifications
    where seen = 0 and muted = 0 and hidden = 0 order by ts desc, id desc limit ${LIMITS.keptUnread.value}`.execute(
    trx
  );
  return { result: { id }, events: [] };
}

/** Adds arrivals as unread for every reader, if they are shown and were not seen from the start. @param readers of {@link anyReader} */
export async function addArrivals(
  trx: Transacting,
  arrived: readonly NotificationRow[],
  readers: readonly unknown[]
): Promise<void> {
  const shown = arrived.filter(({ seen, muted, hidden }) => seen === 0 && muted === 0 && hidden === 0);
  if (readers.length > 0) {
    await insertRows(
      trx,
      'arrivals',
      shown.map(({ id, thread_id }) => ({ id, thread_id }))
    );
  }
  const last = arrived.at(-1)?.id ?? 0;
  if (Math.floor(last / TRIM_EVERY) !== Math.floor(((arrived[0]?.id ?? 0) - 1) / TRIM_EVERY)) {
    await trimArrivals(trx, LIMITS.keptUnread.value);
  }
}

/** A row if there are readers. */
export const anyReader = prepared((trx) => trx.selectFrom('readers').select('id').limit(1));

/**
 * Discards all arrivals but the newest `kept`. A reader whose watermark is below what goes has not read any of those that stay, so
 * that this reader's older list goes as well (see `isListComplete`).
 */
async function trimArrivals(trx: Transacting, kept: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select a.id from arrivals a where not ${isInTrash('a.id')}
    order by a.id desc limit 1 offset ${kept}`.execute(trx);
  const last = rows[0]?.id;
  if (last !== undefined) {
    await sql`delete from arrivals where id <= ${last} and not ${isInTrash('arrivals.id')}`.execute(trx);
    await trx.updateTable('series').set({ last }).where('name', '=', 'arrivals').where('last', '<', last).execute();
  }
}

/** Takes the arrivals above the reader's watermark into the reader's own list, which can then be changed. */
async function catchUp(trx: Transacting, reader: number): Promise<void> {
  await sql`delete from unread where reader = ${reader} and not ${isListComplete(reader)}`.execute(trx);
  await sql`insert into unread (reader, thread_id, id)
    select ${bigint(reader)}, a.thread_id, a.id from arrivals a where a.id > ${watermarkOf(reader)}
    on conflict (reader, thread_id, id) do nothing`.execute(trx);
  await sql`update readers set watermark = (select last from series where name = 'notification') where id = ${reader}`.execute(
    trx
  );
  await sql`delete from unread where reader = ${reader} and id in (
    select u.id from unread u where u.reader = ${reader} and not ${isInTrash('u.id')} order by u.id desc
    limit ${Number.MAX_SAFE_INTEGER} offset ${LIMITS.keptUnread.value})`.execute(trx);
}

/** After notifications were restored to other threads than they were deleted from. */
export async function moveUnread(trx: Transacting, ids: readonly number[]): Promise<void> {
  for (const table of ['unread', 'arrivals']) {
    await sql`update ${sql.table(table)} set thread_id = (select n.thread_id from notifications n where n.id = ${sql.ref(`${table}.id`)})
      where ${inList('id', ids)}`.execute(trx);
  }
}

/** After notifications were deleted permanently. */
export async function removeUnread(trx: Transacting, ids: readonly number[]): Promise<void> {
  for (const table of ['unread', 'arrivals'] as const) {
    await trx.deleteFrom(table).where(inList('id', ids)).execute();
  }
}

/** Removes readers that have expired, a few at a time. @param now by the bridge's own clock */
export async function purgeReaders(trx: Transacting, now: number): Promise<void> {
  const rows = await trx
    .selectFrom('readers')
    .select('id')
    .where('last_ts', '<', now - READER_LIFETIME_MS)
    .limit(LIMITS.cleanedReaders.value)
    .execute();
  await removeReaders(
    trx,
    rows.map(({ id }) => id)
  );
}

async function removeReaders(trx: Transacting, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) {
    return;
  }
  await trx.deleteFrom('unread').where(inList('reader', ids)).execute();
  await trx.deleteFrom('readers').where(inList('id', ids)).execute();
  await sql`delete from arrivals where not exists (select 1 from readers)`.execute(trx);
}

/** A reader has read these, or means to read them again. @returns the ids for which that changed something */
export async function markOwn(
  trx: Transacting,
  { reader, ids, read }: { reader: number; ids: readonly number[]; read: boolean }
): Promise<number[]> {
  await catchUp(trx, reader);
  const named = sql`select ${bigint(reader)}, thread_id, id from notifications where ${inList('id', ids)}`;
  const { rows } = await (
    read
      ? sql<{ id: number }>`delete from unread where (reader, thread_id, id) in (${named}) returning id`
      : sql<{
          id: number;
        }>`insert into unread (reader, thread_id, id) ${named} and muted = 0 and hidden = 0
          on conflict (reader, thread_id, id) do nothing returning id`
  ).execute(trx);
  return rows.map(({ id }) => id);
}

/** A notification comes back as unread, for one reader or for all. Muted ones and those with errors are unread for nobody. */
export async function returnUnread(trx: Transacting, reader: number | undefined, id: number): Promise<void> {
  await sql`insert into unread (reader, thread_id, id)
    select r.id, n.thread_id, n.id from readers r cross join notifications n
    where n.id = ${id} and n.muted = 0 and n.hidden = 0 ${reader === undefined ? sql`` : sql`and r.id = ${reader}`}
      and not (n.id > r.watermark and exists (select 1 from arrivals a where a.id = n.id))
    on conflict (reader, thread_id, id) do nothing`.execute(trx);
}

/** Records a visit, so that threads can be assigned to this person. @param now by the bridge's own clock */
export async function recordPerson(
  trx: Transacting,
  { key, login, name, now }: { key: string; login: string; name: string; now: number }
): Promise<void> {
  await insertRows(
    trx,
    'people',
    [{ key, login, name, last_ts: now }],
    'on conflict (key) do update set login = excluded.login, name = excluded.name, last_ts = excluded.last_ts'
  );
  await sql`delete from people where key in (
    select key from people order by last_ts desc, key limit ${LIMITS.people.value} offset ${LIMITS.people.value})`.execute(
    trx
  );
}
