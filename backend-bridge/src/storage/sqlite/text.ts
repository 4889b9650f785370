/** Searching with SQLite's FTS5. A trigger removes what is deleted from the index. Members of `Engine`. */
import { sql } from 'kysely';
import type { Engine, Transacting } from '../engine.ts';
import { inList } from './bulk.ts';

const textQuery = (words: readonly string[]): string =>
  words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ');

export const textSearch: Engine['textSearch'] = (words) =>
  sql<{
    found_id: number;
  }>`(select rowid as found_id from notifications_text where notifications_text match ${textQuery(words)})`;

export const textMatches: Engine['textMatches'] = (idColumn, words) =>
  sql<boolean>`${sql.ref(idColumn)} in (select rowid from notifications_text where notifications_text match ${textQuery(words)})`;

export async function indexText(trx: Transacting, after: number, until: number): Promise<void> {
  await sql`insert into notifications_text (rowid, title, body, dnp_name)
    select id, title, body, dnp_name from notifications where id > ${after} and id <= ${until}`.execute(trx);
}

/** Those above the mark of the index are indexed in their turn. */
export async function reindexText(trx: Transacting, ids: readonly number[]): Promise<void> {
  await sql`insert into notifications_text (rowid, title, body, dnp_name)
    select id, title, body, dnp_name from notifications
    where ${inList(sql.ref('id'), ids)} and id <= (select last from series where name = 'indexed')`.execute(trx);
}
