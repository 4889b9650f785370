/**
 * The list of what each reader has not read, kept in the transaction of each change: arrivals add to it, reading and deleting
 * take from it. Runs in the writer thread. While there are no readers it costs a look into an empty table.
 */
import { CompiledQuery, sql } from 'kysely';
import { DAY_MS, LIMITS } from '../../contract/limits.ts';
import { KEPT_UNREAD } from '../../contract/query.ts';
import { inList, type Transacting } from '../storage/bulk.ts';
import type { Written } from '../storage/writes.ts';

/** Somebody with a read state of their own. */
export interface Reader {
  id: number;
  /** Person.key: streams are told apart by it. */
  key: string;
}

/** So many persons have a read state of their own at a time; whoever is one more has the shared one. */
export const MAX_READERS = LIMITS.readers.value;
/** Whoever has not come for so long, by the bridge's own clock, is forgotten and begins anew. Milliseconds. */
export const FORGET_AFTER_MS = LIMITS.readerDays.value * DAY_MS;
/** Lists are cut to {@link KEPT_UNREAD} once in so many arrivals. */
const TRIM_EVERY = 1000;

/**
 * Somebody visits. One who is new begins with what nobody has seen: the newest {@link KEPT_UNREAD} of that.
 * @returns the number of the reader; null when there are too many already
 */
export async function visit(
  trx: Transacting,
  { key, now }: { key: string; now: number }
): Promise<Written<{ id: number | null }>> {
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
  const { id } = await trx
    .insertInto('readers')
    .values({ key, first_ts: now, last_ts: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into unread (reader, thread_id, id) select ${id}, thread_id, id from notifications
    where seen = 0 and muted = 0 and hidden = 0 order by ts desc, id desc limit ${KEPT_UNREAD}`.execute(trx);
  return { result: { id }, events: [] };
}

/** What has arrived is unread for every reader, as far as it is shown and was not seen from the start. */
export async function addUnread(trx: Transacting, ids: readonly number[]): Promise<void> {
  await run(
    trx,
    `insert into unread (reader, thread_id, id) select r.id, n.thread_id, n.id
     from readers r cross join json_each(?) arrived cross join notifications n
     where n.id = arrived.value and n.seen = 0 and n.muted = 0 and n.hidden = 0`,
    [JSON.stringify(ids)]
  );
  const last = ids.at(-1) ?? 0;
  if (Math.floor(last / TRIM_EVERY) !== Math.floor(((ids[0] ?? 0) - 1) / TRIM_EVERY)) {
    await trimUnread(trx, KEPT_UNREAD);
  }
}

/** Cuts every list to its newest `kept`. */
export async function trimUnread(trx: Transacting, kept: number): Promise<void> {
  await run(
    trx,
    `delete from unread where (reader, thread_id, id) in (
       select reader, thread_id, id from (
         select u.reader, u.thread_id, u.id, row_number() over (partition by u.reader order by u.id desc) as place from unread u
         where u.reader in (select reader from unread group by reader having count(*) > ?))
       where place > ?)`,
    [kept, kept]
  );
}

const NAMED = `select r.id, n.thread_id, n.id from readers r cross join json_each(?) gone cross join notifications n
  where n.id = gone.value`;

/** These are about to be deleted: their places in the lists are kept for as long as that can be undone. */
export async function trashUnread(trx: Transacting, ids: readonly number[], deletion: string): Promise<void> {
  const list = JSON.stringify(ids);
  await run(
    trx,
    `insert into unread_trash (deletion, reader, id) select ?, u.reader, u.id
     from unread u where (u.reader, u.thread_id, u.id) in (${NAMED})`,
    [deletion, list]
  );
  await run(trx, `delete from unread where (reader, thread_id, id) in (${NAMED})`, [list]);
}

/** These are back; their threads may be others. */
export async function restoreUnread(trx: Transacting, deletion: string): Promise<void> {
  await run(
    trx,
    `insert or ignore into unread (reader, thread_id, id) select b.reader, n.thread_id, n.id
     from unread_trash b cross join readers r cross join notifications n
     where b.deletion = ? and r.id = b.reader and n.id = b.id`,
    [deletion]
  );
  await run(trx, 'delete from unread_trash where deletion = ?', [deletion]);
}

/** Forgets what was unread of deletions that can no longer be undone. */
export async function purgeUnreadTrash(trx: Transacting): Promise<void> {
  await run(trx, 'delete from unread_trash where deletion not in (select deletion from trash)', []);
}

/** Forgets readers who have not come for long, a few at a time. @param now by the bridge's own clock */
export async function purgeReaders(trx: Transacting, now: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`delete from readers where id in (
    select id from readers where last_ts < ${now - FORGET_AFTER_MS} limit ${LIMITS.cleanedReaders.value}) returning id`.execute(
    trx
  );
  if (rows.length > 0) {
    const gone = rows.map(({ id }) => id);
    await run(trx, 'delete from unread where reader in (select value from json_each(?))', [JSON.stringify(gone)]);
  }
}

/** A reader has read these, or means to read them again. @returns the ids for which that changed something */
export async function markOwn(
  trx: Transacting,
  { reader, ids, read }: { reader: number; ids: readonly number[]; read: boolean }
): Promise<number[]> {
  const named = sql`select ${reader}, thread_id, id from notifications where ${inList(sql.ref('id'), ids)}`;
  const { rows } = await (
    read
      ? sql<{ id: number }>`delete from unread where (reader, thread_id, id) in (${named}) returning id`
      : sql<{
          id: number;
        }>`insert or ignore into unread (reader, thread_id, id) ${named} and muted = 0 and hidden = 0 returning id`
  ).execute(trx);
  return rows.map(({ id }) => id);
}

async function run(trx: Transacting, statement: string, parameters: unknown[]): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(statement, parameters));
}
