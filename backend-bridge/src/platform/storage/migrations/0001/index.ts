/** The tables of version 0.1.0. */
import { sql } from 'kysely';
import { type Database, type Engine, engineOf } from '../../engine.ts';
import { createTables } from '../../tables.ts';
import { DELIVERY } from './delivery.ts';
import { INBOX } from './inbox.ts';
import { PACKAGES } from './packages.ts';
import { PLATFORM } from './platform.ts';
import { RESPONSES } from './responses.ts';

export const TABLES = { ...INBOX, ...RESPONSES, ...DELIVERY, ...PACKAGES, ...PLATFORM };

const SERIES = 'notification thread event indexed arrivals audit outbox activity device reported';

/**
 * Arrivals are indexed later, in bulk (platform/storage/textIndex.ts), up to the id in the series "indexed"; a restore indexes its rows itself.
 * Deleted rows leave the index by a trigger.
 */
const TEXT_INDEX: Record<Engine['name'], readonly string[]> = {
  sqlite: [
    // External content: the text is stored once. A search returns rows in order of rowid, the order of arrival. Prefixes of three
    // letters have an index of their own, since a short prefix matches many words.
    `create virtual table notifications_text using fts5(
      title, body, dnp_name, content='notifications', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='3')`,
    `create trigger notifications_text_delete after delete on notifications
      when old.id <= (select last from series where name = 'indexed') begin
      insert into notifications_text (notifications_text, rowid, title, body, dnp_name)
      values ('delete', old.id, old.title, old.body, old.dnp_name);
    end`,
  ],
  postgres: [
    // The words of each indexed notification (postgres/text.ts), searched by id from the newest, or by word.
    'create table notifications_text (id bigint primary key, words tsvector not null)',
    'create index notifications_text_words on notifications_text using gin (words)',
    `create function notifications_text_delete() returns trigger language plpgsql as $$ begin
      delete from notifications_text where id in (select id from gone);
      return null;
    end $$`,
    `create trigger notifications_text_delete after delete on notifications
      referencing old table as gone for each statement execute function notifications_text_delete()`,
  ],
};

export async function up(db: Database): Promise<void> {
  await createTables(db, TABLES);
  for (const statement of TEXT_INDEX[engineOf(db).name]) {
    await sql.raw(statement).execute(db);
  }
  const series = SERIES.split(' ').map((name) => ({ name, last: 0 }));
  await db.insertInto('series').values(series).execute();
}
