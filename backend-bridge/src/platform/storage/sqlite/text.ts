/** Searching with SQLite's FTS5. A trigger removes what is deleted from the index. Members of `Engine`. */
import { sql } from 'kysely';
import type { Engine, Transacting } from '../engine.ts';
import { setNumber } from '../series.ts';
import { inList } from './bulk.ts';

const textQuery = (words: readonly string[]): string =>
  words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');

export const textSearch: Engine['textSearch'] = (words) =>
  sql<{
    found_id: number;
  }>`(select rowid as found_id from notifications_text where notifications_text match ${textQuery(words)})`;

export const textMatches: Engine['textMatches'] = (idColumn, words) =>
  sql<boolean>`${sql.ref(idColumn)} in (select rowid from notifications_text where notifications_text match ${textQuery(words)})`;

/** Labels are indexed with the body. The trigger of migration 0003 removes the same text. */
const INDEXED = sql.raw(`select id, title,
    body || coalesce((select ' ' || labels from label_sets l where l.id = notifications.label_set), ''), dnp_name
  from notifications`);

/** Adds notifications to the search index. @param after this id, exclusive @param until this id, inclusive */
export async function indexText(trx: Transacting, after: number, until: number): Promise<void> {
  await sql`insert into notifications_text (rowid, title, body, dnp_name)
    ${INDEXED} where id > ${after} and id <= ${until}`.execute(trx);
}

/** Skips rows that the indexer has not reached yet. */
export async function reindexText(trx: Transacting, ids: readonly number[]): Promise<void> {
  await sql`insert into notifications_text (rowid, title, body, dnp_name)
    ${INDEXED} where ${inList(sql.ref('id'), ids)} and id <= (select last from series where name = 'indexed')`.execute(
    trx
  );
}

/** Pages of the index merged in one step: blocks other writes for about 30 ms. */
const MERGED_PAGES = 500;
/** Notifications removed since the last merge, in relation to those that are stored, and at least. */
const REMOVED_PART = 0.25;
const MIN_REMOVED = 1000;

/**
 * FTS5 keeps the words of a removed row, and a mark that it is removed, until the segments with both are merged: with retention, the index
 * would become several times as large as what it finds. So all segments are merged whenever a quarter of the notifications was replaced.
 * Source: SQLite documentation, "FTS5", 6.9 (the 'merge' command).
 */
export async function compactText(trx: Transacting): Promise<void> {
  const { rows } = await sql<{ removed: number; stored: number; merged: number; merging: number }>`
    select (select last from series where name = 'notification') - stored as removed, stored,
      coalesce((select last from series where name = 'text-merged'), 0) as merged,
      coalesce((select last from series where name = 'text-merging'), 0) as merging
    from (select coalesce(sum(n), 0) as stored from counts where scope = 0 and span = 0) as counted`.execute(trx);
  const { removed, stored, merged, merging } = rows[0]!;
  const begins = merging === 0;
  if (begins && removed - merged < Math.max(MIN_REMOVED, REMOVED_PART * stored)) {
    return;
  }
  const before = await changes(trx);
  if (begins) {
    await sql`insert into notifications_text (notifications_text, rank) values ('usermerge', 2)`.execute(trx);
    await setNumber(trx, 'text-merged', removed);
  }
  // Negative: of all segments; then it goes on with that.
  const pages = begins ? -MERGED_PAGES : MERGED_PAGES;
  await sql`insert into notifications_text (notifications_text, rank) values ('merge', ${pages})`.execute(trx);
  const isOver = !begins && (await changes(trx)) - before < 2;
  if (begins || isOver) {
    await setNumber(trx, 'text-merging', isOver ? 0 : 1);
  }
}

async function changes(trx: Transacting): Promise<number> {
  return (await sql<{ n: number }>`select total_changes() as n`.execute(trx)).rows[0]!.n;
}
