/** Notifications, threads, counts, receipts, categories, events and the trash, with their indexes and full-text search. */
import { type Kysely, sql } from 'kysely';

const NOTIFICATION_COLUMNS = `
  id integer primary key,
  thread_id integer not null,
  ts integer not null,
  title text not null,
  body text not null,
  category text not null,
  dnp_name text not null,
  priority integer not null,
  status text not null,
  status_given integer not null,
  correlation_id text not null,
  is_banner integer not null,
  banner integer not null,
  seen integer not null,
  muted integer not null,
  hidden integer not null,
  source text not null,
  cta_title text,
  cta_url text,
  icon text,
  errors text,
  extra text`;

const STATEMENTS = [
  `create table notifications (${NOTIFICATION_COLUMNS})`,
  // The common view is "shown": neither muted nor with errors. The rare ones have partial indexes of their own.
  'create index notifications_thread on notifications (thread_id, id)',
  // The two that lead through time hold what facets count as well: the days that a range cuts into are counted from here.
  'create index notifications_ts on notifications (ts, id, hidden, muted, seen, category, dnp_name, priority, status, banner)',
  'create index notifications_category on notifications (category, ts, id) where muted = 0 and hidden = 0',
  'create index notifications_package on notifications (dnp_name, ts, id) where muted = 0 and hidden = 0',
  'create index notifications_rank on notifications (priority, ts, id) where muted = 0 and hidden = 0 and priority > 0',
  "create index notifications_resolved on notifications (ts, id) where muted = 0 and hidden = 0 and status = 'resolved'",
  'create index notifications_seen on notifications (seen, ts, id) where muted = 0 and hidden = 0',
  'create index notifications_banner on notifications (ts, id) where banner = 1',
  'create index notifications_muted on notifications (ts, id) where muted = 1',
  'create index notifications_hidden on notifications (ts, id) where hidden = 1',

  `create table threads (
    id integer primary key,
    dnp_name text not null,
    correlation_id text not null,
    state text not null,
    opened_ts integer,
    closed_ts integer,
    last_ts integer not null,
    closed_by_hand integer not null,
    banner integer not null,
    head_id integer,
    head_ts integer,
    category text not null,
    priority integer not null,
    count integer not null,
    unseen integer not null,
    unique (correlation_id, dnp_name))`,
  'create index threads_head on threads (head_ts, head_id, category, dnp_name, priority, state, banner, unseen) where head_id is not null',
  // With what separates open, unread and read, so that a page of one of them is found without looking at the others' rows.
  'create index threads_category on threads (category, head_ts, head_id, unseen, state, last_ts) where head_id is not null',
  'create index threads_package on threads (dnp_name, head_ts, head_id) where head_id is not null',
  'create index threads_rank on threads (priority, head_ts, head_id) where head_id is not null and priority > 0',
  "create index threads_open on threads (last_ts, category, priority, dnp_name, unseen, banner, head_ts, head_id) where head_id is not null and state = 'open'",
  "create index threads_resolved on threads (head_ts, head_id) where head_id is not null and state = 'resolved'",
  'create index threads_unseen on threads (head_ts, head_id) where head_id is not null and unseen > 0',
  'create index threads_seen on threads (head_ts, head_id) where head_id is not null and unseen = 0',
  'create index threads_banner on threads (head_ts, head_id) where head_id is not null and banner = 1',

  `create table counts (
    scope integer not null,
    span integer not null,
    slot integer not null,
    hidden integer not null,
    muted integer not null,
    seen integer not null,
    category text not null,
    dnp_name text not null,
    priority integer not null,
    state text not null,
    banner integer not null,
    n integer not null,
    primary key (scope, span, slot, hidden, muted, seen, category, dnp_name, priority, state, banner)) without rowid`,

  `create table receipts (
    scope text not null,
    key text not null,
    hash text,
    notification_id integer not null,
    ts integer not null,
    primary key (scope, key)) without rowid`,
  'create table categories (category text primary key, enabled integer not null, ts integer not null) without rowid',
  'create table events (id integer primary key, type text not null, data text not null)',
  `create table trash (${NOTIFICATION_COLUMNS}, deletion text not null, expires_ts integer not null)`,
  'create index trash_deletion on trash (deletion)',
  'create index trash_expires on trash (expires_ts)',
  'create table series (name text primary key, last integer not null) without rowid',
  "insert into series values ('notification', 0), ('thread', 0), ('event', 0), ('indexed', 0)",

  // External content: the text is stored once. A search answers in order of rowid, which is the order of arrival. Beginnings of
  // three letters have an index of their own, since a short beginning stands for many words.
  `create virtual table notifications_text using fts5(
    title, body, dnp_name, content='notifications', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='3')`,
  // What arrives is indexed in bulk, later (storage/textIndex.ts): the series "indexed" says how far. Below that mark a row
  // that comes back or goes has to be added or taken out at once.
  `create trigger notifications_text_insert after insert on notifications
    when new.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (rowid, title, body, dnp_name) values (new.id, new.title, new.body, new.dnp_name);
  end`,
  `create trigger notifications_text_delete after delete on notifications
    when old.id <= (select last from series where name = 'indexed') begin
    insert into notifications_text (notifications_text, rowid, title, body, dnp_name)
    values ('delete', old.id, old.title, old.body, old.dnp_name);
  end`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) {
    await sql.raw(statement).execute(db);
  }
}
