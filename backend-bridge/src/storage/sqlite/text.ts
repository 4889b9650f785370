/** Searching with SQLite's FTS5. Triggers of the table keep the index in line with what is restored and deleted. Members of `Engine`. */
import { sql } from 'kysely';
import type { Engine, Transacting } from '../engine.ts';

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

export const reindexText = (): Promise<void> => Promise.resolve();
