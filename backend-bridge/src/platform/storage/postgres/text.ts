/**
 * Searching in PostgreSQL. Words are cut and folded here, by the rules of SQLite's tokenizer (`unicode61 remove_diacritics 2`), so that
 * no extension and no dictionary of the server is needed. Members of `Engine`.
 */
import { sql } from 'kysely';
import type { Engine, Transacting } from '../engine.ts';
import { lastNumber } from '../series.ts';
import { fold, lexemes } from '../words.ts';

/** Texts that are read at once. */
const READ_BYTES = 8 * 1024 * 1024;
const READ_CHARACTERS = 1024 * 1024;

/** Words hold letters, marks and digits only, so nothing has to be escaped. Undefined: nothing is left of the words. */
function textQuery(words: readonly string[]): string | undefined {
  const folded = words.map(fold);
  const prefix = folded.length - 1;
  const terms = folded.flatMap((word, index) => (word === '' ? [] : [`'${word}'${index === prefix ? ':*' : ''}`]));
  return terms.length === 0 ? undefined : terms.join(' & ');
}

export const textSearch: Engine['textSearch'] = (words) => {
  const query = textQuery(words);
  return query === undefined
    ? sql<{ found_id: number }>`(select id as found_id from notifications_text where 1 = 0)`
    : sql<{ found_id: number }>`(select id as found_id from notifications_text where words @@ ${query}::tsquery)`;
};

export const textMatches: Engine['textMatches'] = (idColumn, words) => {
  const query = textQuery(words);
  return query === undefined
    ? sql<boolean>`1 = 0`
    : sql<boolean>`exists (select 1 from notifications_text found where found.id = ${sql.ref(idColumn)} and found.words @@ ${query}::tsquery)`;
};

/** Newest notifications to probe, and how many of them must contain the words so that a page of 50 is found soon. */
const PROBED = 10_000;
const COMMON = 25;

/** The planner cannot know how rare a word is, and walks through all notifications to find a page of one that none holds. */
export const isRareText: NonNullable<Engine['isRareText']> = async (db, words) => {
  const query = textQuery(words);
  if (query === undefined) {
    return false;
  }
  const { rows } = await sql<{ found: number }>`select count(*) as found from (
    select 1 from notifications_text
    where words @@ ${query}::tsquery and id > (select max(id) - ${sql.lit(PROBED)} from notifications_text) limit ${sql.lit(COMMON)}) probed`.execute(
    db
  );
  return (rows[0]?.found ?? 0) < COMMON;
};

/** Adds notifications to the search index. @param after this id, exclusive @param until this id, inclusive */
export async function indexText(trx: Transacting, after: number, until: number): Promise<void> {
  const rows = await trx
    .selectFrom('notifications')
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', until)
    .orderBy('id')
    .execute();
  await indexThese(
    trx,
    rows.map(({ id }) => id)
  );
  if (Math.floor(Math.log2(until)) > Math.floor(Math.log2(after + 1))) {
    await keepStatistics(trx, until);
  }
}

/**
 * Called when the number of notifications has doubled. Without statistics the planner takes every filter for a rare one and sorts all that
 * match: a list of 50 of 20,000 took 80 ms instead of 6. The server's own run comes up to a minute later, for one table after another.
 */
async function keepStatistics(trx: Transacting, count: number): Promise<void> {
  const { rows } = await sql`select 1 from pg_class
    where oid in ('notifications'::regclass, 'notifications_text'::regclass) and reltuples < ${count / 2}`.execute(trx);
  if (rows.length > 0) {
    await sql`analyze notifications, notifications_text, threads, counts`.execute(trx);
  }
}

/** Skips rows that the indexer has not reached yet. */
export async function reindexText(trx: Transacting, ids: readonly number[]): Promise<void> {
  const last = await lastNumber(trx, 'indexed');
  await indexThese(
    trx,
    ids.filter((id) => id <= last)
  );
}

async function indexThese(trx: Transacting, ids: readonly number[]): Promise<void> {
  const { rows: sizes } = await sql<{
    id: number;
    bytes: number;
  }>`select id, octet_length(title) + octet_length(body) as bytes
    from notifications where id = any(${[...ids]}::bigint[]) order by id`.execute(trx);
  let some: number[] = [];
  let bytes = 0;
  for (const row of sizes) {
    if (bytes + row.bytes > READ_BYTES && some.length > 0) {
      await indexSome(trx, some);
      some = [];
      bytes = 0;
    }
    some.push(row.id);
    bytes += row.bytes;
  }
  if (some.length > 0) {
    await indexSome(trx, some);
  }
}

async function indexSome(trx: Transacting, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; title: string; body: string; dnp_name: string; labels: string }>`select id,
      left(title, ${READ_CHARACTERS}) as title, left(body, ${READ_CHARACTERS}) as body, dnp_name,
      coalesce((select l.labels from label_sets l where l.id = notifications.label_set), '') as labels
    from notifications where id = any(${[...ids]}::bigint[])`.execute(trx);
  const vectors = rows.map(({ title, body, dnp_name, labels }) =>
    lexemes(`${title} ${dnp_name} ${labels} ${body}`).join(' ')
  );
  await sql`insert into notifications_text (id, words)
    select id, array_to_tsvector(string_to_array(words, ' '))
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${vectors}::text[]) as found (id, words)
    on conflict (id) do update set words = excluded.words`.execute(trx);
}
